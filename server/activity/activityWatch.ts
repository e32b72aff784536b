/**
 * Reads nodes and archived workflows for all parts of the service, with at most seven requests a minute to the workcell
 * manager. It only reads.
 */
import { batch } from '@preact/signals-core';
import { clock } from '../../api/time/clock.ts';
import type { NodeActivity } from '../../api/lab/lab.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { NodeFlag, NodeState } from '../../api/states.ts';
import type { WorkflowEnd } from '../lab/activity.ts';
import { nodesRequest, readKnownNodes } from '../lab/knownNodes.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { Log } from '../logging/log.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import { tooLongReason, type requestJson } from '../net/requestJson.ts';
import { ManagerReader } from './managerReader.ts';
import { readArchived, readEnded, readLongestRuns, readNodes, type StateStart } from './readActivity.ts';

/**
 * Polling interval of the archived workflows, in ms. Nodes and workflows cause four and three requests a minute, the
 * running steps (`activeWorkflows.ts`) one; an app attached to a service sends four more, for its safety stop.
 */
const workflowsIntervalMs = 20_000;
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

export interface ActivityOptions {
  /** Since when a node was in a state before the service was restarted. */
  readonly stateSinceBeforeRestart?: StateStart;
  readonly log: Log;
  readonly request?: typeof requestJson;
}

export class ActivityWatch {
  readonly #lab: LabModel;
  readonly #options: ActivityOptions;
  readonly #nodeReader: ManagerReader;
  readonly #workflowReader: ManagerReader;
  /** When nodes themselves were last read, by the steady clock. */
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

  constructor(lab: LabModel, options: ActivityOptions) {
    this.#lab = lab;
    this.#options = options;
    const { log, request } = options;
    const address = () => lab.address('workcell');
    const onFailure = (reason: string) => log.debug('The workcell manager could not be read', { reason });
    // A safety stop needs the nodes, so the check interval of the managers does not apply to them.
    this.#nodeReader = new ManagerReader({
      ...nodesRequest,
      address,
      onResponse: (body, workcell) => this.#readNodes(body, workcell),
      onFailure,
      request,
    });
    this.#workflowReader = new ManagerReader({
      path: () => `workflows/archived?number=${requestedCounts[this.#countIndex]}`,
      intervalMs: workflowsIntervalMs,
      address,
      minIntervalMs: () => lab.intervalMs,
      onResponse: (body, workcell) => this.#readEnded(body, workcell),
      onFailure: (reason) => {
        onFailure(reason);
        if (reason === tooLongReason) this.#reduceCount();
      },
      request,
    });
  }

  /** Starts polling the nodes at once, and the workflows after an interval, so that the managers' health is checked first. */
  start(): void {
    this.#nodeReader.startIn(0);
    this.#workflowReader.startIn(this.#lab.intervalMs);
  }

  stop(): void {
    this.#nodeReader.stop();
    this.#workflowReader.stop();
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

  #readEnded(body: JsonObject, workcell: string): boolean {
    if (workcell !== this.#archiveUrl) {
      this.#archiveUrl = workcell;
      this.#knownIds = null;
      this.#latestEndMs = null;
    }
    const archived = readArchived(body);
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
