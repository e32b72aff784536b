/**
 * Reads nodes and workflows for all parts of the service, with at most seven requests a minute to the workcell manager.
 * It only reads.
 */
import { clock } from '../../api/time/clock.ts';
import type { EndedWorkflow, LabActivity, NodeActivity } from '../../api/lab/lab.ts';
import type { FlagReading } from '../../api/safetyStop/labStop.ts';
import { needsAttention } from '../../api/managers/nodeState.ts';
import type { RunningStep } from '../../api/managers/workflowStep.ts';
import type { HostZone } from '../../api/time/time.ts';
import type { NodeFlag, NodeState } from '../../api/states.ts';
import { tooLongReason, type requestJson } from '../net/requestJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { nodesRequest } from './knownNodes.ts';
import { ManagerReader } from './managerReader.ts';
import {
  listOverdueSteps,
  readArchived,
  readEnded,
  readLongestRuns,
  readNodes,
  type WorkflowEnd,
} from './readActivity.ts';
import { stringifyExactJson } from '../../api/exactJson.ts';
import { sameJson } from '../../api/sameJson.ts';

/**
 * Polling interval of the archived workflows, in ms. Nodes and workflows cause four and three requests a minute, the
 * running steps (`activeWorkflows.ts`) one; an app attached to a service sends four more, for its safety stop.
 */
const workflowsIntervalMs = 20_000;
/** The workcell manager reads its nodes every 2 s: its state of a node is older than one read from the node before, in ms. */
const ownReadingMs = 2500;
/** Nodes read longer ago than this are unknown, in ms. */
const staleMs = 45_000;
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

/** @param workcell address of the responding manager */
export type NodesListener = (workcell: string, body: JsonObject) => void;

export interface ActivityOptions {
  /** Called after each response that changed the activity. */
  readonly onChange: () => void;
  /** Receives each response of `GET /nodes` immediately: the safety stop needs it. */
  readonly onNodes?: NodesListener | undefined;
  /** Called after each response with the nodes. */
  readonly onRead?: () => void;
  /** Called with all workflows that have ended since the previous reading. */
  readonly onEnded?: (ended: readonly WorkflowEnd[]) => void;
  /** Current address of the workcell manager, `null` if the lab has none. */
  readonly workcell: () => string | null;
  /** The check interval of a manager in ms, the minimum for every poll. */
  readonly intervalMs: () => number;
  /** The time zone of the workcell manager's host; `null` while it is unknown. */
  readonly timeZone: () => HostZone | null;
  /** The running steps; `null` while they are unknown. */
  readonly runningSteps?: () => readonly RunningStep[] | null;
  /** The number of workflows that wait for each node. */
  readonly waitingCounts?: () => ReadonlyMap<string, number>;
  /** Since when a node was in this state before the service was restarted, ISO 8601 UTC; `null` if unknown. */
  readonly stateSinceBeforeRestart?: (name: string, state: NodeState) => string | null;
  readonly log: Log;
  readonly request?: typeof requestJson;
}

export class ActivityWatch {
  readonly #options: ActivityOptions;
  readonly #nodeReader: ManagerReader;
  readonly #workflowReader: ManagerReader;
  /** Address of the manager that the following fields belong to. */
  #managerUrl: string | null = null;
  #nodes: ReadonlyMap<string, NodeActivity> = new Map();
  /** By the steady clock. */
  #nodesReadAt: number | null = null;
  /** When nodes themselves were last read, by the steady clock. */
  readonly #ownReadings = new Map<string, number>();
  /** IDs of the archive when it was first read: workflows that ended before trigger no notification. */
  #knownIds: Set<string> | null = null;
  #endedWorkflows: readonly EndedWorkflow[] = [];
  /** `null` until the archive is read. */
  #longestRuns: ReadonlyMap<string, number> | null = null;
  /** The latest end time read, in ms since the epoch. */
  #latestEndMs: number | null = null;
  /** Index in `requestedCounts`. */
  #countIndex = 0;
  #warnedTooLarge = false;

