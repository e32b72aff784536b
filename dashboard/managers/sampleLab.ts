/** A lab for unit tests, as `/lab_health/history` tells it. */
import type { LabStatus, ManagerStatus } from '../../api/lab.ts';
import { managerKeys, managerName, type ManagerKey } from '../../api/managers.ts';
import { countsAsHealthy, type LabState } from '../../api/states.ts';

export const sampleNow = new Date(2026, 10, 21, 14, 5, 0).getTime();

/** `14:02` of the sample day as ISO. */
export function sampleTime(hours: number, minutes: number): string {
  return new Date(2026, 10, 21, hours, minutes).toISOString();
}

export function sampleLab(
  state: LabState,
  changed: Partial<Record<ManagerKey, Partial<ManagerStatus>>> = {},
  keys: readonly ManagerKey[] = managerKeys,
): LabStatus {
  const managers = keys.map((manager, index): ManagerStatus =>
    Object.assign(
      {
        manager,
        name: managerName(manager),
        url: `http://127.0.0.1:${8001 + index}/`,
        state: 'healthy',
        reason: null,
        since: sampleTime(9, 0),
        last_checked: null,
        last_healthy: null,
        latency_ms: 4,
        usual_latency_ms: 5,
        version: '0.8.1',
        health: null,
      },
      changed[manager],
    ),
  );
  return {
    lab_name: 'Example Lab',
    now: new Date(sampleNow).toISOString(),
    state,
    description: '',
    since: sampleTime(14, 2),
    interval_seconds: 5,
    total_managers: managers.length,
    healthy_managers: managers.filter((manager) => countsAsHealthy(manager.state)).length,
    managers,
  };
}
