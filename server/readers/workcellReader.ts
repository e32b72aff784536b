/**
 * Reads nodes, archived and active workflows from the workcell manager for all parts of the service, with at most eight
 * requests a minute in a lab without metrics. It only reads.
 */
import { batch } from '@preact/signals-core';
import { clock } from '../../api/time/clock.ts';
import type { NodeActivity } from '../../api/lab/lab.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { NodeFlag, NodeState } from '../../api/states.ts';
import { listRunningSteps } from '../../api/managers/workflowStep.ts';
import { hostTime } from '../../api/time/time.ts';
import type { WorkflowCounts, WorkflowEnd } from '../lab/activity.ts';
import { nodesRequest, readKnownNodes } from '../lab/knownNodes.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { Log } from '../logging/log.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import { tooLongReason, type requestJson } from '../net/requestJson.ts';
import type { Submissions } from '../lab/zones.ts';
import { LossReader } from './lossReader.ts';
import { ManagerReader } from './managerReader.ts';
import { readArchived, readEnded, readLongestRuns, readNodes, toSubmission, type StateStart } from './readActivity.ts';
import { summarizeActive, type ActiveSummary } from './readActiveWorkflows.ts';

/** Polling interval of the archived workflows, in ms. */
const archiveIntervalMs = 20_000;
/** Polling interval of the active workflows while their counts are requested or the time zone is unknown, in ms. */
const activeIntervalMs = 15_000;
/** Otherwise: the response contains every active workflow with all its steps. */
const idleIntervalMs = 60_000;
/** Frequent polling stops after this time without a request for the counts, in ms; a monitoring server scrapes at least every minute. */
const idleTimeoutMs = 150_000;
/** Interval of the checks whether the manager responds, in ms. */
const healthCheckMs = 1000;
/** The size of 500 active workflows of 300 steps, in bytes. */
const maxActiveBytes = 64 * 1024 * 1024;
/** The workcell manager reads its nodes every 2 s: its state of a node is older than one read from the node before, in ms. */
const ownReadingMs = 2500;
/**
 * The numbers of newest workflows to request: the next one is used if a response is too large. The manager sorts by
 * submission time, and a long workflow ends after many that were submitted later.
 */
const requestedCounts = [50, 10, 3] as const;
/**
 * A workflow that ended this long before the latest known end is not new, in ms: when an archived workflow is retried,
 * older ones move into the requested list. The margin exceeds the hour of a daylight saving change.
 */
const clockChangeMs = 65 * 60_000;
/** The maximum accepted distance of an end time in the future, in ms: the manager's clock may be some minutes ahead. */
const maxAheadMs = 600_000;
const maxEndedWorkflows = 20;
const maxKnownIds = 2000;

export interface WorkcellReaderOptions {
  /** Since when a node was in a state before the service was restarted. */
  readonly stateSinceBeforeRestart?: StateStart;
  readonly log: Log;
  readonly request?: typeof requestJson;
}

export class WorkcellReader {
  readonly #lab: LabModel;
  readonly #options: WorkcellReaderOptions;
  readonly #readers: readonly ManagerReader[];
  readonly #loss: LossReader;
  /** When nodes themselves were last read, by the monotonic clock. */
  readonly #ownReadings = new Map<string, number>();
  /** Address of the manager that the following fields belong to. */
  #archiveUrl: string | null = null;
  /** IDs of the archive when it was first read: workflows that ended before trigger no notification. */
  #knownIds: Set<string> | null = null;
  /** The latest end time read, in ms since the epoch. */
  #latestEndMs: number | null = null;
  /** Index in `requestedCounts`. */
  #countIndex = 0;
  #warnedTooLarge = false;
  /** Time of the last request for the counts, by the monotonic clock. */
  #countsUsedAt = Number.NEGATIVE_INFINITY;
  #startedAt = 0;