  constructor(options: ActivityOptions) {
    this.#options = options;
    const { workcell: address, intervalMs, onNodes, log, request } = options;
    const onFailure = (reason: string) => log.debug('The workcell manager could not be read', { reason });
    this.#nodeReader = new ManagerReader({
      ...nodesRequest,
      address,
      // A safety stop needs the nodes, so the check interval of the managers does not apply to them.
      minIntervalMs: onNodes === undefined ? intervalMs : undefined,
      onResponse: (body, from) => this.#readNodes(body, from),
      onFailure,
      request,
    });
    this.#workflowReader = new ManagerReader({
      path: () => `workflows/archived?number=${requestedCounts[this.#countIndex]}`,
      intervalMs: workflowsIntervalMs,
      address,
      minIntervalMs: intervalMs,
      onResponse: (body) => this.#readEnded(body),
      onFailure: (reason) => {
        onFailure(reason);
        if (reason === tooLongReason) this.#reduceCount();
      },
      request,
    });
  }

  /**
   * Starts polling after an interval, so that the managers' health is checked first; nodes with a listener are read
   * immediately.
   */
  start(): void {
    const { onNodes, intervalMs } = this.#options;
    this.#nodeReader.startIn(onNodes === undefined ? intervalMs() : 0);
    this.#workflowReader.startIn(intervalMs());
  }

  stop(): void {
    this.#nodeReader.stop();
    this.#workflowReader.stop();
  }

  /** `null` if the lab has no workcell manager. */
  status(now = clock.monotonic()): LabActivity | null {
    if (this.#options.workcell() === null) return null;
    const { nodes, isRecent } = this.nodeSnapshot(now);
    return {
      nodes: isRecent
        ? { total: nodes.length, in_need: nodes.filter(({ state, waiting }) => needsAttention(state, waiting)) }
        : null,
      ended_workflows: [...this.#endedWorkflows],
      ...this.#overdueSteps(),
    };
  }

  #overdueSteps(): Pick<LabActivity, 'overdue_steps'> {
    const running = this.#options.runningSteps?.() ?? null;
    if (running === null || this.#longestRuns === null) return {};
    return { overdue_steps: listOverdueSteps(running, this.#longestRuns, clock.now()) };
  }

  /** All nodes as last read, and whether that reading is recent. */
  nodeSnapshot(now = clock.monotonic()): { readonly nodes: readonly NodeActivity[]; readonly isRecent: boolean } {
    this.#discardPreviousManager();
    const waitingCounts = this.#options.waitingCounts?.() ?? new Map<string, number>();
    return {
      nodes: [...this.#nodes.values()].map((node) => {
        const waiting = waitingCounts.get(node.name);
        return waiting === undefined ? node : { ...node, waiting };
      }),
      isRecent: this.#nodesReadAt !== null && now - this.#nodesReadAt < staleMs,
    };
  }

  /** The flags of all nodes as last read; `null` if that reading is not recent. */
  flags(): FlagReading | null {
    const { nodes, isRecent } = this.nodeSnapshot();
    if (!isRecent || this.#nodesReadAt === null) return null;
    const has = ({ state, flags = [] }: NodeActivity, flag: NodeFlag) => state === flag || flags.includes(flag);
    return {
      at: clock.now() - (clock.monotonic() - this.#nodesReadAt),
      nodes: nodes.map((node) => ({
        name: node.name,
        isKnown: node.state !== 'disconnected' && node.state !== 'unknown',
        stopped: has(node, 'stopped'),
        locked: has(node, 'locked'),
        paused: has(node, 'paused'),
      })),
    };
  }

  /** Applies a state that was read from the node itself. */
  applyState(name: string, { state, flags }: { readonly state: NodeState; readonly flags: NodeFlag[] }): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#ownReadings.set(name, clock.monotonic());
    if (state === node.state && sameJson(flags, node.flags ?? [])) return;
    const { flags: _flags, ...rest } = node;
    const since = state === node.state ? node.since : new Date(clock.now()).toISOString();
    const next = { ...rest, state, since, reason: null, ...(flags.length > 0 && { flags }) };
    this.#nodes = new Map(this.#nodes).set(name, next);
    this.#options.onChange();
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

  /** Discards the data of a previous workcell manager. */
  #discardPreviousManager(): void {
    const managerUrl = this.#options.workcell();
    if (managerUrl === this.#managerUrl) return;
    this.#managerUrl = managerUrl;
    this.#nodes = new Map();
    this.#nodesReadAt = null;
    this.#knownIds = null;
    this.#latestEndMs = null;
    this.#endedWorkflows = [];
    this.#longestRuns = null;
  }

  #readNodes(body: JsonObject, workcell: string): boolean {
    this.#discardPreviousManager();
    this.#options.onNodes?.(workcell, body);
    const nodes = readNodes(
      body,
      this.#nodes,
      new Date(clock.now()).toISOString(),
      this.#options.stateSinceBeforeRestart,
    );
    if (nodes === null) return false;
    const before = stringifyExactJson(this.status());
    const readAt = clock.monotonic();
    const isReadByItself = (name: string) => readAt - (this.#ownReadings.get(name) ?? -Infinity) < ownReadingMs;
    this.#nodes = new Map(
      [...nodes].map(([name, node]) => [name, isReadByItself(name) ? (this.#nodes.get(name) ?? node) : node]),
    );
    this.#nodesReadAt = readAt;
    this.#options.onRead?.();
    if (stringifyExactJson(this.status()) !== before) this.#options.onChange();
    return true;
  }

  #readEnded(body: JsonObject): boolean {
    this.#discardPreviousManager();
    const archived = readArchived(body);
    this.#longestRuns = readLongestRuns(archived);
    const ended = readEnded(archived, new Date(clock.now()).toISOString(), this.#options.timeZone());
    const knownIds = this.#knownIds ?? new Set(ended.map(({ key }) => key));
    const latestEndMs = this.#latestEndMs;
    const isOld = ({ endedAt }: WorkflowEnd) =>
      endedAt !== null && latestEndMs !== null && endedAt < latestEndMs - clockChangeMs;
    const newlyEnded = ended.filter((workflow) => !knownIds.has(workflow.key) && !isOld(workflow));
    this.#knownIds = new Set([...knownIds, ...ended.map(({ key }) => key)].slice(-maxKnownIds));
    // Without this filter, one end time in 2099 would make all later workflows count as old.
    const plausible = ended.filter(({ endedAt }) => endedAt !== null && endedAt <= clock.now() + maxAheadMs);
    this.#latestEndMs = plausible.reduce(
      (latest, { endedAt }) => Math.max(latest ?? 0, endedAt ?? 0),
      this.#latestEndMs,
    );
    if (newlyEnded.length === 0) return true;
    this.#endedWorkflows = [...newlyEnded.map(({ workflow }) => workflow), ...this.#endedWorkflows].slice(
      0,
      maxEndedWorkflows,
    );
    this.#options.onEnded?.(newlyEnded);
    this.#options.onChange();
    return true;
  }
}
