/**
 * The state of the lab: one signal for each slice, which one reader writes, and what is derived from them. Consumers
 * subscribe to the derived values; `currentStatus` evaluates them again for the current time.
 */
import { computed, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals-core';
import { clock } from '../../api/time/clock.ts';
import type { DatabaseStatus, LabStatus } from '../../api/lab/lab.ts';
import type { MaintenanceWindows } from '../../api/lab/maintenance.ts';
import { contextKey, type ManagerKey } from '../../api/managers.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { FlagReading } from '../../api/safetyStop/labStop.ts';
import type { HostClock, HostZone } from '../../api/time/time.ts';
import { noMaintenance, type MaintenanceState } from '../maintenance/entries.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import {
  nodeSnapshot,
  readFlags,
  workflowCounts,
  type ArchiveReading,
  type LossReading,
  type Moment,
  type NodesReading,
  type NodesResponse,
  type NodeSnapshot,
  type WorkcellReadings,
  type WorkflowCounts,
  type WorkflowsReading,
} from './activity.ts';
import {
  deriveLabStatus,
  evaluateLab,
  maintenanceWindows,
  type FollowedState,
  type LabSlices,
  type LabStateSince,
  type StopLogReading,
  type StopsState,
} from './labStatus.ts';
import type { KnownNodes } from './knownNodes.ts';
import { managerState, type LabChecks } from './managerCheck.ts';
import { managerZone, type MeasuredZones, type Submissions } from './zones.ts';

const tickMs = 2000;
const noStops: StopsState = { current: null, acknowledged: null };

export class LabModel {
  /** Whether the lab is simulated. */
  readonly isDemo: boolean;
  /** The settings in effect, with the addresses of a followed lab manager. Writer: `LabManager`. */
  readonly settings: Signal<LabSettings>;
  /** Writer: `LabManager`. */
  readonly followed: Signal<FollowedState | null>;
  /** Writer: `Watch`. */
  readonly checks: Signal<LabChecks> = signal({ managers: [], everChecked: false });
  /** Writer: `WorkcellReader`, also of the next four. */
  readonly nodes: Signal<NodesReading | null> = signal(null);
  readonly nodesResponse: Signal<NodesResponse | null> = signal(null);
  readonly archive: Signal<ArchiveReading | null> = signal(null);
  readonly workflows: Signal<WorkflowsReading | null> = signal(null);
  readonly submissions: Signal<(Submissions & { readonly workcell: string }) | null> = signal(null);
  /** Writer: `LossReader`. */
  readonly loss: Signal<LossReading | null> = signal(null);
  /** Writer: `ManagerZones`. */
  readonly zones: Signal<MeasuredZones> = signal(new Map());
  /** Writer: `SafetyStopWatch`. */
  readonly stopLog: Signal<StopLogReading | null> = signal(null);
  /** Writer: `StopStore`, from the event log, the nodes and the operation of this service. */
  readonly stops: Signal<StopsState> = signal(noStops);
  /** The nodes that a safety stop knows, also from an earlier run of the service. Writer: `StopStore`. */
  readonly stopNodes: Signal<KnownNodes | null> = signal(null);
  /** Writer: `MaintenanceList`. */
  readonly maintenance: Signal<MaintenanceState> = signal(noMaintenance);
  /** Why this server is on standby; `null` while it is active. Writer: `ServerRole`. */
  readonly standby: Signal<string | null> = signal(null);
  /** Writer: `LabWatches`. */
  readonly database: Signal<DatabaseStatus | null> = signal(null);
  /** The time in ms since the epoch at which values that change only by the time were derived last. */
  readonly tick: Signal<number> = signal(clock.now());
  #timer: NodeJS.Timeout | null = null;
  #state: LabStateSince = { state: 'starting', since: clock.now() };
  /** The lab's last state in an earlier run of the service, until the first change of this one. */
  #previousRun: LabStateSince | null = null;

