/**
 * The one watch over the lab: asks each manager every few seconds and publishes each answer as it arrives. Tray,
 * notifications, `/lab_health/history` and the dashboard read its state; reading never asks anybody.
 */
import { contextKey, healthKey, managerKeys, type ManagerKey } from '../../api/managers.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import type { FollowedLab, LabActivity, LabContext, LabHealth, LabStatus, Maintenance } from '../../api/lab/lab.ts';
import { maintenanceOf, outsideMaintenance } from '../../api/lab/maintenance.ts';
import type { HostZone } from '../../api/time/time.ts';
import { countsAsHealthy, type LabState } from '../../api/states.ts';
import { silentLog, type Log } from '../logging/log.ts';
import { healthSummary, isLabHealthy, labStateOf } from './labState.ts';
import type { probe } from './probe.ts';
import { LabHealthBatcher } from './labHealthBatcher.ts';
import type { Verdict } from './verdict.ts';
import type { MinuteLatency } from './latencies.ts';
import { WatchedManager, type RestoredManager } from './watchedManager.ts';

export interface WatchConfig {
  readonly context: LabContext;
  readonly labName: string | null;
  readonly intervalSeconds: number;
  /** The lab is a simulated one. */
  readonly demo?: boolean;
  /** What the lab does, as far as somebody watches it; `null` where it has no workcell manager. */
  readonly activity?: () => LabActivity | null;
  /** What is held now. */
  readonly maintenance?: () => readonly Maintenance[];
  /** The safety stop that is neither released nor acknowledged. */
  readonly safetyStop?: () => LabStop | null;
  /** As `LabStatus.held_stop`. */
  readonly stopInEffect?: () => LabStop | null;
  /** As `LabStatus.stops_read`. */
  readonly stopsRead?: () => boolean;
  /** The time zone of a manager's host; `null` while it is unknown. */
  readonly timeZone?: (manager: ManagerKey) => HostZone | null;
  /** Why nothing certain can be said of the lab now, whatever the managers answer; `null` when it can. */
  readonly unknownReason?: () => string | null;
  /** The lab manager whose lab it is; `null` where that is this service. */
  readonly followed?: () => FollowedLab | null;
}

/** A lab as an earlier run of the service observed it last. */
export interface RestoredLab {
  readonly managers: ReadonlyMap<ManagerKey, RestoredManager>;
  /** `since` in ms since the epoch. */
  readonly lab: { readonly state: LabState; readonly since: number } | null;
}

/** The wall clock ran this much ahead of the steady one: the machine slept. */
const sleepMs = 10_000;

export class Watch {
  #config: WatchConfig;
  #managers = new Map<ManagerKey, WatchedManager>();
  #running = false;
  #suspended = false;
  #lab: { state: LabState; since: number } = { state: 'starting', since: Date.now() };
  /** The lab's state as an earlier run of the service saw it last. */
  #earlier: RestoredLab['lab'] = null;
  #everChecked = false;
  #clockOffset = Date.now() - performance.now();
  readonly #listeners = new Set<() => void>();
  readonly #log: Log;
  readonly #probe: typeof probe | undefined;
  readonly #batcher = new LabHealthBatcher((signal) => this.#round(signal));

  constructor(config: WatchConfig, options: { readonly log?: Log; readonly probe?: typeof probe } = {}) {
    this.#config = config;
    this.#log = options.log ?? silentLog;
    this.#probe = options.probe;
    this.#syncManagers();
  }

  /** Address of a manager, `null` where the lab has none. */
  addressOf(manager: ManagerKey): string | null {
    return this.#config.context[contextKey(manager)];
  }

  /** Whether the manager answered when it was checked last. */
  isReachable(manager: ManagerKey): boolean {
    const state = this.#managers.get(manager)?.state(Date.now()) ?? 'unknown';
    return state !== 'unknown' && state !== 'unreachable';
  }

