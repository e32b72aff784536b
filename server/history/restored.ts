/** Converts the history of an earlier run to the initial state of the watch. Pure. */
import type { MaintenanceSubject } from '../../api/lab/lab.ts';
import { defaultManagerUrl, managerKeys, type ManagerKey } from '../../api/managers.ts';
import { countsAsHealthy, type LabState, type ManagerState, type NodeState } from '../../api/states.ts';
import type { RestoredLab } from '../health/watch.ts';
import { getLabState } from '../health/labState.ts';
import { firstAfter } from './incidents.ts';
import { isState, type MaintenanceSpan, type StateSpan } from './timeline.ts';

/**
 * The spans that belong to one address: those of another address are another lab's, or older than the setting. Spans
 * without an address, from an older version, belong to any.
 * @param url the current address; `undefined` keeps all
 */
export function spansForAddress<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
  url: string | undefined,
): readonly StateSpan<State>[] {
  const isOther = (span: StateSpan<State>) => url !== undefined && span.url !== null && span.url !== url;
  return spans.some(isOther) ? spans.map((span) => (isOther(span) ? disabledSpan(span) : span)) : spans;
}

/**
 * Like `spansForAddress`; at a default address, which was not configured, a manager has no downtime before its first
 * response.
 */
export function spansForManagerAddress(
  key: ManagerKey,
  spans: readonly StateSpan[],
  url: string | undefined,
): readonly StateSpan[] {
  const spansOfAddress = spansForAddress(spans, url);
  if (url !== defaultManagerUrl(key)) return spansOfAddress;
  const firstResponse = spansOfAddress.findIndex(({ state }) => isState(state) && state !== 'unreachable');
  const unreachableCount = firstResponse === -1 ? spansOfAddress.length : firstResponse;
  return spansOfAddress.map((span, index) => (index < unreachableCount && span.state === 'unreachable' ? disabledSpan(span) : span));
}

function disabledSpan<State extends ManagerState | NodeState>(span: StateSpan<State>): StateSpan<State> {
  return { ...span, state: 'off', reason: null };
}

/** Removes unwatched times: equal states before and after one become one span. */
export function knownSpans<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
): readonly StateSpan<State>[] {
  const known: StateSpan<State>[] = [];
  for (const span of spans) {
    if (span.state === 'unknown') continue;
    const last = known.at(-1);
    if (last?.state === span.state) known[known.length - 1] = { ...last, to: span.to };
    else known.push(span);
  }
  return known;
}

/** The lab at the end of the spans. */
export function restoreLab(
  managers: ReadonlyMap<ManagerKey, readonly StateSpan[]>,
  maintenance: readonly MaintenanceSpan[],
): RestoredLab {
  const spansByManager = new Map([...managers].map(([key, spans]) => [key, knownSpans(spans)]));
  return {
    managers: new Map(
      [...spansByManager].map(([key, spans]) => {
        const last = spans.at(-1);
        return [
          key,
          {
            last: last !== undefined && isState(last.state) ? { state: last.state, since: last.from } : null,
            lastHealthy: spans.findLast(({ state }) => isState(state) && countsAsHealthy(state))?.to ?? null,
          },
        ];
      }),
    ),
    lab: lastLabState(spansByManager, maintenance),
  };
}

/** The lab's last watched state and its start; `null` if unknown. */
function lastLabState(
  managers: ReadonlyMap<ManagerKey, readonly StateSpan[]>,
  maintenance: readonly MaintenanceSpan[],
): RestoredLab['lab'] {
  const present = managerKeys.filter((key) => isInLab(managers.get(key)?.at(-1)));
  const spans = present.map((key) => ({ key, spans: managers.get(key) ?? [] }));
  const stateAt = (at: number): LabState | null => {
    const isInMaintenance = (kind: MaintenanceSubject['kind'], id: string) =>
      maintenance.some((span) => span.kind === kind && span.id === id && span.from <= at && at < span.to);
    const states = spans.map(({ key, spans: all }) => ({ key, state: stateAtTime(all, at) }));
    if (states.some(({ state }) => state === undefined || !isState(state))) return null;
    const statesOutsideMaintenance = states.filter(({ key }) => !isInMaintenance('manager', key) && !isInMaintenance('lab', 'lab'));
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

/** In a gap a manager keeps its state from before; `undefined` before the first one. */
function stateAtTime(spans: readonly StateSpan[], at: number): StateSpan['state'] | undefined {
  const index = firstAfter(spans, at);
  const span = spans[index];
  return span !== undefined && span.from <= at ? span.state : spans[index - 1]?.state;
}

function isInLab(span: StateSpan | undefined): boolean {
  return span !== undefined && span.state !== 'off';
}