  /** The current and the planned maintenance windows. */
  readonly windows: ReadonlySignal<MaintenanceWindows> = stable(() =>
    maintenanceWindows({ maintenance: this.maintenance.value, followed: this.followed.value }, this.tick.value),
  );
  readonly #stops = stable(() => this.stops.value);
  readonly #database = stable(() => this.database.value);
  /** The lab's state since its last change. */
  readonly state: ReadonlySignal<LabStateSince> = computed(() => {
    const { state } = evaluateLab(this.checks.value, this.windows.value.current, clock.now());
    if (state !== this.#state.state) {
      // The first state after a restart keeps its earlier start if it is unchanged.
      const since = this.#previousRun?.state === state ? this.#previousRun.since : clock.now();
      this.#previousRun = null;
      this.#state = { state, since };
    }
    return this.#state;
  });
  /** The status of the lab, derived again after each change of a slice, and when a maintenance window begins or ends. */
  readonly status: ReadonlySignal<LabStatus> = computed(() => {
    void this.windows.value;
    return deriveLabStatus(this.#slices(), this.state.value.since, currentMoment());
  });

  constructor(settings: LabSettings, followed: FollowedState | null, isDemo: boolean) {
    this.settings = signal(settings);
    this.followed = signal(followed);
    this.isDemo = isDemo;
  }

  start(): void {
    this.#timer = clock.setInterval(() => (this.tick.value = clock.now()), tickMs);
  }

  stop(): void {
    clock.clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The status now: unlike `status`, it shows at once that a reading is outdated. */
  currentStatus(): LabStatus {
    return untracked(() => deriveLabStatus(this.#slices(), this.state.value.since, currentMoment()));
  }

  /** Restores the state from an earlier run of the service. */
  restore(state: LabStateSince | null): void {
    this.#previousRun = state;
  }

  /** Address of a manager, `null` if the lab has none. */
  address(manager: ManagerKey): string | null {
    return this.settings.value.context[contextKey(manager)];
  }

  /** Whether the manager responded to its last check. */
  isReachable(manager: ManagerKey): boolean {
    const check = this.checks.value.managers.find((candidate) => candidate.manager === manager);
    const state = check === undefined ? 'unknown' : managerState(check, clock.now());
    return state !== 'unknown' && state !== 'unreachable';
  }

  /** The check interval of a manager in ms, the minimum for every poll. */
  get intervalMs(): number {
    return this.settings.value.watchInterval * 1000;
  }

  /** The time zone of a manager's host; `null` while it is unknown. */
  zone(manager: ManagerKey): HostZone | null {
    return managerZone(this.settings.value, this.zones.value, manager);
  }

  /** The clock of a manager's host; `null` while its time zone is unknown. */
  hostClock(manager: ManagerKey): HostClock | null {
    const zone = this.zone(manager);
    const check = this.checks.value.managers.find((candidate) => candidate.manager === manager);
    return zone === null || check === undefined ? null : { zone, aheadMs: (check.aheadSeconds ?? 0) * 1000 };
  }

  /** The readings of the current workcell manager. */
  get workcell(): WorkcellReadings {
    const address = this.address('workcell');
    const ifCurrent = <Reading extends { readonly workcell: string }>(reading: Reading | null) =>
      reading?.workcell === address ? reading : null;
    return {
      nodes: ifCurrent(this.nodes.value),
      archive: ifCurrent(this.archive.value),
      workflows: ifCurrent(this.workflows.value),
      loss: ifCurrent(this.loss.value),
    };
  }

  /** All nodes as last read, and whether that reading is recent. */
  nodeSnapshot(): NodeSnapshot {
    return nodeSnapshot(this.workcell, currentMoment());
  }

  /** The nodes of the current workcell manager that a safety stop knows; `null` without any. */
  get knownNodes(): KnownNodes | null {
    const nodes = this.stopNodes.value;
    return nodes?.workcell === this.address('workcell') ? nodes : null;
  }

  /** The records of the current event manager; `null` before its first response. */
  get currentStopLog(): StopLogReading | null {
    const reading = this.stopLog.value;
    return reading?.manager === this.address('event') ? reading : null;
  }

  /** The flags of all nodes as last read; `null` if that reading is not recent. */
  flags(): FlagReading | null {
    return readFlags(this.workcell.nodes, currentMoment());
  }

  /** The counts of active workflows as last read; `null` while they are unknown. */
  workflowCounts(): WorkflowCounts | null {
    return workflowCounts(this.workcell, currentMoment());
  }

  #slices(): LabSlices {
    return {
      ...this.workcell,
      isDemo: this.isDemo,
      settings: this.settings.value,
      followed: this.followed.value,
      checks: this.checks.value,
      zones: this.zones.value,
      stops: this.#stops.value,
      isStopLogRead: this.currentStopLog !== null,
      maintenance: this.maintenance.value,
      standby: this.standby.value,
      database: this.#database.value,
    };
  }
}

/** A derived value that keeps its identity while its content is the same, so that no subscriber is called. */
function stable<Value>(derive: () => Value): ReadonlySignal<Value> {
  let last: { readonly value: Value } | null = null;
  return computed(() => {
    const value = derive();
    if (last === null || !sameJson(last.value, value)) last = { value };
    return last.value;
  });
}

function currentMoment(): Moment {
  return { now: clock.now(), monotonic: clock.monotonic() };
}
