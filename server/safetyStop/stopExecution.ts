/** Executes one press of the safety stop: all nodes at once, those that the workcell manager lists in addition, and readings. */
import { withTimeout } from '../concurrency/boundedWait.ts';
import { createClient } from '../../api/client/client.ts';
import type { StoppedNode } from '../../api/commandRecord.ts';
import { nodeApi } from '../../api/managers/node.ts';
import { nodeState, otherNodeFlags } from '../../api/managers/nodeState.ts';
import { routeTimeoutMs, stopNode, workcellDelayMs, type StopOutcome } from '../../api/safetyStop/safetyStop.ts';
import { sortTargets, type StopTarget } from '../../api/safetyStop/stopReport.ts';
import { pause } from '../../api/time/pause.ts';
import { readKnownNodes, type KnownNodes } from '../activity/knownNodes.ts';
import { freshFetch } from '../net/freshFetch.ts';
import { StopRoutes } from './nodeRoutes.ts';

/** Time of the first reading of a node's state, and interval of the next ones, in ms. */
const readingDelayMs = 300;
const readingIntervalMs = 1000;
const readingTimeoutMs = 900;

export interface ExecutionParts {
  /** Address of the workcell manager; `null` without one. */
  readonly workcell: string | null;
  readonly nodes: KnownNodes | null;
  /** The execution that this one replaces while its requests are pending; `null` without one. */
  readonly earlier: StopExecution | null;
  /** Called before the first command to a node. */
  readonly onTarget: (target: StopTarget) => void;
  readonly onOutcome: (name: string, outcome: StopOutcome, attempts: number) => void;
  readonly onReading: (name: string, now: NonNullable<StoppedNode['now']>) => void;
  /** Receives the manager's list of nodes, read after the press. */
  readonly onNodes: (nodes: KnownNodes) => void;
}

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
  readonly #parts: ExecutionParts;
  readonly #routes: StopRoutes;
  readonly #stopping = new AbortController();
  /** The stop of each node until all its requests have a response. */
  readonly #inFlight = new Map<string, Promise<void>>();

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#routes = new StopRoutes(parts.workcell);
  }

  /** Resolves when all attempts have ended. The commands to the known nodes are sent before it returns. */
  async run(): Promise<void> {
    const targets = sortTargets(toStopTargets(this.#parts.nodes));
    const known = targets.map((target) => this.#stopOne(target));
    await Promise.all([...known, this.#stopListedNodes(new Set(targets.map(({ name }) => name)))]);
    this.#stopping.abort();
  }

  /** Ends the attempts; responses to earlier requests are still reported. */
  abort(): void {
    this.#stopping.abort();
  }

  /** Resolves when no request to the node is pending, or after their timeout. */
  async settled(name: string): Promise<boolean> {
    const earlier = this.#parts.earlier?.settled(name) ?? true;
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
    const { name, commands } = target;
    this.#parts.onTarget(target);
    const stopping = stopNode({
      routes: this.#routes.routesTo(target),
      commands,
      delayMs: workcellDelayMs,
      signal: this.#stopping.signal,
      onOutcome: (outcome, attempts) => this.#parts.onOutcome(name, outcome, attempts),
    });
    this.#inFlight.set(name, stopping);
    void this.#readStates(target, stopping);
    await stopping;
    this.#inFlight.delete(name);
  }

  /** Also stops the nodes that were added since the last reading. */
  async #stopListedNodes(knownNames: ReadonlySet<string>): Promise<void> {
    const { workcell, onNodes } = this.#parts;
    if (workcell === null || this.#routes.workcell === null) return;
    const { signal } = this.#stopping;
    const body = await this.#routes.workcell.getNodes({}, { signal, timeoutMs: routeTimeoutMs }).catch(() => null);
    const listed = body === null || signal.aborted ? null : readKnownNodes(workcell, body);
    if (listed === null) return;
    onNodes(listed);
    const added = toStopTargets(listed).filter(({ name }) => !knownNames.has(name));
    await Promise.all(sortTargets(added).map((target) => this.#stopOne(target)));
  }

  /**
   * Reads the node's own state until the end of its attempts, and once more at that end: the workcell manager reports it
   * seconds later.
   */
  async #readStates({ name, url }: StopTarget, stopping: Promise<void>): Promise<void> {
    if (url === null) return;
    const ended = new AbortController();
    void stopping.then(() => ended.abort());
    const client = createClient(nodeApi, { baseUrl: url, timeoutMs: readingTimeoutMs, fetch: freshFetch });
    const read = async (): Promise<void> => {
      const status = await client.getStatus({}, {}).catch(() => null);
      if (status !== null)
        this.#parts.onReading(name, { state: nodeState({ status }), flags: [...otherNodeFlags({ status })] });
    };
    let delayMs = readingDelayMs;
    while (await pause(delayMs, AbortSignal.any([this.#stopping.signal, ended.signal]))) {
      await read();
      delayMs = readingIntervalMs;
    }
    await read();
  }
}
