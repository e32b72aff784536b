/** Executes one press of the safety stop: all nodes at once, those that the workcell manager lists in addition, and readings. */
import { withTimeout } from '../concurrency/boundedWait.ts';
import type { StoppedNode } from '../../api/commandRecord.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import {
  routeTimeoutMs,
  stopNode,
  workcellDelayMs,
  type SendCommand,
  type StopOutcome,
} from '../../api/safetyStop/safetyStop.ts';
import { applyOutcome, sortTargets, startNode, type StopTarget } from '../../api/safetyStop/stopReport.ts';
import { clock } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import { readKnownNodes, type KnownNodes } from '../lab/knownNodes.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import { StopRoutes } from './nodeRoutes.ts';
import type { StopStore } from './stopStore.ts';

/** Time of the first reading of a node's state, and interval of the next ones, in ms. */
const readingDelayMs = 300;
const readingIntervalMs = 1000;
/** How long the first lock or pause of a node waits for its state, in ms: a release must not undo a person's lock. */
const stateBeforeMs = 50;
/** The number of nodes read at once while a stop is in effect. */
const maxReadings = 30;

interface ExecutionOptions {
  /** The stop that was in effect before; `null` without one. */
  readonly stopBefore: LabStop | null;
  /** The nodes that receive nothing. */
  readonly except: ReadonlySet<string>;
  /** The execution that this one replaces while its requests are pending; `null` without one. */
  readonly earlier: StopExecution | null;
}

const withoutRelease = ({ released_at: _releasedAt, ...node }: StoppedNode): StoppedNode => node;

export function toStopTargets(nodes: KnownNodes | null): StopTarget[] {
  return (nodes?.nodes ?? []).map(({ name, url, commands, held = [], now }) => ({
    name,
    url,
    commands,
    before: held,
    isBusy: now !== undefined && (now.state === 'busy' || now.flags.includes('busy')),
  }));
}

export class StopExecution {
  readonly #store: StopStore;
  readonly #options: ExecutionOptions;
  /** Address of the workcell manager; `null` without one. */
  readonly #workcell: string | null;
  readonly #routes: StopRoutes;
  readonly #stopping = new AbortController();
  #isAborted = false;
  #isReplaced = false;
  /** The stop of each node until all its requests have a response. */
  readonly #inFlight = new Map<string, Promise<void>>();

  constructor(store: StopStore, options: ExecutionOptions) {
    this.#store = store;
    this.#options = options;
    this.#workcell = store.lab.address('workcell');
    this.#routes = new StopRoutes(this.#workcell);
  }

