/** Two hours of one manager in bounded memory: one entry a minute, and the changes of its state. */
import type { HistoryMinute, StateChange } from '../../api/lab/lab.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { managerLooks, type LabState, type ManagerState } from '../../api/states.ts';

/** How far back the history reaches, in seconds. */
export const historyWindowSeconds = 2 * 60 * 60;

/** A flapping manager's changes beyond this are forgotten, oldest first. */
const maxChanges = 500;

const minuteMs = 60_000;

interface Minute {
  start: number;
  state: ManagerState;
  latencies: number[];
  checks: number;
}

/** Two hours as an earlier run of the service saw them, oldest first. */
export interface RestoredHistory {
  /** The state that was seen last, and since when it was so (ms since the epoch). */
  readonly last: { readonly state: ManagerState; readonly since: number } | null;
  /** When it was last seen healthy, in ms since the epoch. */
  readonly lastHealthy: number | null;
  /** Those that were watched: their start in ms since the epoch, and the worst state in them. */
  readonly minutes: readonly { readonly start: number; readonly state: ManagerState }[];
  readonly changes: readonly StateChange[];
}

/** A lab as an earlier run of the service saw it last. */
export interface RestoredLab {
  readonly managers: ReadonlyMap<ManagerKey, RestoredHistory>;
  readonly lab: { readonly state: LabState; readonly since: number } | null;
}

export class ManagerHistoryStore {
  #minutes: Minute[] = [];
  #changes: StateChange[] = [];
  /** Asked for with each status, many times between two checks; `undefined` until it is next worked out. */
  #usualLatency: number | null | undefined;

  /** Records a check that ended at `now` (ms since the epoch). */
  record(now: number, state: ManagerState, reason: string | null, latencyMs: number | null): void {
    const start = Math.floor(now / minuteMs) * minuteMs;
    let minute = this.#minutes.at(-1);
    if (minute === undefined || minute.start < start) {
      minute = { start, state, latencies: [], checks: 0 };
      this.#minutes.push(minute);
    }
    minute.checks += 1;
    this.#usualLatency = undefined;
    if (managerLooks[state].severity > managerLooks[minute.state].severity) minute.state = state;
    if (latencyMs !== null && minute.latencies.length < minuteMs / 1000) minute.latencies.push(latencyMs);

    if (this.#changes.at(-1)?.state !== state) this.#changes.push({ at: iso(now), state, reason });
    this.#forget(now);
  }

  /** Takes in what an earlier run of the service saw; its latencies are not kept. */
  restore({ minutes, changes }: Pick<RestoredHistory, 'minutes' | 'changes'>): void {
    this.#minutes = [...minutes.map((each) => ({ ...each, latencies: [], checks: 0 })), ...this.#minutes];
    this.#changes = [...changes, ...this.#changes];
  }

  /** Minutes of the last two hours, oldest first. */
  minutes(now: number): HistoryMinute[] {
    this.#forget(now);
    return this.#minutes.map((m) => ({
      at: iso(m.start),
      state: m.state,
      latency_ms: median(m.latencies),
      max_latency_ms: m.latencies.length === 0 ? null : Math.max(...m.latencies),
      checks: m.checks,
    }));
  }

  /** Changes of state, oldest first; the first one may lie before the window: it says what held when it began. */
  changes(now: number): StateChange[] {
    this.#forget(now);
    return [...this.#changes];
  }

  /** The latency that is usual for this manager, in ms: the median of its minutes. */
  usualLatency(): number | null {
    this.#usualLatency ??= median(this.#minutes.flatMap((m) => median(m.latencies) ?? []));
    return this.#usualLatency;
  }

  #forget(now: number): void {
    const oldest = now - historyWindowSeconds * 1000;
    while (this.#minutes.length > 0 && (this.#minutes[0] as Minute).start < oldest - minuteMs) {
      this.#minutes.shift();
      this.#usualLatency = undefined;
    }
    while (this.#changes.length > 1 && Date.parse((this.#changes[1] as StateChange).at) < oldest) this.#changes.shift();
    if (this.#changes.length > maxChanges) this.#changes.splice(0, this.#changes.length - maxChanges);
  }
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
