/** Converts the history of an earlier run to the initial state of the watch. */
import type { MaintenanceSubject } from '../../api/lab/lab.ts';
import { defaultManagerUrl, managerKeys, type ManagerKey } from '../../api/managers.ts';
import { countsAsHealthy, type LabState, type ManagerState, type NodeState } from '../../api/states.ts';
import type { RestoredLab } from '../health/watch.ts';
import { getLabState } from '../lab/labState.ts';
import { findFirstAfter } from './incidents.ts';
import { isKnownState, type MaintenanceSpan, type StateSpan } from './timeline.ts';

/**
 * Disables the spans of other addresses: they belong to another lab, or are older than the setting. Spans without an
 * address, from an older version, remain.
 * @param url the current address; `undefined` keeps all
 */
export function disableOtherAddresses<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
  url: string | undefined,
): readonly StateSpan<State>[] {
  const isOther = (span: StateSpan<State>) => url !== undefined && span.url !== null && span.url !== url;
  return spans.some(isOther) ? spans.map((span) => (isOther(span) ? disableSpan(span) : span)) : spans;
}

/**
 * Like `disableOtherAddresses`. At the default address, unreachable times before the first response are disabled as well,
 * because the manager may not exist.
 */
export function disableManagerSpans(
  key: ManagerKey,
  spans: readonly StateSpan[],
  url: string | undefined,
): readonly StateSpan[] {
  const spansOfAddress = disableOtherAddresses(spans, url);
  if (url !== defaultManagerUrl(key)) return spansOfAddress;
  const firstResponse = spansOfAddress.findIndex(({ state }) => isKnownState(state) && state !== 'unreachable');
  const unreachableCount = firstResponse === -1 ? spansOfAddress.length : firstResponse;
  return spansOfAddress.map((span, index) =>
    index < unreachableCount && span.state === 'unreachable' ? disableSpan(span) : span,
  );
}

function disableSpan<State extends ManagerState | NodeState>(span: StateSpan<State>): StateSpan<State> {
  return { ...span, state: 'off', reason: null };
}

/** Removes spans of unknown state, and merges equal states before and after them. */
export function mergeKnownSpans<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
): readonly StateSpan<State>[] {
  const merged: StateSpan<State>[] = [];
  for (const span of spans) {
    if (span.state === 'unknown') continue;
    const last = merged.at(-1);
    if (last?.state === span.state) merged[merged.length - 1] = { ...last, to: span.to };
    else merged.push(span);
  }
  return merged;
}

/** The state of the lab and its managers at the end of the spans. */
export function restoreLab(
  managers: ReadonlyMap<ManagerKey, readonly StateSpan[]>,
  maintenance: readonly MaintenanceSpan[],
): RestoredLab {
  const spansByManager = new Map([...managers].map(([key, spans]) => [key, mergeKnownSpans(spans)]));
  return {
    managers: new Map(
      [...spansByManager].map(([key, spans]) => {
        const last = spans.at(-1);
        return [
          key,
          {
            last: last !== undefined && isKnownState(last.state) ? { state: last.state, since: last.from } : null,
            lastHealthy: spans.findLast(({ state }) => isKnownState(state) && countsAsHealthy(state))?.to ?? null,
          },
        ];
      }),
    ),
    lab: findLastLabState(spansByManager, maintenance),
  };
}

/** The lab's last watched state and its start; `null` if unknown. */
function findLastLabState(
  managers: ReadonlyMap<ManagerKey, readonly StateSpan[]>,
  maintenance: readonly MaintenanceSpan[],
): RestoredLab['lab'] {
  const present = managerKeys.filter((key) => isInLab(managers.get(key)?.at(-1)));
  const spans = present.map((key) => ({ key, spans: managers.get(key) ?? [] }));
  const stateAt = (at: number): LabState | null => {
    const isInMaintenance = (kind: MaintenanceSubject['kind'], id: string) =>
      maintenance.some((span) => span.kind === kind && span.id === id && span.from <= at && at < span.to);
    const states = spans.map(({ key, spans: all }) => ({ key, state: stateAtTime(all, at) }));
    if (states.some(({ state }) => state === undefined || !isKnownState(state))) return null;
    const statesOutsideMaintenance = states.filter(
      ({ key }) => !isInMaintenance('manager', key) && !isInMaintenance('lab', 'lab'),
    );
    return getLabState(
      statesOutsideMaintenance.map(({ state }) => state as ManagerState),
      true,
      states.length - statesOutsideMaintenance.length,
    );
  };
  const times = [
    ...spans.flatMap(({ spans: all }) => all.map(({ from }) => from)),
    ...maintenance.flatMap(({ from, to }) => [from, to]),
  ].toSorted((a, b) => b - a);
  const end = Math.max(...spans.map(({ spans: all }) => all.at(-1)?.from ?? 0));
  const state = spans.length === 0 ? null : stateAt(end);
  if (state === null) return null;
  let since = end;
  for (const at of times) {
    if (at > end) continue;
    if (stateAt(at) !== state) break;
    since = at;
  }
  return { state, since };
}

/** The state at a time; in a gap the previous state. `undefined` before the first span. */
function stateAtTime(spans: readonly StateSpan[], at: number): StateSpan['state'] | undefined {
  const index = findFirstAfter(spans, at);
  const span = spans[index];
  return span !== undefined && span.from <= at ? span.state : spans[index - 1]?.state;
}

function isInLab(span: StateSpan | undefined): boolean {
  return span !== undefined && span.state !== 'off';
}
