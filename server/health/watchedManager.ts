/** One watched manager: its last result, response times, and next check. */
import { clock } from '../../api/time/clock.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { countsAsHealthy, type ManagerState } from '../../api/states.ts';
import { Poller } from '../concurrency/poller.ts';
import type { ManagerCheck } from '../lab/managerCheck.ts';
import { ClockEstimate } from './clockOffset.ts';
import { ManagerChecker } from './checker.ts';
import { Latencies } from './latencies.ts';
import type { probe } from './probe.ts';
import type { HealthCheckResult } from './evaluateHealth.ts';

/** Milliseconds after wake-up in which an unresponsive manager is "unknown", not "unreachable". */
export const wakeGraceMs = 15_000;

/** Interval in ms between checks of an unresponsive manager within that time. */
const wakeRetryMs = 1000;

/** A manager as an earlier run of the service observed it last. Times are in ms since the epoch. */
export interface RestoredManager {
  readonly last: { readonly state: ManagerState; readonly since: number } | null;
  readonly lastHealthy: number | null;
}

const unchecked = {
  result: null,
  isFromBeforeSleep: false,
  since: null,
  lastChecked: null,
  lastHealthy: null,
  usualLatencyMs: null,
  aheadSeconds: null,
} satisfies Partial<ManagerCheck>;

export class WatchedManager {
  readonly checker: ManagerChecker;
  readonly #latencies = new Latencies();
  readonly #clock = new ClockEstimate();
  #check: ManagerCheck;
  /** The last state in an earlier run of the service. */
  #previousRun: RestoredManager['last'] = null;
  #graceUntil = 0;
  readonly #poller = new Poller(() => {
    // The next check does not wait for this one, which may hang.
    void this.checker.check();
    return this.#check.intervalMs;
  });
  readonly #onChange: () => void;
  readonly #isCredible: () => boolean;

  constructor(options: {
    readonly manager: ManagerKey;
    readonly url: string;
    readonly intervalMs: number;
    /** Called after each result. */
    readonly onChange: () => void;
    /** Called before a result is recorded; `false` drops it. */
    readonly isCredible?: () => boolean;
    readonly probe?: typeof probe;
  }) {
    const { manager, url, intervalMs } = options;
    this.#check = { ...unchecked, manager, url, intervalMs };
    this.#onChange = options.onChange;
    this.#isCredible = options.isCredible ?? (() => true);
    this.checker = new ManagerChecker(manager, url, (result) => this.#apply(result), options.probe);
  }

  /** What its checks have shown. */
  get check(): ManagerCheck {
    return this.#check;
  }

  start(): void {
    void this.#poller.start();
  }

  stop(): void {
    this.#poller.stop();
    this.checker.abort();
  }

  setInterval(intervalMs: number): void {
    this.#check = { ...this.#check, intervalMs };
    this.#poller.scheduleIn(intervalMs);
  }

  /** Checks now; reports the result through `onChange`. */
  checkNow(): void {
    void this.#poller.readNow();
  }

  /** Marks the result from before a sleep as stale until the next one. */
  invalidate(): void {
    this.#check = { ...this.#check, isFromBeforeSleep: this.#check.result !== null };
    this.#graceUntil = clock.monotonic() + wakeGraceMs;
    this.checker.abort();
  }

  /** Restores the state from an earlier run of the service. */
  restore(restored: RestoredManager): void {
    this.#previousRun = restored.last;
    this.#check = { ...this.#check, lastHealthy: this.#check.lastHealthy ?? restored.lastHealthy };
  }

  #apply(result: HealthCheckResult): void {
    if (!this.#isCredible()) return;
    const now = clock.now();
    const isWaking = clock.monotonic() < this.#graceUntil;
    if (isWaking && result.state === 'unreachable') {
      this.#poller.scheduleIn(wakeRetryMs);
      return;
    }
    if (result.clock) this.#clock.add(result.clock);
    this.#latencies.record(now, result.latencyMs);
    const before = this.#check;
    this.#check = {
      ...before,
      result: this.#retainVersion(result),
      since: before.result?.state === result.state ? before.since : this.#startOfState(result.state, now),
      isFromBeforeSleep: false,
      lastChecked: now,
      lastHealthy: countsAsHealthy(result.state) ? now : before.lastHealthy,
      usualLatencyMs: this.#latencies.usualMs(),
      aheadSeconds: this.#clock.aheadSeconds,
    };
    // Checks that requests cause replace those of the watch, so the interval restarts after each of them.
    this.#poller.scheduleIn(Math.max(0, before.intervalMs - this.checker.msSinceProbe));
    this.#onChange();
  }

  /** For the first result after a restart: the earlier start if the state is unchanged. */
  #startOfState(state: ManagerState, now: number): number {
    return this.#check.result === null && this.#previousRun?.state === state ? this.#previousRun.since : now;
  }

  /** An unreachable manager keeps its last known version. */
  #retainVersion(result: HealthCheckResult): HealthCheckResult {
    const { version = null } = this.#check.result ?? {};
    return result.version === null ? { ...result, version } : result;
  }
}