  constructor(lab: LabModel, options: WorkcellReaderOptions) {
    this.#lab = lab;
    this.#options = options;
    const { log, request } = options;
    this.#loss = new LossReader(lab, log, request);
    const address = () => lab.address('workcell');
    const archiveRequest = () => ({
      path: `workflows/archived?number=${requestedCounts[this.#countIndex]}`,
      intervalMs: archiveIntervalMs,
      minIntervalMs: lab.intervalMs,
    });
    const activeRequest = () => ({
      path: 'workflows/active',
      maxBytes: maxActiveBytes,
      reduce: summarizeActive,
      intervalMs: activeIntervalMs,
      minIntervalMs: lab.intervalMs,
    });
    this.#readers = [
      // A safety stop needs the nodes, so neither the health checks nor their interval apply to them.
      new ManagerReader({
        address,
        next: () => nodesRequest,
        onResult: (result, workcell) =>
          result.ok ? this.#readNodes(result.body, workcell) : this.#fail(result.reason),
        request,
      }),
      new ManagerReader({
        address,
        next: () => (this.#isHealthChecked ? archiveRequest() : healthCheckMs),
        onResult: (result, workcell) => {
          if (result.ok) return this.#readArchive(result.body, workcell);
          if (result.reason === tooLongReason) this.#reduceCount();
          return this.#fail(result.reason);
        },
        request,
      }),
      new ManagerReader({
        address,
        next: () =>
          this.#isActiveDue ? activeRequest() : lab.zone('workcell') === null ? healthCheckMs : lab.intervalMs,
        onResult: (result, workcell) =>
          result.ok ? this.#readActive(result.body, workcell) : this.#fail(result.reason),
        request,
      }),
    ];
  }

  start(): void {
    this.#startedAt = clock.monotonic();
    for (const reader of this.#readers) reader.startIn(0);
    this.#loss.start();
  }

  stop(): void {
    for (const reader of this.#readers) reader.stop();
    this.#loss.stop();
  }

  /** The counts of active workflows as last read, which are read more often from now on; `null` while they are unknown. */
  counts(): WorkflowCounts | null {
    this.#countsUsedAt = clock.monotonic();
    return this.#lab.workflowCounts();
  }

  /** Whether the manager responded to a check, or the time of the first checks is over. */
  get #isHealthChecked(): boolean {
    return this.#lab.isReachable('workcell') || clock.monotonic() - this.#startedAt >= this.#lab.intervalMs;
  }

  get #isActiveDue(): boolean {
    const now = clock.monotonic();
    // Without archived workflows, only the active ones show the time zone.
    const isZoneUnknown = this.#lab.zone('workcell') === null && this.#lab.isReachable('workcell');
    if (isZoneUnknown || now - this.#countsUsedAt < idleTimeoutMs) return true;
    return now - (this.#lab.workcell.workflows?.at ?? this.#startedAt) >= idleIntervalMs;
  }

  /** Applies a state that was read from the node itself. */
  applyState(name: string, { state, flags }: { readonly state: NodeState; readonly flags: NodeFlag[] }): void {
    const reading = this.#lab.workcell.nodes;
    const node = reading?.nodes.get(name);
    if (reading === null || node === undefined) return;
    this.#ownReadings.set(name, clock.monotonic());
    if (state === node.state && sameJson(flags, node.flags ?? [])) return;
    const { flags: _flags, ...rest } = node;
    const since = state === node.state ? node.since : new Date(clock.now()).toISOString();
    const next = { ...rest, state, since, reason: null, ...(flags.length > 0 && { flags }) };
    this.#lab.nodes.value = { ...reading, nodes: new Map(reading.nodes).set(name, next) };
  }

  #fail(reason: string): false {
    this.#options.log.debug('The workcell manager could not be read', { reason });
    return false;
  }

  #reduceCount(): void {
    if (this.#countIndex < requestedCounts.length - 1) this.#countIndex += 1;
    else if (!this.#warnedTooLarge) {
      this.#warnedTooLarge = true;
      this.#options.log.warn(
        `The workcell manager's list of archived workflows is too long to read: there are no notifications of workflows that end`,
      );
    }
  }

