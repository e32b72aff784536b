/**
 * The watch over nodes and workflows: one reader for everybody, within 12 questions a minute to the workcell manager. It
 * changes nothing.
 */
import type { EndedWorkflow, LabActivity, NodeActivity } from '../../api/lab/lab.ts';
import { needsPerson } from '../../api/managers/nodeState.ts';
import { askJson, type JsonObject } from '../http/outgoing/askJson.ts';
import type { Log } from '../logging/log.ts';
import { readEnded, readNodes } from './readActivity.ts';

/** Four and three questions a minute; the app's reader for its safety stop asks four more. */
const nodesMs = 15_000;
const workflowsMs = 20_000;
const failedMs = 30_000;
const timeoutMs = 8000;
/** Nodes that weren't heard of for this long are unknown, in ms. */
const staleMs = 45_000;
/** So many of the newest are asked for. */
const newest = 10;
const mostEnded = 20;

interface ActivityEvents {
  /** After each answer that changed something. */
  readonly onChange: () => void;
}

export interface ActivityOptions extends ActivityEvents {
  /** Address of the workcell manager now, `null` where the lab has none. */
  readonly workcell: () => string | null;
  /** Between two checks of a manager, in ms: nothing is asked more often. */
  readonly intervalMs: () => number;
  readonly log: Log;
  readonly ask?: typeof askJson;
}

export class ActivityWatch {
  readonly #workcell: () => string | null;
  readonly #intervalMs: () => number;
  readonly #events: ActivityEvents;
  readonly #log: Log;
  readonly #ask: typeof askJson;
  #stopped = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  #asked: string | null = null;
  #nodes: ReadonlyMap<string, NodeActivity> = new Map();
  #heardAt: number | null = null;
  /** IDs of the archive as it was read first: what ended before somebody watched is no news. */
  #known: Set<string> | null = null;
  #ended: readonly EndedWorkflow[] = [];

  constructor({ workcell, intervalMs, log, ask = askJson, ...events }: ActivityOptions) {
    this.#workcell = workcell;
    this.#intervalMs = intervalMs;
    this.#events = events;
    this.#log = log;
    this.#ask = ask;
  }

  /** Begins an interval from now: the managers are asked for their health first. */
  start(): void {
    this.#stopped = new AbortController();
    this.#after(this.#intervalMs(), 'nodes', nodesMs, (body) => this.#takeNodes(body));
    const archived = `workflows/archived?number=${newest}`;
    this.#after(this.#intervalMs(), archived, workflowsMs, (body) => this.#takeEnded(body));
  }

  stop(): void {
    this.#stopped.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** `null` where the lab has no workcell manager. */
  status(now = Date.now()): LabActivity | null {
    if (this.#workcell() === null) return null;
    const { nodes, areKnown } = this.known(now);
    return {
      nodes: areKnown ? { total: nodes.length, in_need: nodes.filter(({ state }) => needsPerson(state)) } : null,
      ended_workflows: [...this.#ended],
    };
  }

  /** All nodes as they were heard of last, and whether that is recent. */
  known(now = Date.now()): { readonly nodes: readonly NodeActivity[]; readonly areKnown: boolean } {
    return {
      nodes: [...this.#nodes.values()],
      areKnown: this.#heardAt !== null && now - this.#heardAt < staleMs,
    };
  }

  async #repeat(path: string, everyMs: number, take: (body: JsonObject) => boolean): Promise<void> {
    const { signal } = this.#stopped;
    const workcell = this.#workcell();
    if (workcell !== this.#asked) this.#forget(workcell);
    const answer =
      workcell === null ? null : await this.#ask(new URL(path, workcell.replace(/\/*$/, '/')).href, timeoutMs, signal);
    if (signal.aborted) return;
    // An answer of a manager that is another one by now says nothing.
    const isGood = answer?.ok === true && workcell === this.#workcell() && take(answer.body);
    if (answer !== null && !isGood)
      this.#log.debug(`No ${path} of the workcell manager`, { reason: answer.ok ? 'not understood' : answer.reason });
    this.#after(Math.max(this.#intervalMs(), isGood ? everyMs : failedMs), path, everyMs, take);
  }

  #after(ms: number, path: string, everyMs: number, take: (body: JsonObject) => boolean): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#repeat(path, everyMs, take);
    }, ms);
    this.#timers.add(timer);
  }

  #forget(workcell: string | null): void {
    this.#asked = workcell;
    this.#nodes = new Map();
    this.#heardAt = null;
    this.#known = null;
    this.#ended = [];
  }

  #takeNodes(body: JsonObject): boolean {
    const nodes = readNodes(body, this.#nodes, new Date().toISOString());
    if (nodes === null) return false;
    const before = JSON.stringify(this.status());
    this.#nodes = nodes;
    this.#heardAt = Date.now();
    if (JSON.stringify(this.status()) !== before) this.#events.onChange();
    return true;
  }

  #takeEnded(body: JsonObject): boolean {
    const ended = readEnded(body, new Date().toISOString());
    const known = this.#known ?? new Set(ended.map(({ key }) => key));
    const fresh = ended.filter(({ key }) => !known.has(key)).map(({ workflow }) => workflow);
    this.#known = new Set([...known, ...ended.map(({ key }) => key)].slice(0 - 50 * newest));
    if (fresh.length === 0) return true;
    this.#ended = [...fresh, ...this.#ended].slice(0, mostEnded);
    this.#events.onChange();
    return true;
  }
}