  /** Calls `listener` after each answer; the result ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something else of its status changed. */
  notify(): void {
    this.#update();
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    for (const m of this.#managers.values()) m.start();
    this.#update();
  }

  stop(): void {
    this.#running = false;
    this.#batcher.stop();
    for (const m of this.#managers.values()) m.stop();
  }

  /** New settings: managers that stay keep their history. */
  configure(config: WatchConfig): void {
    this.#config = config;
    this.#syncManagers();
    this.#update();
  }

  /** Asks every manager now. */
  checkNow(): void {
    for (const m of this.#managers.values()) m.checkNow();
  }

  /** The machine goes to sleep: stop asking, answers under way don't count. */
  suspend(): void {
    this.#suspended = true;
    for (const m of this.#managers.values()) {
      m.invalidate();
      m.stop();
    }
    this.#update();
  }

  /** The machine woke up: nothing seen before is believed, everybody is asked at once. */
  resume(): void {
    this.#suspended = false;
    this.#clockOffset = Date.now() - performance.now();
    for (const m of this.#managers.values()) {
      m.invalidate();
      if (this.#running) m.start();
    }
    this.#update();
  }

  /** The lab now. */
  status(): LabStatus {
    const now = Date.now();
    const managers = [...this.#managers.values()].map((m) => m.status(now, this.#timeZone(m)));
    const healthy = managers.filter((m) => countsAsHealthy(m.state)).length;
    const unknownReason = this.#config.unknownReason?.() ?? null;
    const activity = this.#config.activity?.() ?? null;
    const maintenance = this.#config.maintenance?.() ?? [];
    const safetyStop = this.#config.safetyStop?.() ?? null;
    const stopInEffect = this.#config.stopInEffect?.() ?? null;
    const stopsRead = this.#config.stopsRead?.();
    const followed = this.#config.followed?.() ?? null;
    const known = this.#known(now, maintenance);
    return {
      lab_name: this.#config.labName,
      now: new Date(now).toISOString(),
      state: unknownReason === null ? known.state : 'unknown',
      description: unknownReason ?? (managers.length === 0 ? 'No managers are configured' : known.summary),
      since: new Date(this.#lab.since).toISOString(),
      interval_seconds: this.#config.intervalSeconds,
      total_managers: managers.length,
      healthy_managers: healthy,
      managers,
      ...(activity === null ? {} : { activity: withoutMaintenance(activity, maintenance) }),
      ...(maintenance.length === 0 ? {} : { maintenance: [...maintenance] }),
      ...(safetyStop === null ? {} : { safety_stop: safetyStop }),
      ...(stopInEffect === null ? {} : { held_stop: stopInEffect }),
      ...(stopsRead === undefined ? {} : { stops_read: stopsRead }),
      ...(followed === null ? {} : { followed }),
      ...(this.#config.demo ? { demo: true as const } : {}),
    };
  }

  /** Takes in what an earlier run of the service saw. */
  restore({ managers, lab }: RestoredLab): void {
    this.#earlier = lab;
    for (const [key, ofManager] of managers) this.#managers.get(key)?.restore(ofManager);
  }

  /** How long a manager took to answer, by the start of each minute of the last two hours. */
  latencies(manager: ManagerKey): ReadonlyMap<number, MinuteLatency> {
    return this.#managers.get(manager)?.latencies.byMinute() ?? new Map();
  }

  /**
   * The body of `/lab_health`: fresh answers of all managers, asked at the same time within the bounds of `LabHealthBatcher`.
   * @returns `null` when `signal` aborted or the watch stopped first
   */
  labHealth(signal: AbortSignal, version: string): Promise<LabHealth | null> {
    return this.#batcher.next(signal).then((verdicts) => verdicts && labHealthBody(verdicts, version));
  }

  async #round(signal: AbortSignal): Promise<Map<ManagerKey, Verdict>> {
    const answers = await Promise.all(
      [...this.#managers.keys()].map(async (key) => [key, await this.#verdictOf(key, signal)] as const),
    );
    return new Map(answers.flatMap(([key, verdict]) => (verdict ? [[key, verdict]] : [])));
  }

  /** Asked again where a sleep or a new address ended the question; `null` when the manager was switched off. */
  async #verdictOf(key: ManagerKey, signal: AbortSignal): Promise<Verdict | null> {
    for (let m = this.#managers.get(key); m !== undefined && !signal.aborted; m = this.#managers.get(key)) {
      const verdict = await m.checker.check(signal);
      if (verdict) return verdict;
    }
    return null;
  }

  #syncManagers(): void {
    const intervalMs = this.#config.intervalSeconds * 1000;
    for (const key of managerKeys) {
      const url = this.#config.context[contextKey(key)];
      const present = this.#managers.get(key);
      if (present?.url === url) {
        present?.setInterval(intervalMs);
        continue;
      }
      present?.stop();
      this.#managers.delete(key);
      if (url === null) continue;
      const manager = new WatchedManager({
        manager: key,
        url,
        intervalMs,
        onChange: (m) => this.#onCheckResult(m),
        isCredible: () => this.#isAwake(),
        ...(this.#probe ? { probe: this.#probe } : {}),
      });
      this.#managers.set(key, manager);
      this.#everChecked = false;
      if (this.#running && !this.#suspended) manager.start();
    }
    this.#managers = new Map([...this.#managers].toSorted(byOrder));
  }

  /** Whether the machine didn't sleep since the last answer; if it did, that answer says nothing and all are asked again. */
  #isAwake(): boolean {
    const offset = Date.now() - performance.now();
    if (Math.abs(offset - this.#clockOffset) <= sleepMs) {
      this.#clockOffset = offset;
      return true;
    }
    this.#log.info('The clock jumped, so the machine slept: asking all managers again');
    this.resume();
    return false;
  }

  #onCheckResult(manager: WatchedManager): void {
    this.#log.debug('checked', { manager: manager.manager, state: manager.state(Date.now()) });
    this.#update();
  }

  /** The lab's state, and what is said of it: managers in maintenance don't count. */
  #known(now: number, maintenance: readonly Maintenance[]): { readonly state: LabState; readonly summary: string } {
    const managers = [...this.#managers.values()];
    const counted = outsideMaintenance(managers, maintenance).map((m) => m.state(now));
    const left = managers.length - counted.length;
    return {
      state: labStateOf(counted, this.#everChecked, left),
      summary: healthSummary(counted.filter(countsAsHealthy).length, counted.length, left),
    };
  }

  #timeZone({ manager }: WatchedManager): HostZone | null {
    return this.#config.timeZone?.(manager) ?? null;
  }

  #update(): void {
    const now = Date.now();
    const managers = [...this.#managers.values()];
    this.#everChecked ||= managers.length > 0 && managers.every((m) => m.checkedOnce);
    const { state } = this.#known(now, this.#config.maintenance?.() ?? []);
    if (state !== this.#lab.state) {
      this.#log.info(`The lab is ${state}`, { before: this.#lab.state });
      // The first state after a restart began before it where it is still the same.
      const since = this.#earlier?.state === state ? this.#earlier.since : now;
      this.#earlier = null;
      this.#lab = { state, since };
    }
    for (const listener of this.#listeners) listener();
  }
}

/** A node that somebody works on is in no need of another person. */
function withoutMaintenance(activity: LabActivity, maintenance: readonly Maintenance[]): LabActivity {
  if (activity.nodes === null) return activity;
  const inNeed = activity.nodes.in_need.filter(({ name }) => maintenanceOf(maintenance, 'node', name) === null);
  return { ...activity, nodes: { ...activity.nodes, in_need: inNeed } };
}

function byOrder(a: readonly [ManagerKey, unknown], b: readonly [ManagerKey, unknown]): number {
  return managerKeys.indexOf(a[0]) - managerKeys.indexOf(b[0]);
}

/** Counts, rule and description, as `/lab_health` has them. */
function labHealthBody(verdicts: ReadonlyMap<ManagerKey, Verdict>, version: string): LabHealth {
  const total = verdicts.size;
  const healthy = [...verdicts.values()].filter((v) => v.entry.healthy).length;
  return {
    healthy: isLabHealthy(healthy, total),
    description: healthSummary(healthy, total),
    version,
    managers: Object.fromEntries([...verdicts].map(([key, v]) => [healthKey(key), v.entry])),
    total_managers: total,
    healthy_managers: healthy,
  };
}
