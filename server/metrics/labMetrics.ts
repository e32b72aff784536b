/**
 * The lab's state as Prometheus metrics. Gauges are read from the watches at each scrape, which sends no request to a
 * manager; counters count since the start of the service. Labels are limited to the managers and to fixed states.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { listNeeds, needKinds } from '../../api/lab/needs.ts';
import { clock } from '../../api/time/clock.ts';
import type { ManagerKey } from '../../api/managers.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import { countsAsHealthy, labStates, managerStates, nodeStates, type ManagerState } from '../../api/states.ts';
import type { WorkcellReader } from '../readers/workcellReader.ts';
import { activeStates, type WorkflowEnd } from '../lab/activity.ts';
import type { LabModel } from '../lab/labModel.ts';

/** The buckets of step durations, in seconds: from the exposure of a camera to an overnight incubation. */
const stepBuckets = [1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200];

let processRegistry: Registry | null = null;

/** The metrics of Node and of this process, which exist once per process. */
function processMetrics(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export class LabMetrics {
  readonly #lab: LabModel;
  readonly #registry = new Registry();
  /** The functions that set the gauges and counters to the current values. */
  readonly #gaugeReads: ((lab: LabStatus) => void)[] = [];
  readonly #incidents: Counter<'manager'>;
  readonly #endedWorkflows: Counter<'state'>;
  readonly #stepSeconds: Histogram;
  readonly #safetyStops: Counter;
  readonly #notifications: Counter<'result'>;
  /** By the first digit of the status. */
  readonly #requestCounts = new Map<number, number>();
  #states = new Map<ManagerKey, ManagerState>();
  /** The ID of the last safety stop. */
  #lastStopId: string | null = null;
  readonly #startedAt = clock.now();
  #subscriptions: readonly (() => void)[] = [];

  constructor(lab: LabModel, workflows: Pick<WorkcellReader, 'counts'>, version: string) {
    this.#lab = lab;
    const registers = [this.#registry];
    this.#incidents = new Counter({
      name: 'labmanager_manager_incidents_total',
      help: 'Number of times that a healthy manager became unhealthy or unreachable',
      labelNames: ['manager'],
      registers,
    });
    this.#endedWorkflows = new Counter({
      name: 'labmanager_workflows_ended_total',
      help: 'Number of workflows that ended, by outcome',
      labelNames: ['state'],
      registers,
    });
    for (const state of ['completed', 'failed', 'cancelled']) this.#endedWorkflows.inc({ state }, 0);
    this.#stepSeconds = new Histogram({
      name: 'labmanager_step_duration_seconds',
      help: 'Duration of the steps of ended workflows, in seconds',
      buckets: stepBuckets,
      registers,
    });
    this.#safetyStops = new Counter({
      name: 'labmanager_safety_stops_total',
      help: 'Number of safety stops since the lab manager started',
      registers,
    });
    this.#notifications = new Counter({
      name: 'labmanager_notifications_total',
      help: 'Number of attempts to deliver a notification to a webhook or by e-mail, by result',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['sent', 'failed']) this.#notifications.inc({ result }, 0);
    const requests = new Counter({
      name: 'labmanager_http_requests_total',
      help: 'Number of HTTP requests to the lab manager, by class of the status code',
      labelNames: ['status'],
      registers,
    });
    // Set at each scrape: the library's own count costs more than a whole handler.
    this.#gaugeReads.push(() => {
      requests.reset();
      for (const [digit, count] of this.#requestCounts) requests.inc({ status: `${digit}xx` }, count);
    });
    this.#addManagerGauges(version);
    this.#addWorkcellGauges(workflows);
  }

  start(): void {
    this.#subscriptions = [
      this.#lab.status.subscribe((status) => this.#observe(status)),
      this.#lab.archive.subscribe((reading) => this.#countEnded(reading?.newlyEnded ?? [])),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
  }

  /** All metrics in the text format of Prometheus, version 0.0.4. */
  async text(): Promise<string> {
    const lab = this.#lab.currentStatus();
    for (const read of this.#gaugeReads) read(lab);
    return (await this.#registry.metrics()) + (await processMetrics().metrics());
  }

  #countEnded(ended: readonly WorkflowEnd[]): void {
    for (const { workflow, stepSeconds } of ended) {
      this.#endedWorkflows.inc({ state: workflow.state });
      for (const seconds of stepSeconds) this.#stepSeconds.observe(seconds);
    }
  }

  countDelivery(isOk: boolean): void {
    this.#notifications.inc({ result: isOk ? 'sent' : 'failed' });
  }

  countRequest(status: number): void {
    const digit = Math.floor(status / 100);
    this.#requestCounts.set(digit, (this.#requestCounts.get(digit) ?? 0) + 1);
  }

  /** Counts changes of the lab since the previous observation. */
  #observe({ managers, safety_stop: stop }: LabStatus): void {
    for (const { manager, state } of managers) {
      const before = this.#states.get(manager);
      if (state === 'unknown') continue;
      this.#states.set(manager, state);
      this.#incidents.inc(
        { manager },
        before !== undefined && countsAsHealthy(before) && !countsAsHealthy(state) ? 1 : 0,
      );
    }
    const at = stop?.at == null ? clock.now() : Date.parse(stop.at);
    const id = stop === undefined ? null : (stop.id ?? '');
    if (id !== null && id !== this.#lastStopId && at >= this.#startedAt) this.#safetyStops.inc();
    this.#lastStopId = id ?? this.#lastStopId;
  }

  #addManagerGauges(version: string): void {
    this.#gauge(
      'info',
      'Version of the lab manager, and whether the lab is simulated',
      ['version', 'demo'],
      (gauge, lab) => gauge.set({ version, demo: String(lab.demo ?? false) }, 1),
    );
    this.#gauge('active', 'Whether this server is the active one: 0 on standby', [], (gauge, lab) =>
      gauge.set(gaugeValue(lab.standby === undefined)),
    );
    this.#gauge('lab_state', 'State of the lab: 1 for the current state', ['state'], (gauge, lab) => {
      for (const state of labStates) gauge.set({ state }, gaugeValue(state === lab.state));
    });
    this.#gauge(
      'manager_up',
      'Whether the manager is healthy; missing while that is unknown',
      ['manager'],
      (gauge, lab) => {
        for (const { manager, state } of lab.managers)
          if (state !== 'unknown') gauge.set({ manager }, gaugeValue(countsAsHealthy(state)));
      },
    );
    this.#gauge(
      'manager_state',
      'State of each manager: 1 for the current state',
      ['manager', 'state'],
      (gauge, lab) => {
        for (const { manager, state: current } of lab.managers)
          for (const state of managerStates) gauge.set({ manager, state }, gaugeValue(state === current));
      },
    );
    this.#gauge('manager_latency_seconds', 'Response time of the last health check', ['manager'], (gauge, lab) => {
      for (const { manager, latency_ms: ms } of lab.managers) if (ms !== null) gauge.set({ manager }, ms / 1000);
    });
    this.#gauge('manager_in_maintenance', 'Whether the manager is in maintenance', ['manager'], (gauge, lab) => {
      const isIn = (manager: ManagerKey) =>
        (lab.maintenance ?? []).some(({ kind, id }) => kind === 'lab' || (kind === 'manager' && id === manager));
      for (const { manager } of lab.managers) gauge.set({ manager }, gaugeValue(isIn(manager)));
    });
  }

  #addWorkcellGauges(workflows: Pick<WorkcellReader, 'counts'>): void {
    this.#gauge(
      'problems',
      'Number of items that need a person, as the dashboard lists them',
      ['kind'],
      (gauge, lab) => {
        const needs = listNeeds(lab);
        for (const kind of needKinds) gauge.set({ kind }, needs.filter((need) => need.kind === kind).length);
      },
    );
    this.#gauge(
      'nodes',
      'Number of nodes by state; missing while the workcell manager does not respond',
      ['state'],
      (gauge) => {
        const { nodes, isRecent } = this.#lab.nodeSnapshot();
        if (!isRecent) return;
        for (const state of nodeStates) gauge.set({ state }, nodes.filter((node) => node.state === state).length);
      },
    );
    this.#gauge(
      'workflows_active',
      'Number of active workflows by state; missing at the first scrape and while the workcell manager does not respond',
      ['state'],
      (gauge) => {
        const counts = workflows.counts();
        if (counts !== null) for (const state of activeStates) gauge.set({ state }, counts[state]);
      },
    );
    this.#gauge(
      'safety_stop_active',
      'Whether a safety stop is in force; missing while that is unknown',
      [],
      (gauge, lab) => {
        const isStopped = lab.safety_stop !== undefined || lab.acknowledged_stop !== undefined;
        if (isStopped || lab.stops_read === true) gauge.set(gaugeValue(isStopped));
      },
    );
  }

  /** Adds a gauge whose values `read` sets at each scrape; without a value it is missing. */
  #gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: (gauge: Gauge<Label>, lab: LabStatus) => void,
  ): void {
    const gauge = new Gauge<Label>({
      name: `labmanager_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.#registry],
    });
    this.#gaugeReads.push((lab) => {
      gauge.reset();
      // A reset sets a gauge without labels to 0.
      if (labelNames.length === 0) gauge.remove();
      read(gauge, lab);
    });
  }
}

/** The value of a gauge for a boolean. */
function gaugeValue(isTrue: boolean): number {
  return isTrue ? 1 : 0;
}