  #readNodes(body: JsonObject, workcell: string): boolean {
    const before = this.#lab.workcell.nodes?.nodes ?? new Map<string, NodeActivity>();
    const now = new Date(clock.now()).toISOString();
    const nodes = readNodes(body, before, now, this.#options.stateSinceBeforeRestart);
    const at = clock.monotonic();
    const isReadByItself = (name: string) => at - (this.#ownReadings.get(name) ?? -Infinity) < ownReadingMs;
    batch(() => {
      this.#lab.nodesResponse.value = { workcell, known: readKnownNodes(workcell, body) };
      if (nodes === null) return;
      const merged = [...nodes].map(
        ([name, node]) => [name, isReadByItself(name) ? (before.get(name) ?? node) : node] as const,
      );
      this.#lab.nodes.value = { workcell, nodes: new Map(merged), at };
    });
    return nodes !== null;
  }

  #readArchive(body: JsonObject, workcell: string): boolean {
    if (workcell !== this.#archiveUrl) {
      this.#archiveUrl = workcell;
      this.#knownIds = null;
      this.#latestEndMs = null;
    }
    const archived = readArchived(body);
    this.#setSubmissions(workcell, { archived: archived.map(toSubmission) });
    const ended = readEnded(archived, new Date(clock.now()).toISOString(), this.#lab.zone('workcell'));
    const newlyEnded = this.#selectNew(ended);
    this.#lab.archive.value = {
      workcell,
      longestRuns: readLongestRuns(archived),
      ended: [...newlyEnded.map(({ workflow }) => workflow), ...(this.#lab.workcell.archive?.ended ?? [])].slice(
        0,
        maxEndedWorkflows,
      ),
      newlyEnded,
    };
    return true;
  }

  #readActive(body: JsonObject, workcell: string): boolean {
    const { workflows, submissions, ...summary } = body as unknown as ActiveSummary;
    this.#setSubmissions(workcell, { active: submissions });
    const host = this.#lab.hostClock('workcell');
    const running = host === null ? null : listRunningSteps(workflows, (stamp) => hostTime(stamp, host));
    const reading = { ...summary, workcell, running, at: clock.monotonic() };
    this.#loss.compare(this.#lab.workcell.workflows, reading);
    this.#lab.workflows.value = reading;
    return true;
  }

  #setSubmissions(workcell: string, read: Partial<Submissions>): void {
    const last = this.#lab.submissions.value;
    const earlier = last?.workcell === workcell ? last : { archived: [], active: [] };
    this.#lab.submissions.value = { ...earlier, ...read, workcell };
  }

  /** The workflows that ended since the previous reading. */
  #selectNew(ended: readonly WorkflowEnd[]): readonly WorkflowEnd[] {
    const knownIds = this.#knownIds ?? new Set(ended.map(({ key }) => key));
    const latestEndMs = this.#latestEndMs;
    const isOld = ({ endedAt }: WorkflowEnd) =>
      endedAt !== null && latestEndMs !== null && endedAt < latestEndMs - clockChangeMs;
    const newlyEnded = ended.filter((workflow) => !knownIds.has(workflow.key) && !isOld(workflow));
    this.#knownIds = new Set([...knownIds, ...ended.map(({ key }) => key)].slice(-maxKnownIds));
    // Without this filter, one end time in 2099 would make all later workflows count as old.
    const plausible = ended.filter(({ endedAt }) => endedAt !== null && endedAt <= clock.now() + maxAheadMs);
    this.#latestEndMs = plausible.reduce((latest, { endedAt }) => Math.max(latest ?? 0, endedAt ?? 0), latestEndMs);
    return newlyEnded;
  }
}
