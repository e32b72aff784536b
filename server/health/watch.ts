/**
 * Watches the lab: checks each manager every few seconds and publishes each result as it arrives. Tray, notifications,
 * `/lab_health/history` and the dashboard read its state; reading sends no request.
 */
import { clock } from '../../api/time/clock.ts';
import { contextKey, healthKey, managerKeys, type ManagerKey } from '../../api/managers.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import type {
  DatabaseStatus,
  FollowedLab,
  LabActivity,
  LabContext,
  LabHealth,
  LabStatus,
  Maintenance,
} from '../../api/lab/lab.ts';
import {
  findMaintenance,
  noMaintenanceWindows,
  outsideMaintenance,
  type MaintenanceWindows,
} from '../../api/lab/maintenance.ts';
import type { HostZone } from '../../api/time/time.ts';
import { countsAsHealthy, type LabState } from '../../api/states.ts';
import { silentLog, type Log } from '../logging/log.ts';
import { healthSummary, isLabHealthy, getLabState } from './labState.ts';
import type { probe } from './probe.ts';
import { LabHealthBatcher } from './labHealthBatcher.ts';
import type { HealthCheckResult } from './evaluateHealth.ts';
import { WatchedManager, type RestoredManager } from './watchedManager.ts';

export interface WatchConfig {
  readonly context: LabContext;
  readonly labName: string | null;
  readonly intervalSeconds: number;
  /** Whether the lab is simulated. */
  readonly demo?: boolean;
  /** The lab's activity, if it is watched; `null` if the lab has no workcell manager. */
  readonly activity?: () => LabActivity | null;
  readonly maintenance?: () => MaintenanceWindows;
  /** The safety stop that is neither released nor acknowledged. */
  readonly safetyStop?: () => LabStop | null;
  /** As `LabStatus.held_stop`. */
  readonly stopInEffect?: () => LabStop | null;
  /** As `LabStatus.stops_read`. */
  readonly stopsRead?: () => boolean;
  /** The time zone of a manager's host; `null` while it is unknown. */
  readonly timeZone?: (manager: ManagerKey) => HostZone | null;
  /** The reason why the lab's state is uncertain regardless of the managers' responses; `null` if it is certain. */
  readonly unknownReason?: () => string | null;
  /** The followed lab manager; `null` if the lab is this service's own. */
  readonly followed?: () => FollowedLab | null;
  /** The reason why this service is on standby; `null` while it is active. */
  readonly standby?: () => string | null;
  /** As `LabStatus.database`; `null` if none is configured. */
  readonly database?: () => DatabaseStatus | null;
}

/** A lab as an earlier run of the service observed it last. */
export interface RestoredLab {
  readonly managers: ReadonlyMap<ManagerKey, RestoredManager>;
  /** `since` in ms since the epoch. */
  readonly lab: { readonly state: LabState; readonly since: number } | null;
}

/** A difference between the wall clock and the steady clock above this, in ms, indicates that the machine slept. */
const minSleepMs = 10_000;

export class Watch {
  #config: WatchConfig;
  #managers = new Map<ManagerKey, WatchedManager>();
  #running = false;
  #isSuspended = false;
  #lab: { state: LabState; since: number } = { state: 'starting', since: clock.now() };
  /** The lab's last state in an earlier run of the service. */
  #previousRun: RestoredLab['lab'] = null;
  #everChecked = false;
  #clockOffset = clock.now() - clock.monotonic();
  readonly #listeners = new Set<() => void>();
  readonly #log: Log;
  readonly #probe: typeof probe | undefined;
  readonly #batcher = new LabHealthBatcher((signal) => this.#checkAll(signal));

  constructor(config: WatchConfig, options: { readonly log?: Log; readonly probe?: typeof probe } = {}) {
    this.#config = config;
    this.#log = options.log ?? silentLog;
    this.#probe = options.probe;
    this.#syncManagers();
  }

  /** Address of a manager, `null` if the lab has none. */
  getAddress(manager: ManagerKey): string | null {
    return this.#config.context[contextKey(manager)];
  }

  /** Whether the manager responded to its last check. */
  isReachable(manager: ManagerKey): boolean {
    const state = this.#managers.get(manager)?.state(clock.now()) ?? 'unknown';
    return state !== 'unknown' && state !== 'unreachable';
  }

