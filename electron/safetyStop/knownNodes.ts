/** The nodes that the shell's safety stop goes to: as told last, kept in a small file for a start without a service. */
import { nodeStateText } from '../../api/managers/nodeState.ts';
import type { Log } from '../../server/logging/log.ts';
import { knownNodes, mergeKnownNodes, type KnownNodes } from '../../server/activity/knownNodes.ts';
import { StateFile } from '../../server/storage/stateFile.ts';

/** After a stop the workcell manager reads the nodes again within this time, in ms. */
const readDelayMs = 5000;
/** A state that was read longer ago says nothing, in ms. */
const staleMs = 20_000;

const unread = { at: 0, texts: new Map<string, string>() };

export class KnownNodesFile {
  readonly #file: StateFile;
  #nodes: KnownNodes | null = null;
  /** As the file has them. */
  #stored: KnownNodes | null = null;
  /** Not known before a lab is shown. */
  #follows: string | null | undefined;
  #workcell: string | null | undefined;
  #isDemo = false;
  /** How the nodes are, with their flags, and when that was read, in ms since the epoch; never kept in the file. */
  #states: { readonly at: number; readonly texts: ReadonlyMap<string, string> } = unread;

  /** @param path whole path of the JSON file */
  constructor(path: string, log: Log) {
    this.#file = new StateFile(path, 'Nodes for the safety stop', log);
  }

  get path(): string {
    return this.#file.path;
  }

  /** Takes in what the last run kept. Never rejects. @returns why the file can't be read, `null` when it could */
  load(): Promise<string | null> {
    return this.#file.load((text) => {
      const found = text === null ? null : knownNodes.parse(JSON.parse(text));
      // Storage that responds late has nothing newer than what was listed meanwhile.
      this.#stored ??= found;
      if (!this.#isDemo) this.#nodes ??= found;
      this.#forgetOthers();
    });
  }

  get nodes(): KnownNodes | null {
    return this.#nodes;
  }

  /** When their flags were read last, in ms since the epoch; 0 where they never were. */
  get readAt(): number {
    return this.#states.at;
  }

  /** The nodes as the workcell manager lists them now: those of another workcell are forgotten. */
  set(listed: KnownNodes): void {
    const texts = listed.nodes.flatMap(({ name, now }) =>
      now === undefined ? [] : [[name, nodeStateText(now.state, now.flags)] as const],
    );
    this.#states = { at: Date.now(), texts: new Map(texts) };
    const lasting = { ...listed, nodes: listed.nodes.map(({ now: _now, ...node }) => node) };
    const merged = mergeKnownNodes(this.#nodes, lasting);
    const nodes = typeof this.#follows === 'string' ? { ...merged, follows: this.#follows } : merged;
    if (JSON.stringify(nodes) === JSON.stringify(this.#nodes)) return;
    this.#nodes = nodes;
    if (this.#isDemo) return;
    this.#stored = nodes;
    this.#file.save(`${JSON.stringify(nodes, null, 2)}\n`);
  }

  /** `Locked, busy`, as it was read lately and after a stop that was sent at `sentAt`; `null` where it was not. */
  stateAfter(sentAt: number, name: string, now: number): string | null {
    const { at, texts } = this.#states;
    if (at < sentAt + readDelayMs || Math.abs(now - at) > staleMs || !this.#isKnown(name)) return null;
    return texts.get(name) ?? null;
  }

  #isKnown(name: string): boolean {
    return this.#nodes?.nodes.some((node) => node.name === name) ?? false;
  }

  /** Another lab's nodes must not be stopped: forgets them when the settings name another workcell manager. */
  useWorkcell(workcell: string | null): void {
    this.#workcell = workcell;
    this.#forgetOthers();
  }

  /** Only the simulated lab's from now on, and none of them is kept: a later start without a service must not have them. */
  useDemo(): void {
    this.#isDemo = true;
    this.#nodes = null;
  }

  /** Those of another lab are forgotten at once: its addresses may be the same. @param follows `null`: this machine's own */
  useLab(follows: string | null): void {
    this.#follows = follows;
    this.#workcell = undefined;
    if (this.#isDemo) this.#nodes = this.#stored;
    this.#isDemo = false;
    this.#forgetOthers();
  }

  #forgetOthers(): void {
    if (this.#nodes === null || this.#isDemo) return;
    const isOfLab = this.#follows === undefined || (this.#nodes.follows ?? null) === this.#follows;
    const isOfWorkcell = this.#workcell === undefined || this.#nodes.workcell === this.#workcell;
    if (isOfLab && isOfWorkcell) return;
    this.#nodes = null;
    this.#states = unread;
  }
}
