/** When managers didn't answer or weren't well, as far as the lab manager remembers. Pure. */
import type { LabHistory } from '../../../../api/lab/lab.ts';
import { managerTitle } from '../../../../api/managers.ts';
import { countsAsHealthy, managerLooks, type ManagerState, type StateLook } from '../../../../api/states.ts';
import { parseTime } from '../../../base/time.ts';

export interface Outage {
  /** As people call it: `Data Manager`. */
  readonly manager: string;
  readonly state: ManagerState;
  readonly start: number;
  /** `null`: it goes on. */
  readonly end: number | null;
  readonly reason: string | null;
}

const isWell = (state: ManagerState): boolean => countsAsHealthy(state) || state === 'unknown';

/** Each time from leaving health to the next change, oldest first. */
export function outagesOf({ managers }: Pick<LabHistory, 'managers'>): readonly Outage[] {
  return managers
    .flatMap(({ manager, changes }) =>
      changes.flatMap(({ at, state, reason }, index): Outage[] => {
        const start = parseTime(at);
        if (start === null || isWell(state)) return [];
        const next = changes[index + 1];
        const end = next === undefined ? null : Math.max(start, parseTime(next.at) ?? start);
        return [{ manager: managerTitle(manager), state, start, end, reason }];
      }),
    )
    .toSorted((a, b) => a.start - b.start);
}

/** Since when outages are known: the service began, or forgot what was before; ms since the epoch. */
export function knownSince({
  now,
  window_seconds: kept,
  service,
}: Pick<LabHistory, 'now' | 'window_seconds' | 'service'>): number | null {
  const [at, started] = [parseTime(now), parseTime(service.started)];
  return at === null ? null : Math.max(at - kept * 1000, started ?? 0);
}

/** Those that overlap stand below each other. */
export function inRows(outages: readonly Outage[], now: number): readonly (Outage & { readonly row: number })[] {
  const ends: number[] = [];
  return outages.map((outage) => {
    const free = ends.findIndex((end) => end <= outage.start);
    const row = free === -1 ? ends.length : free;
    ends[row] = outage.end ?? now;
    return { ...outage, row };
  });
}

export function outageLook({ state }: Pick<Outage, 'state'>): StateLook {
  return managerLooks[state];
}
