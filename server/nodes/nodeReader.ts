/** Reads the workcell's nodes for the shell's safety stop, a few times a minute. */
import { askJson } from '../http/outgoing/askJson.ts';
import { knownNodesOf, type KnownNodes } from './knownNodes.ts';

/** Nodes come and go rarely; a stop asks for them once more itself. */
const readMs = 15_000;
const failedMs = 30_000;
const timeoutMs = 5000;

export class NodeReader {
  readonly #workcell: () => string | null;
  readonly #onNodes: (nodes: KnownNodes) => void;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #heard = '';

  /**
   * @param workcell address of the workcell manager now, `null` where the lab has none
   * @param onNodes called with each list that differs from the one before
   */
  constructor(workcell: () => string | null, onNodes: (nodes: KnownNodes) => void) {
    this.#workcell = workcell;
    this.#onNodes = onNodes;
  }

  start(): void {
    void this.#read();
  }

  stop(): void {
    this.#stopped.abort();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #read(): Promise<void> {
    const workcell = this.#workcell();
    const { signal } = this.#stopped;
    const answer = workcell === null ? null : await askJson(new URL('nodes', base(workcell)).href, timeoutMs, signal);
    if (signal.aborted) return;
    const nodes = answer?.ok && workcell !== null ? knownNodesOf(workcell, answer.body) : null;
    if (nodes !== null && JSON.stringify(nodes) !== this.#heard) {
      this.#heard = JSON.stringify(nodes);
      this.#onNodes(nodes);
    }
    this.#timer = setTimeout(() => void this.#read(), nodes === null ? failedMs : readMs);
  }
}

/** An address as the base of others: paths below it are kept. */
function base(address: string): string {
  return address.replace(/\/*$/, '/');
}
