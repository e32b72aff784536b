/** Reads the workcell's nodes for the safety stop of an app that doesn't watch the lab itself, a few times a minute. */
import { askForNodes } from './knownNodes.ts';
import type { NodesListener } from './activityWatch.ts';
import { askJson } from '../net/askJson.ts';
import { baseUrl } from '../../api/hosts.ts';

/** Nodes come and go rarely; a stop asks for them once more itself. */
const readMs = 15_000;
const failedMs = 30_000;
/** For its address to be known, in ms. */
const addressMs = 1000;
const timeoutMs = 5000;

export class NodeReader {
  readonly #workcell: () => string | null;
  readonly #onNodes: NodesListener;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param workcell address of the workcell manager now, `null` where the lab has none
   * @param onNodes called with each answer
   */
  constructor(workcell: () => string | null, onNodes: NodesListener) {
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
    const answer =
      workcell === null
        ? null
        : await askJson(new URL('nodes', baseUrl(workcell)).href, timeoutMs, signal, askForNodes);
    if (signal.aborted) return;
    if (answer?.ok && workcell !== null) this.#onNodes(workcell, answer.body);
    const waitMs = workcell === null ? addressMs : answer?.ok ? readMs : failedMs;
    this.#timer = setTimeout(() => void this.#read(), waitMs);
  }
}