  /** Calls `listener` after each result and each other change; the returned function unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Publishes a change of the status outside the checks. */
  notify(): void {
    this.#update();
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    for (const manager of this.#managers.values()) manager.start();
    this.#update();
  }

  stop(): void {
    this.#running = false;
    this.#batcher.stop();
    for (const manager of this.#managers.values()) manager.stop();
  }

  /** Applies new settings: managers with unchanged addresses keep their history. */
  configure(config: WatchConfig): void {
    this.#config = config;
    this.#syncManagers();
    this.#update();
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
    this.#update();
  }

  /** Resumes after sleep: earlier results are stale, and every manager is checked immediately. */
  resume(): void {
    this.#isSuspended = false;
    this.#clockOffset = clock.now() - clock.monotonic();
    for (const manager of this.#managers.values()) {
      manager.invalidate();
      if (this.#running) manager.start();
    }
    this.#update();
  }

  /** The current state of the lab. */
  status(): LabStatus {
    const now = clock.now();
    const managers = [...this.#managers.values()].map((manager) => manager.status(now, this.#timeZone(manager)));
    const healthy = managers.filter((manager) => countsAsHealthy(manager.state)).length;
    const unknownReason = this.#config.unknownReason?.() ?? null;
    const activity = this.#config.activity?.() ?? null;
    const { current: maintenance, planned } = this.#config.maintenance?.() ?? noMaintenanceWindows;
    const safetyStop = this.#config.safetyStop?.() ?? null;
    const stopInEffect = this.#config.stopInEffect?.() ?? null;
    const stopsRead = this.#config.stopsRead?.();
    const followed = this.#config.followed?.() ?? null;
    const standby = this.#config.standby?.() ?? null;
    const database = this.#config.database?.() ?? null;
    const evaluated = this.#evaluateLab(now, maintenance);
    return {
      lab_name: this.#config.labName,
      now: new Date(now).toISOString(),
      state: unknownReason === null ? evaluated.state : 'unknown',
      description: unknownReason ?? (managers.length === 0 ? 'No managers are configured' : evaluated.summary),
      since: new Date(this.#lab.since).toISOString(),
      interval_seconds: this.#config.intervalSeconds,
      total_managers: managers.length,
      healthy_managers: healthy,
      managers,
      ...(activity === null ? {} : { activity: excludeMaintenance(activity, maintenance) }),
      ...(maintenance.length === 0 ? {} : { maintenance: [...maintenance] }),
      ...(planned.length === 0 ? {} : { planned_maintenance: [...planned] }),
      ...(safetyStop === null ? {} : { safety_stop: safetyStop }),
      ...(stopInEffect === null ? {} : { held_stop: stopInEffect }),
      ...(stopsRead === undefined ? {} : { stops_read: stopsRead }),
      ...(followed === null ? {} : { followed }),
      ...(this.#config.demo ? { demo: true as const } : {}),
      ...(standby === null ? {} : { standby }),
      ...(database === null ? {} : { database }),
    };
  }

  /** Restores the state from an earlier run of the service. */
  restore({ managers, lab }: RestoredLab): void {
    this.#previousRun = lab;
    for (const [key, restored] of managers) this.#managers.get(key)?.restore(restored);
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

  #syncManagers(): void {
    const intervalMs = this.#config.intervalSeconds * 1000;
    for (const key of managerKeys) {
      const url = this.#config.context[contextKey(key)];
      const current = this.#managers.get(key);
      if (current?.url === url) {
        current?.setInterval(intervalMs);
        continue;
      }
      current?.stop();
      this.#managers.delete(key);
      if (url === null) continue;
      const manager = new WatchedManager({
        manager: key,
        url,
        intervalMs,
        onChange: (changed) => this.#onCheckResult(changed),
        isCredible: () => this.#isAwake(),
        ...(this.#probe ? { probe: this.#probe } : {}),
      });
      this.#managers.set(key, manager);
      this.#everChecked = false;
      if (this.#running && !this.#isSuspended) manager.start();
    }
    this.#managers = new Map([...this.#managers].toSorted(compareOrder));
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

  #onCheckResult(manager: WatchedManager): void {
    this.#log.debug('checked', { manager: manager.manager, state: manager.state(clock.now()) });
    this.#update();
  }

  /** The lab's state and its description: managers in maintenance do not count. */
  #evaluateLab(
    now: number,
    maintenance: readonly Maintenance[],
  ): { readonly state: LabState; readonly summary: string } {
    const managers = [...this.#managers.values()];
    const states = outsideMaintenance(managers, maintenance).map((manager) => manager.state(now));
    const inMaintenance = managers.length - states.length;
    return {
      state: getLabState(states, this.#everChecked, inMaintenance),
      summary: healthSummary(states.filter(countsAsHealthy).length, states.length, inMaintenance),
    };
  }

  #timeZone({ manager }: WatchedManager): HostZone | null {
    return this.#config.timeZone?.(manager) ?? null;
  }

  #update(): void {
    const now = clock.now();
    const managers = [...this.#managers.values()];
    this.#everChecked ||= managers.length > 0 && managers.every((manager) => manager.checkedOnce);
    const { state } = this.#evaluateLab(now, this.#config.maintenance?.().current ?? []);
    if (state !== this.#lab.state) {
      this.#log.info(`The lab is ${state}`, { before: this.#lab.state });
      // The first state after a restart keeps its earlier start if it is unchanged.
      const since = this.#previousRun?.state === state ? this.#previousRun.since : now;
      this.#previousRun = null;
      this.#lab = { state, since };
    }
    for (const listener of this.#listeners) listener();
  }
}

/** Nodes in maintenance need no attention. */
function excludeMaintenance(activity: LabActivity, maintenance: readonly Maintenance[]): LabActivity {
  if (activity.nodes === null) return activity;
  const inNeed = activity.nodes.in_need.filter(({ name }) => findMaintenance(maintenance, 'node', name) === null);
  return { ...activity, nodes: { ...activity.nodes, in_need: inNeed } };
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
