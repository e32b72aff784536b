/**
 * Reads nodes and workflows for all parts of the service, with at most 12 requests a minute to the workcell manager. It
 * only reads.
 */
import type { EndedWorkflow, LabActivity, NodeActivity } from '../../api/lab/lab.ts';
import type { FlagReading } from '../../api/safetyStop/labStop.ts';
import { needsPerson } from '../../api/managers/nodeState.ts';
import type { HostZone } from '../../api/time/time.ts';
import type { NodeFlag, NodeState } from '../../api/states.ts';
import { tooLong, type requestJson } from '../net/requestJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { nodesReading } from './knownNodes.ts';
import { ManagerReader } from './managerReader.ts';
import { readEnded, readNodes, type WorkflowEnd } from './readActivity.ts';

/**
 * Milliseconds. Nodes and workflows take four and three requests a minute; an app attached to a service sends four more,
 * for its safety stop.
 */
const workflowsMs = 20_000;
/** Nodes not read for this long are unknown, in ms. */
const staleMs = 45_000;
/**
 * The number of newest workflows requested, lower if the response is too large. The manager sorts by submission time: a
 * long one ends after many that were submitted later.
 */
const counts = [50, 10, 3] as const;
/**
 * When an archived workflow is retried, older ones move into the list; they ended before this, in ms. Clocks change by an
 * hour.
 */
const clockChangeMs = 65 * 60_000;
/** The limit for end times in the future, in ms: the manager's clock may be wrong by some minutes. */
const maxAheadMs = 600_000;
const maxEnded = 20;
const maxKnown = 2000;

/** @param workcell address of the responding manager */
export type NodesListener = (workcell: string, body: JsonObject) => void;

export interface ActivityOptions {
  /** Called after each response that changed the activity. */
  readonly onChange: () => void;
  /** Receives each response of `GET /nodes` immediately: the app needs it for its safety stop. */
  readonly onNodes?: NodesListener | undefined;
  /** Called with the workflows that have ended since the previous reading, also if more than 20 have. */
  readonly onEnded?: (ended: readonly WorkflowEnd[]) => void;
  /** Current address of the workcell manager, `null` if the lab has none. */
  readonly workcell: () => string | null;
  /** The check interval of a manager in ms, the minimum for every poll. */
  readonly intervalMs: () => number;
  /** The time zone of the workcell manager's host; `null` while it is unknown. */
  readonly timeZone: () => HostZone | null;
  /** The time since which a node was in its state before the service was restarted, ISO 8601 UTC; `null` if unknown. */
  readonly earlier?: (name: string, state: NodeState) => string | null;
  readonly log: Log;
  readonly request?: typeof requestJson;
}

export class ActivityWatch {
  readonly #options: ActivityOptions;
  readonly #nodeReader: ManagerReader;
  readonly #workflowReader: ManagerReader;
  /** Address of the manager that the following fields belong to. */
  #manager: string | null = null;
  #nodes: ReadonlyMap<string, NodeActivity> = new Map();
  /** By the steady clock. */
  #nodesReadAt: number | null = null;
  /** IDs of the archive when it was first read: workflows that ended before trigger no notification. */
  #knownIds: Set<string> | null = null;
  #endedWorkflows: readonly EndedWorkflow[] = [];
  /** The latest end time read, in ms since the epoch. */
  #latest: number | null = null;
  /** The index in `counts`. */
  #count = 0;
  #warnedTooLong = false;