  /** Resolves when all attempts have ended. The commands to the known nodes are sent before it returns. */
  async run(): Promise<void> {
    const { except } = this.#options;
    const targets = sortTargets(toStopTargets(this.#store.nodes)).filter(({ name }) => !except.has(name));
    const known = targets.map((target) => this.#stopOne(target));
    await Promise.all([...known, this.#stopListedNodes(new Set([...except, ...targets.map(({ name }) => name)]))]);
    this.#stopping.abort();
  }

  /** Ends the attempts; responses to earlier requests are still reported. */
  abort(): void {
    this.#isAborted = true;
    this.#stopping.abort();
  }

  /** Ends the attempts, because a further press begins another execution. */
  replace(): void {
    this.#isReplaced = true;
    this.abort();
  }

  /** Resolves when no request to the node is pending, or after their timeout. */
  async settled(name: string): Promise<boolean> {
    const earlier = this.#options.earlier?.settled(name) ?? true;
    const stopping = this.#inFlight.get(name);
    if (stopping === undefined) return earlier;
    const isSettled = await withTimeout(
      stopping.then(() => true),
      routeTimeoutMs,
      () => false,
    );
    return (await earlier) && isSettled;
  }

  async #stopOne(target: StopTarget): Promise<void> {
    const stopping = this.#send(target, this.#addTarget(target));
    this.#inFlight.set(target.name, stopping);
    void this.#readStates(target, stopping);
    await stopping;
    this.#inFlight.delete(target.name);
  }

  /** Adds the node to the stop before its first command. @returns whether its flags as read now are from before the stop */
  #addTarget(target: StopTarget): boolean {
    const { stopBefore } = this.#options;
    const released = stopBefore?.nodes.find(({ name }) => name === target.name);
    // While a release runs, the last reading can still show the effects that it has just undone.
    const node = released && stopBefore?.releasing === true ? withoutRelease(released) : released;
    // Flags alone show that a node is stopped, not its state before.
    const before = this.#store.flagsBefore(target.name, target.before);
    const earlierNode = node && stopBefore?.at === null ? { ...node, before } : node;
    this.#store.addNode(startNode({ ...target, before }, this.#workcell ?? '', earlierNode));
    return released === undefined;
  }

  #applyOutcome(name: string, outcome: StopOutcome, attempts: number): void {
    this.#store.outcomeAt.set(name, clock.now());
    this.#store.updateNode(name, (node) => {
      const next = applyOutcome(node, outcome, attempts);
      if (!this.#isReplaced) return next;
      // Of a late response to an earlier press, only the effects count.
      const { result, reason, direct = next.direct ?? false, attempts: made = attempts } = node;
      return { ...next, result, reason, direct, attempts: made };
    });
  }

  /** @param isFirst whether the node's state before the first lock or pause is from before the stop */
  async #send(target: StopTarget, isFirst: boolean): Promise<void> {
    const { name, url, commands } = target;
    let isUnchanged = isFirst && url !== null;
    let reading: Promise<void> | null = null;
    const read = async (): Promise<void> => {
      const state = url === null ? null : await this.#routes.readState(url);
      // The next press may have locked the node meanwhile.
      if (state !== null && isUnchanged && !this.#isAborted) this.#store.addStateBefore(name, state);
    };
    const observe = (send: SendCommand | null): SendCommand | null =>
      send &&
      (async (command, signal) => {
        if (isUnchanged && command !== 'safety_stop') {
          await withTimeout((reading ??= read()), stateBeforeMs, () => undefined);
          isUnchanged = false;
          signal.throwIfAborted();
        }
        return send(command, signal);
      });
    const { direct, workcell } = this.#routes.routesTo(target);
    const stopping = stopNode({
      routes: { direct: observe(direct), workcell: observe(workcell) },
      commands,
      delayMs: workcellDelayMs,
      signal: this.#stopping.signal,
      onOutcome: (outcome, attempts) => this.#applyOutcome(name, outcome, attempts),
    });
    // After the safety stop, which a node that answers one request at a time would otherwise execute later.
    if (isUnchanged) reading ??= read();
    await stopping;
  }

  /** Also stops the nodes that were added since the last reading. */
  async #stopListedNodes(knownNames: ReadonlySet<string>): Promise<void> {
    const workcell = this.#workcell;
    if (workcell === null || this.#routes.workcell === null) return;
    const { signal } = this.#stopping;
    const body = await this.#routes.workcell.getNodes({}, { signal, timeoutMs: routeTimeoutMs }).catch(() => null);
    const listed = body === null || signal.aborted ? null : readKnownNodes(workcell, body);
    if (listed === null) return;
    this.#store.setNodes(listed);
    const added = toStopTargets(listed).filter(({ name }) => !knownNames.has(name));
    await Promise.all(sortTargets(added).map((target) => this.#stopOne(target)));
  }

  /** Reads the node's own state until the end of its attempts, and once more at that end. */
  async #readStates({ name, url }: StopTarget, stopping: Promise<void>): Promise<void> {
    if (url === null) return;
    const ended = new AbortController();
    void stopping.then(() => ended.abort());
    const read = async (): Promise<void> => {
      const now = await this.#routes.readState(url);
      if (now !== null) this.#store.setReading(name, now);
    };
    let delayMs = readingDelayMs;
    while (await pause(delayMs, AbortSignal.any([this.#stopping.signal, ended.signal]))) {
      await read();
      delayMs = readingIntervalMs;
    }
    await read();
  }
}

/** Reads the state of each node of the last stop. */
export async function readStoppedNodes(store: StopStore, signal: AbortSignal): Promise<void> {
  const queue = new TaskQueue(maxReadings);
  const read = async (url: string, name: string): Promise<void> => {
    const now = await new StopRoutes(null).readState(url);
    if (now !== null && !signal.aborted) store.setReading(name, now);
  };
  const stopped = new Set((store.sentStop?.nodes ?? []).map(({ name }) => name));
  const known = toStopTargets(store.nodes).filter(({ name }) => stopped.has(name));
  await Promise.all(known.map(({ name, url }) => url && queue.run(() => read(url, name))));
}
