/**
 * The watch over nodes and workflows: one reader for everybody, within 12 questions a minute to the workcell manager. It
 * changes nothing.
 */
import type { EndedWorkflow, LabActivity, NodeActivity } from '../../api/lab/lab.ts';
import type { FlagReading } from '../../api/safetyStop/labStop.ts';
import { needsPerson } from '../../api/managers/nodeState.ts';
import type { HostZone } from '../../api/time/time.ts';
import type { NodeFlag, NodeState } from '../../api/states.ts';
import { tooLong, type requestJson } from '../net/askJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { nodesReading } from './knownNodes.ts';
import { ManagerReader } from './managerReader.ts';
import { readEnded, readNodes, type Ended } from './readActivity.ts';

/** Four and three questions a minute; an app that is attached to a service asks four more, for its safety stop. */
const workflowsMs = 20_000;
/** Nodes that weren't heard of for this long are unknown, in ms. */
const staleMs = 45_000;
/**
 * So many of the newest are asked for, fewer where so many are too much for one answer. The manager sorts by when they
 * were submitted: a long one ends behind many that were submitted after it.
 */
const counts = [50, 10, 3] as const;
/** An archive goes back when one of it is retried; what slides in then ended before this, in ms. Clocks change by an hour. */
const clockChangeMs = 65 * 60_000;
/** The manager's clock may be wrong by some minutes: what ended later than this cannot be, in ms. */
const maxAheadMs = 600_000;
const maxEnded = 20;
const maxKnown = 2000;

/** @param workcell address of the manager that answered */
export type NodesListener = (workcell: string, body: JsonObject) => void;

export interface ActivityOptions {
  /** After each answer that changed something. */
  readonly onChange: () => void;
  /** Somebody else needs the answer of `GET /nodes` too, and as soon as there is one: the app, for its safety stop. */
  readonly onNodes?: NodesListener | undefined;
  /** Address of the workcell manager now, `null` where the lab has none. */
  readonly workcell: () => string | null;
  /** Between two checks of a manager, in ms: nothing is asked more often. */
  readonly intervalMs: () => number;
  /** The time zone of the workcell manager's host; `null` while it is unknown. */
  readonly timeZone: () => HostZone | null;
  /** Since when a node was in a state before the service was restarted, ISO 8601 UTC; `null` where that is unknown. */
  readonly earlier?: (name: string, state: NodeState) => string | null;
  readonly log: Log;
  readonly request?: typeof requestJson;
}

export class ActivityWatch {
  readonly #options: ActivityOptions;
  readonly #nodeReader: ManagerReader;
  readonly #workflowReader: ManagerReader;
  /** Address of the manager that the following is of. */
  #manager: string | null = null;
  #nodes: ReadonlyMap<string, NodeActivity> = new Map();
  /** By the steady clock. */
  #nodesReadAt: number | null = null;
  /** IDs of the archive as it was read first: what ended before somebody watched is no news. */
  #known: Set<string> | null = null;
  #ended: readonly EndedWorkflow[] = [];
  /** When the newest that was read ended, in ms since the epoch. */
  #latest: number | null = null;
  /** Of `counts`. */
  #count = 0;
  #warnedTooLong = false;

  constructor(options: ActivityOptions) {
    this.#options = options;
    const { workcell: address, intervalMs, onNodes, log, request: ask } = options;
    const onFailure = (reason: string) => log.debug('The workcell manager could not be read', { reason });
    this.#nodeReader = new ManagerReader({
      ...nodesReading,
      address,
      // Who must be able to stop the nodes needs them, however seldom the managers are to be read.
      minIntervalMs: onNodes === undefined ? intervalMs : undefined,
      onAnswer: (body, from) => this.#readNodes(body, from),
      onFailure,
      request: ask,
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
      request: ask,
    });
  }

  /** Begins an interval from now: the managers are asked for their health first, unless somebody waits for the nodes. */
  start(): void {
    const { onNodes, intervalMs } = this.#options;
    this.#nodeReader.startIn(onNodes === undefined ? intervalMs() : 0);
    this.#workflowReader.startIn(intervalMs());
  }

  stop(): void {
    this.#nodeReader.stop();
    this.#workflowReader.stop();
  }

  /** `null` where the lab has no workcell manager. */
  status(now = performance.now()): LabActivity | null {
    if (this.#options.workcell() === null) return null;
    const { nodes, areKnown } = this.known(now);
    return {
      nodes: areKnown ? { total: nodes.length, in_need: nodes.filter(({ state }) => needsPerson(state)) } : null,
      ended_workflows: [...this.#ended],
    };
  }

  /** All nodes as they were heard of last, and whether that is recent. */
  known(now = performance.now()): { readonly nodes: readonly NodeActivity[]; readonly areKnown: boolean } {
    this.#forgetOthers();
    return {
      nodes: [...this.#nodes.values()],
      areKnown: this.#nodesReadAt !== null && now - this.#nodesReadAt < staleMs,
    };
  }

  /** The flags of all nodes as read last; `null` while that is not recent. */
  flags(): FlagReading | null {
    const { nodes, areKnown } = this.known();
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

  /** What was read of another workcell manager than the lab has now. */
  #forgetOthers(): void {
    const manager = this.#options.workcell();
    if (manager === this.#manager) return;
    this.#manager = manager;
    this.#nodes = new Map();
    this.#nodesReadAt = null;
    this.#known = null;
    this.#latest = null;
    this.#ended = [];
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
    const known = this.#known ?? new Set(ended.map(({ key }) => key));
    const latest = this.#latest;
    const isOld = ({ endedAt }: Ended) => endedAt !== null && latest !== null && endedAt < latest - clockChangeMs;
    const fresh = ended.filter((each) => !known.has(each.key) && !isOld(each)).map(({ workflow }) => workflow);
    this.#known = new Set([...known, ...ended.map(({ key }) => key)].slice(-maxKnown));
    // One that ended in 2099 would make everything after it old.
    const plausible = ended.filter(({ endedAt }) => endedAt !== null && endedAt <= Date.now() + maxAheadMs);
    this.#latest = plausible.reduce((latestOf, { endedAt }) => Math.max(latestOf ?? 0, endedAt ?? 0), this.#latest);
    if (fresh.length === 0) return true;
    this.#ended = [...fresh, ...this.#ended].slice(0, maxEnded);
    this.#options.onChange();
    return true;
  }
}
