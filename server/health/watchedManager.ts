/** One manager under watch: its verdict now, how long it takes to answer, and when it is asked next. */
import type { ManagerStatus } from '../../api/lab/lab.ts';
import { managerTitle, type ManagerKey } from '../../api/managers.ts';
import type { HostZone } from '../../api/time/time.ts';
import { countsAsHealthy, type ManagerState } from '../../api/states.ts';
import { Poller } from '../concurrency/poller.ts';
import { ClockEstimate } from './clockOffset.ts';
import { ManagerChecker } from './checker.ts';
import { Latencies } from './latencies.ts';
import type { probe } from './probe.ts';
import type { Verdict } from './verdict.ts';

/** After a wake a manager that doesn't answer is "unknown", not "unreachable", for … milliseconds. */
export const wakeGraceMs = 15_000;

/** How soon a manager that doesn't answer is asked again within that time. */
const wakeRetryMs = 1000;

/** A manager as an earlier run of the service observed it last. Times are in ms since the epoch. */
export interface RestoredManager {
  readonly last: { readonly state: ManagerState; readonly since: number } | null;
  readonly lastHealthy: number | null;
}

export class WatchedManager {
  readonly manager: ManagerKey;
  readonly url: string;
  readonly checker: ManagerChecker;
  readonly latencies = new Latencies();
  readonly #clock = new ClockEstimate();
  #verdict: Verdict | null = null;
  /** The verdict is from before a sleep. */
  #stale = false;
  #since: number | null = null;
  /** As an earlier run of the service saw it last. */
  #earlier: RestoredManager['last'] = null;
  #lastChecked: number | null = null;
  #lastHealthy: number | null = null;
  #intervalMs: number;
  #graceUntil = 0;
  readonly #poller = new Poller(() => {
    // The next check does not wait for this one, which may hang.
    void this.checker.check();
    return this.#intervalMs;
  });
  readonly #onChange: (manager: WatchedManager) => void;
  readonly #isCredible: () => boolean;

  constructor(options: {
    readonly manager: ManagerKey;
    readonly url: string;
    readonly intervalMs: number;
    readonly onChange: (manager: WatchedManager) => void;
    /** Asked before an answer is recorded; `false` drops it. */
    readonly isCredible?: () => boolean;
    readonly probe?: typeof probe;
  }) {
    this.manager = options.manager;
    this.url = options.url;
    this.#intervalMs = options.intervalMs;
    this.#onChange = options.onChange;
    this.#isCredible = options.isCredible ?? (() => true);
    this.checker = new ManagerChecker(options.manager, options.url, (v) => this.#apply(v), options.probe);
  }

  get checkedOnce(): boolean {
    return this.#verdict !== null;
  }

  start(): void {
    void this.#poller.start();
  }

  stop(): void {
    this.#poller.stop();
    this.checker.abort();
  }

  setInterval(intervalMs: number): void {
    this.#intervalMs = intervalMs;
    this.#poller.scheduleIn(intervalMs);
  }

  /** Asks now; the answer comes by `onChange`. */
  checkNow(): void {
    void this.#poller.readNow();
  }

  /** What was seen before a sleep isn't believed until it is seen again. */
  invalidate(): void {
    this.#stale = this.#verdict !== null;
    this.#graceUntil = performance.now() + wakeGraceMs;
    this.checker.abort();
  }

  state(now: number): ManagerState {
    if (this.#verdict === null || this.#stale) return 'unknown';
    return this.#isStale(now) ? 'unknown' : this.#verdict.state;
  }

  /** @param timeZone of the manager's host, `null` while it is unknown */
  status(now: number, timeZone: HostZone | null = null): ManagerStatus {
    const state = this.state(now);
    const verdict = state === 'unknown' ? null : this.#verdict;
    return {
      manager: this.manager,
      name: managerTitle(this.manager),
      url: this.url,
      state,
      reason: verdict ? verdict.reason : this.#unknownReason(),
      since: verdict ? iso(this.#since) : null,
      last_checked: iso(this.#lastChecked),
      last_healthy: iso(this.#lastHealthy),
      latency_ms: verdict?.latencyMs ?? null,
      usual_latency_ms: this.latencies.usual(),
      version: this.#verdict?.version ?? null,
      health: verdict?.entry ?? null,
      clock: { ahead_seconds: this.#clock.aheadSeconds, time_zone: timeZone },
    };
  }

  /** Takes in what an earlier run of the service saw of it. */
  restore(past: RestoredManager): void {
    this.#earlier = past.last;
    this.#lastHealthy ??= past.lastHealthy;
  }

  #unknownReason(): string {
    if (this.#stale) return 'checking again after sleep';
    return this.#verdict === null ? 'not checked yet' : 'not checked for a while';
  }

  #isStale(now: number): boolean {
    return this.#lastChecked !== null && now - this.#lastChecked > 3 * this.#intervalMs + 6000;
  }

  #apply(verdict: Verdict): void {
    if (!this.#isCredible()) return;
    const now = Date.now();
    const waking = performance.now() < this.#graceUntil;
    if (waking && verdict.state === 'unreachable') {
      this.#poller.scheduleIn(wakeRetryMs);
      return;
    }
    const changed = this.#verdict?.state !== verdict.state;
    if (changed) this.#since = this.#sinceOf(verdict.state, now);
    this.#verdict = this.#retainVersion(verdict);
    if (verdict.clock) this.#clock.add(verdict.clock);
    this.#stale = false;
    this.#lastChecked = now;
    if (countsAsHealthy(verdict.state)) this.#lastHealthy = now;
    this.latencies.record(now, verdict.latencyMs);
    // An interval after this question, whoever asked it: the watch asks nothing while others do.
    this.#poller.scheduleIn(Math.max(0, this.#intervalMs - this.checker.msSinceProbe));
    this.#onChange(this);
  }

  /** Of the first answer after a restart: since before it, where the state is still the same. */
  #sinceOf(state: ManagerState, now: number): number {
    return this.#verdict === null && this.#earlier?.state === state ? this.#earlier.since : now;
  }

  /** A manager that can't be reached still has the version it had. */
  #retainVersion(verdict: Verdict): Verdict {
    return verdict.version === null && this.#verdict ? { ...verdict, version: this.#verdict.version } : verdict;
  }
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
