/** Compares the manager health that another lab manager reports with the health measured here. */
import * as z from 'zod';
import type { FollowedLab, ManagerStatus } from '../../api/lab/lab.ts';
import { healthKey, managerKeys, type ManagerKey } from '../../api/managers.ts';
import { countsAsHealthy, managerStates } from '../../api/states.ts';
import type { JsonObject } from '../net/foreignJson.ts';

/** Whether each manager is healthy; managers without a definite report are missing. */
export type ReportedHealth = ReadonlyMap<ManagerKey, boolean>;

const healthEntry = z.object({ healthy: z.boolean() });
const historyEntry = z.object({ manager: z.enum(managerKeys), state: z.enum(managerStates) });

/** Reads the body of `/lab_health/history`; `null` if it is invalid. */
export function healthInHistory(body: JsonObject): ReportedHealth | null {
  const read = z.array(historyEntry).safeParse(body['managers']);
  if (!read.success) return null;
  const certain = read.data.filter(({ state }) => state !== 'unknown');
  return new Map(certain.map(({ manager, state }) => [manager, countsAsHealthy(state)]));
}

/** Reads the body of `/lab_health`; `null` if it is invalid. */
export function healthInLabHealth(body: JsonObject): ReportedHealth | null {
  const read = z.record(z.string(), z.unknown()).safeParse(body['managers']);
  if (!read.success) return null;
  const entries = managerKeys.flatMap((key) => {
    const entry = healthEntry.safeParse(read.data[healthKey(key)]);
    return entry.success ? [[key, entry.data.healthy] as const] : [];
  });
  return new Map(entries);
}

/** The managers as measured here. */
export interface MeasuredLab {
  readonly managers: readonly Pick<ManagerStatus, 'manager' | 'state'>[];
}

/** The reported health, with the managers whose health measured here differs. */
export function compareHealth(
  reported: ReportedHealth,
  measured: MeasuredLab | null,
): NonNullable<FollowedLab['reported']> {
  const differing = (measured?.managers ?? []).filter(({ manager, state }) => {
    const healthy = reported.get(manager);
    return healthy !== undefined && state !== 'unknown' && healthy !== countsAsHealthy(state);
  });
  return {
    total_managers: reported.size,
    healthy_managers: [...reported.values()].filter(Boolean).length,
    differing: differing.map(({ manager }) => manager),
  };
}