  constructor(options: ActivityOptions) {
    this.#options = options;
    const { workcell: address, intervalMs, onNodes, log, request } = options;
    const onFailure = (reason: string) => log.debug('The workcell manager could not be read', { reason });
    this.#nodeReader = new ManagerReader({
      ...nodesReading,
      address,
      // A safety stop needs the nodes, so the refresh interval of the managers does not apply to them.
      minIntervalMs: onNodes === undefined ? intervalMs : undefined,
      onAnswer: (body, from) => this.#readNodes(body, from),
      onFailure,
      request,
    });
    this.#workflowReader = new ManagerReader({
      path: () => `workflows/archived?number=${counts[this.#count]}`,
      everyMs: workflowsMs,
      address,
      minIntervalMs: intervalMs,
      onAnswer: (body) => this.#readEnded(body),
      onFailure: (reason) => {
        onFailure(reason);
        if (reason === tooLong) this.#readFewer();
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
  status(now = performance.now()): LabActivity | null {
    if (this.#options.workcell() === null) return null;
    const { nodes, areKnown } = this.nodeSnapshot(now);
    return {
      nodes: areKnown ? { total: nodes.length, in_need: nodes.filter(({ state }) => needsPerson(state)) } : null,
      ended_workflows: [...this.#endedWorkflows],
    };
  }

  /** All nodes as last read, and whether that is recent. */
  nodeSnapshot(now = performance.now()): { readonly nodes: readonly NodeActivity[]; readonly areKnown: boolean } {
    this.#forgetOthers();
    return {
      nodes: [...this.#nodes.values()],
      areKnown: this.#nodesReadAt !== null && now - this.#nodesReadAt < staleMs,
    };
  }

  /** The last read flags of all nodes; `null` while that is not recent. */
  flags(): FlagReading | null {
    const { nodes, areKnown } = this.nodeSnapshot();
    if (!areKnown || this.#nodesReadAt === null) return null;
    const has = ({ state, flags = [] }: NodeActivity, flag: NodeFlag) => state === flag || flags.includes(flag);
    return {
      at: Date.now() - (performance.now() - this.#nodesReadAt),
      nodes: nodes.map((node) => ({
        name: node.name,
        known: node.state !== 'disconnected' && node.state !== 'unknown',
        stopped: has(node, 'stopped'),
        locked: has(node, 'locked'),
        paused: has(node, 'paused'),
      })),
    };
  }

  #readFewer(): void {
    if (this.#count < counts.length - 1) this.#count += 1;
    else if (!this.#warnedTooLong) {
      this.#warnedTooLong = true;
      this.#options.log.warn(
        `The workcell manager's list of archived workflows is too long to read: there are no notifications of workflows that end`,
      );
    }
  }

  /** Discards the data of a previous workcell manager. */
  #forgetOthers(): void {
    const manager = this.#options.workcell();
    if (manager === this.#manager) return;
    this.#manager = manager;
    this.#nodes = new Map();
    this.#nodesReadAt = null;
    this.#knownIds = null;
    this.#latest = null;
    this.#endedWorkflows = [];
  }

  #readNodes(body: JsonObject, workcell: string): boolean {
    this.#forgetOthers();
    this.#options.onNodes?.(workcell, body);
    const nodes = readNodes(body, this.#nodes, new Date().toISOString(), this.#options.earlier);
    if (nodes === null) return false;
    const before = JSON.stringify(this.status());
    this.#nodes = nodes;
    this.#nodesReadAt = performance.now();
    if (JSON.stringify(this.status()) !== before) this.#options.onChange();
    return true;
  }

  #readEnded(body: JsonObject): boolean {
    this.#forgetOthers();
    const ended = readEnded(body, new Date().toISOString(), this.#options.timeZone());
    const known = this.#knownIds ?? new Set(ended.map(({ key }) => key));
    const latest = this.#latest;
    const isOld = ({ endedAt }: WorkflowEnd) => endedAt !== null && latest !== null && endedAt < latest - clockChangeMs;
    const fresh = ended.filter((each) => !known.has(each.key) && !isOld(each));
    this.#knownIds = new Set([...known, ...ended.map(({ key }) => key)].slice(-maxKnown));
    // An end time in 2099 would make all later ones old.
    const plausible = ended.filter(({ endedAt }) => endedAt !== null && endedAt <= Date.now() + maxAheadMs);
    this.#latest = plausible.reduce((latestOf, { endedAt }) => Math.max(latestOf ?? 0, endedAt ?? 0), this.#latest);
    if (fresh.length === 0) return true;
    this.#endedWorkflows = [...fresh.map(({ workflow }) => workflow), ...this.#endedWorkflows].slice(0, maxEnded);
    this.#options.onEnded?.(fresh);
    this.#options.onChange();
    return true;
  }
}
