/**
 * Watches the lab: checks each manager every few seconds and writes each result to the lab model as it arrives. Tray,
 * notifications, `/lab_health/history` and the dashboard read the model; reading sends no request.
 */
import { clock } from '../../api/time/clock.ts';
import { contextKey, healthKey, managerKeys, type ManagerKey } from '../../api/managers.ts';
import type { LabHealth } from '../../api/lab/lab.ts';
import { silentLog, type Log } from '../logging/log.ts';
import type { LabModel } from '../lab/labModel.ts';
import { healthSummary, isLabHealthy } from '../lab/labState.ts';
import type { LabStateSince } from '../lab/labStatus.ts';
import { managerState } from '../lab/managerCheck.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import type { probe } from './probe.ts';
import { LabHealthBatcher } from './labHealthBatcher.ts';
import type { HealthCheckResult } from './evaluateHealth.ts';
import { WatchedManager, type RestoredManager } from './watchedManager.ts';

/** A lab as an earlier run of the service observed it last. */
export interface RestoredLab {
  readonly managers: ReadonlyMap<ManagerKey, RestoredManager>;
  readonly lab: LabStateSince | null;
}

/** A difference between the wall clock and the monotonic clock above this, in ms, indicates that the machine slept. */
const minSleepMs = 10_000;

export class Watch {
  readonly #lab: LabModel;
  #managers = new Map<ManagerKey, WatchedManager>();
  #running = false;
  #isSuspended = false;
  #everChecked = false;
  #clockOffset = clock.now() - clock.monotonic();
  readonly #log: Log;
  readonly #probe: typeof probe | undefined;
  readonly #batcher = new LabHealthBatcher((signal) => this.#checkAll(signal));
  readonly #effects: readonly (() => void)[];

  constructor(lab: LabModel, options: { readonly log?: Log; readonly probe?: typeof probe } = {}) {
    this.#lab = lab;
    this.#log = options.log ?? silentLog;
    this.#probe = options.probe;
    const syncing = lab.settings.subscribe((settings) => this.#syncManagers(settings));
    let { state: before } = lab.state.peek();
    const logging = lab.state.subscribe(({ state }) => {
      if (state !== before) this.#log.info(`The lab is ${state}`, { before });
      before = state;
    });
    this.#effects = [syncing, logging];
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    for (const manager of this.#managers.values()) manager.start();
  }

  stop(): void {
    this.#running = false;
    this.#batcher.stop();
    for (const dispose of this.#effects) dispose();
    for (const manager of this.#managers.values()) manager.stop();
  }

  /** Checks every manager now. */
  checkNow(): void {
    for (const manager of this.#managers.values()) manager.checkNow();
  }

  /** Stops the checks before the machine sleeps; results of pending ones are dropped. */
  suspend(): void {
    this.#isSuspended = true;
    for (const manager of this.#managers.values()) {
      manager.invalidate();
      manager.stop();
    }
    this.#publish();
  }

  /** Resumes after sleep: earlier results are stale, and every manager is checked immediately. */
  resume(): void {
    this.#isSuspended = false;
    this.#clockOffset = clock.now() - clock.monotonic();
    for (const manager of this.#managers.values()) {
      manager.invalidate();
      if (this.#running) manager.start();
    }
    this.#publish();
  }

  /** Restores the state from an earlier run of the service. */
  restore({ managers, lab }: RestoredLab): void {
    this.#lab.restore(lab);
    for (const [key, restored] of managers) this.#managers.get(key)?.restore(restored);
    this.#publish();
  }

  /**
   * The body of `/lab_health`: new checks of all managers in parallel, limited by `LabHealthBatcher`.
   * @returns `null` when `signal` aborted or the watch stopped first
   */
  labHealth(signal: AbortSignal, version: string): Promise<LabHealth | null> {
    return this.#batcher.next(signal).then((results) => results && labHealthBody(results, version));
  }

  async #checkAll(signal: AbortSignal): Promise<Map<ManagerKey, HealthCheckResult>> {
    const results = await Promise.all(
      [...this.#managers.keys()].map(async (key) => [key, await this.#checkManager(key, signal)] as const),
    );
    return new Map(results.flatMap(([key, result]) => (result ? [[key, result]] : [])));
  }

  /** Repeats the check if sleep or a new address aborted it; returns `null` if the manager was disabled. */
  async #checkManager(key: ManagerKey, signal: AbortSignal): Promise<HealthCheckResult | null> {
    for (
      let manager = this.#managers.get(key);
      manager !== undefined && !signal.aborted;
      manager = this.#managers.get(key)
    ) {
      const result = await manager.checker.check(signal);
      if (result) return result;
    }
    return null;
  }

  /** Applies settings: managers with unchanged addresses keep their history. */
  #syncManagers({ context, watchInterval }: LabSettings): void {
    const intervalMs = watchInterval * 1000;
    for (const key of managerKeys) {
      const url = context[contextKey(key)];
      const current = this.#managers.get(key);
      if (current?.check.url === url) {
        current?.setInterval(intervalMs);
        continue;
      }
      current?.stop();
      this.#managers.delete(key);
      if (url === null) continue;
      const manager: WatchedManager = new WatchedManager({
        manager: key,
        url,
        intervalMs,
        onChange: () => this.#onCheckResult(manager),
        isCredible: () => this.#isAwake(),
        ...(this.#probe ? { probe: this.#probe } : {}),
      });
      this.#managers.set(key, manager);
      this.#everChecked = false;
      if (this.#running && !this.#isSuspended) manager.start();
    }
    this.#managers = new Map([...this.#managers].toSorted(compareOrder));
    this.#publish();
  }

  /**
   * Whether the machine was awake since the last result; otherwise the new result is dropped, and all managers are
   * checked again.
   */
  #isAwake(): boolean {
    const offset = clock.now() - clock.monotonic();
    if (Math.abs(offset - this.#clockOffset) <= minSleepMs) {
      this.#clockOffset = offset;
      return true;
    }
    this.#log.info('The clock jumped, which indicates sleep: checking all managers again');
    this.resume();
    return false;
  }

  #onCheckResult({ check }: WatchedManager): void {
    this.#log.debug('checked', { manager: check.manager, state: managerState(check, clock.now()) });
    this.#publish();
  }

  #publish(): void {
    const managers = [...this.#managers.values()].map(({ check }) => check);
    this.#everChecked ||= managers.length > 0 && managers.every(({ result }) => result !== null);
    this.#lab.checks.value = { managers, everChecked: this.#everChecked };
  }
}

function compareOrder(a: readonly [ManagerKey, unknown], b: readonly [ManagerKey, unknown]): number {
  return managerKeys.indexOf(a[0]) - managerKeys.indexOf(b[0]);
}

/** The body of `/lab_health` for these results. */
function labHealthBody(results: ReadonlyMap<ManagerKey, HealthCheckResult>, version: string): LabHealth {
  const total = results.size;
  const healthy = [...results.values()].filter((result) => result.entry.healthy).length;
  return {
    healthy: isLabHealthy(healthy, total),
    description: healthSummary(healthy, total),
    version,
    managers: Object.fromEntries([...results].map(([key, result]) => [healthKey(key), result.entry])),
    total_managers: total,
    healthy_managers: healthy,
  };
}
