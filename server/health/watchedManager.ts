/** One watched manager: its last result, response times, and next check. */
import { clock } from '../../api/time/clock.ts';
import type { ManagerStatus } from '../../api/lab/lab.ts';
import { managerTitle, type ManagerKey } from '../../api/managers.ts';
import type { HostZone } from '../../api/time/time.ts';
import { countsAsHealthy, type ManagerState } from '../../api/states.ts';
import { Poller } from '../concurrency/poller.ts';
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

export class WatchedManager {
  readonly manager: ManagerKey;
  readonly url: string;
  readonly checker: ManagerChecker;
  readonly latencies = new Latencies();
  readonly #clock = new ClockEstimate();
  #lastResult: HealthCheckResult | null = null;
  /** Whether the last result is from before a sleep. */
  #isFromBeforeSleep = false;
  #since: number | null = null;
  /** The last state in an earlier run of the service. */
  #previousRun: RestoredManager['last'] = null;
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
    /** Called before a result is recorded; `false` drops it. */
    readonly isCredible?: () => boolean;
    readonly probe?: typeof probe;
  }) {
    this.manager = options.manager;
    this.url = options.url;
    this.#intervalMs = options.intervalMs;
    this.#onChange = options.onChange;
    this.#isCredible = options.isCredible ?? (() => true);
    this.checker = new ManagerChecker(options.manager, options.url, (result) => this.#apply(result), options.probe);
  }

  get checkedOnce(): boolean {
    return this.#lastResult !== null;
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

  /** Checks now; reports the result through `onChange`. */
  checkNow(): void {
    void this.#poller.readNow();
  }

  /** Marks the result from before a sleep as stale until the next one. */
  invalidate(): void {
    this.#isFromBeforeSleep = this.#lastResult !== null;
    this.#graceUntil = clock.monotonic() + wakeGraceMs;
    this.checker.abort();
  }

  state(now: number): ManagerState {
    if (this.#lastResult === null || this.#isFromBeforeSleep) return 'unknown';
    return this.#isOutdated(now) ? 'unknown' : this.#lastResult.state;
  }

  /** @param timeZone of the manager's host, `null` while it is unknown */
  status(now: number, timeZone: HostZone | null = null): ManagerStatus {
    const state = this.state(now);
    const result = state === 'unknown' ? null : this.#lastResult;
    return {
      manager: this.manager,
      name: managerTitle(this.manager),
      url: this.url,
      state,
      reason: result ? result.reason : this.#unknownReason(),
      since: result ? toIso(this.#since) : null,
      last_checked: toIso(this.#lastChecked),
      last_healthy: toIso(this.#lastHealthy),
      latency_ms: result?.latencyMs ?? null,
      usual_latency_ms: this.latencies.usualMs(),
      version: this.#lastResult?.version ?? null,
      health: result?.entry ?? null,
      clock: { ahead_seconds: this.#clock.aheadSeconds, time_zone: timeZone },
    };
  }

  /** Restores the state from an earlier run of the service. */
  restore(restored: RestoredManager): void {
    this.#previousRun = restored.last;
    this.#lastHealthy ??= restored.lastHealthy;
  }

  #unknownReason(): string {
    if (this.#isFromBeforeSleep) return 'checking again after sleep';
    return this.#lastResult === null ? 'not checked yet' : 'not checked for a while';
  }

  #isOutdated(now: number): boolean {
    return this.#lastChecked !== null && now - this.#lastChecked > 3 * this.#intervalMs + 6000;
  }

  #apply(result: HealthCheckResult): void {
    if (!this.#isCredible()) return;
    const now = clock.now();
    const isWaking = clock.monotonic() < this.#graceUntil;
    if (isWaking && result.state === 'unreachable') {
      this.#poller.scheduleIn(wakeRetryMs);
      return;
    }
    const changed = this.#lastResult?.state !== result.state;
    if (changed) this.#since = this.#startOfState(result.state, now);
    this.#lastResult = this.#retainVersion(result);
    if (result.clock) this.#clock.add(result.clock);
    this.#isFromBeforeSleep = false;
    this.#lastChecked = now;
    if (countsAsHealthy(result.state)) this.#lastHealthy = now;
    this.latencies.record(now, result.latencyMs);
    // Checks that requests cause replace those of the watch, so the interval restarts after each of them.
    this.#poller.scheduleIn(Math.max(0, this.#intervalMs - this.checker.msSinceProbe));
    this.#onChange(this);
  }

  /** For the first result after a restart: the earlier start if the state is unchanged. */
  #startOfState(state: ManagerState, now: number): number {
    return this.#lastResult === null && this.#previousRun?.state === state ? this.#previousRun.since : now;
  }

  /** An unreachable manager keeps its last known version. */
  #retainVersion(result: HealthCheckResult): HealthCheckResult {
    return result.version === null && this.#lastResult ? { ...result, version: this.#lastResult.version } : result;
  }
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
