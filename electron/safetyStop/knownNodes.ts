/** The nodes that the shell's safety stop goes to: as told last, kept in a small file for a start without a service. */
import { readFileSync } from 'node:fs';
import { nodeStateText } from '../../api/managers/nodeState.ts';
import { errorText, type Log } from '../../server/logging/log.ts';
import { knownNodes, mergeKnownNodes, type KnownNodes } from '../../server/nodes/knownNodes.ts';
import { replaceFileSync } from '../preferences/replaceFile.ts';

/** After a stop the workcell manager reads the nodes again within this time, in ms. */
const readDelayMs = 5000;
/** A state that was read longer ago says nothing, in ms. */
const staleMs = 20_000;

export class KnownNodesFile {
  readonly #path: string;
  readonly #log: Log;
  #nodes: KnownNodes | null;
  #follows: string | null = null;
  #isDemo = false;
  /** How the nodes are, with their flags, and when that was read, in ms since the epoch; never kept in the file. */
  #states: { readonly at: number; readonly texts: ReadonlyMap<string, string> } = { at: 0, texts: new Map() };

  /** @param path whole path of the JSON file; what can't be read in it says nothing */
  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    this.#nodes = this.#read();
  }

  get nodes(): KnownNodes | null {
    return this.#nodes;
  }

  /** The nodes as the workcell manager lists them now: those of another workcell are forgotten. */
  set(listed: KnownNodes): void {
    const texts = listed.nodes.flatMap(({ name, now }) =>
      now === undefined ? [] : [[name, nodeStateText(now.state, now.flags)] as const],
    );
    this.#states = { at: Date.now(), texts: new Map(texts) };
    const lasting = { ...listed, nodes: listed.nodes.map(({ now: _now, ...node }) => node) };
    const merged = mergeKnownNodes(this.#nodes, lasting);
    const nodes = this.#follows === null ? merged : { ...merged, follows: this.#follows };
    if (JSON.stringify(nodes) === JSON.stringify(this.#nodes)) return;
    this.#nodes = nodes;
    if (this.#isDemo) return;
    try {
      replaceFileSync(this.#path, `${JSON.stringify(nodes, null, 2)}\n`);
    } catch (error) {
      this.#log.warn(`The nodes could not be saved: ${errorText(error)}`);
    }
  }

  /** `Locked, busy`, as it was read lately and after a stop that was sent at `sentAt`; `null` where it was not. */
  stateAfter(sentAt: number, name: string, now: number): string | null {
    const { at, texts } = this.#states;
    if (at < sentAt + readDelayMs || Math.abs(now - at) > staleMs || !this.#knows(name)) return null;
    return texts.get(name) ?? null;
  }

  #knows(name: string): boolean {
    return this.#nodes?.nodes.some((node) => node.name === name) ?? false;
  }

  /** Another lab's nodes must not be stopped: forgets them when the settings name another workcell manager. */
  useWorkcell(workcell: string | null): void {
    if (this.#nodes !== null && this.#nodes.workcell !== workcell) this.#nodes = null;
  }

  /** Only the simulated lab's from now on, and none of them is kept: a later start without a service must not have them. */
  useDemo(): void {
    this.#isDemo = true;
    this.#nodes = null;
  }

  /** Those of another lab are forgotten at once: its addresses may be the same. @param follows `null`: this machine's own */
  useLab(follows: string | null): void {
    this.#follows = follows;
    if (this.#isDemo) this.#nodes = this.#read();
    this.#isDemo = false;
    if ((this.#nodes?.follows ?? null) !== follows) this.#nodes = null;
  }

  #read(): KnownNodes | null {
    try {
      return knownNodes.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) this.#log.warn(`${this.#path} can't be read: ${errorText(error)}`);
      return null;
    }
  }
}
