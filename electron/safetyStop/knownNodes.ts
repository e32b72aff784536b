/**
 * The nodes that the shell's safety stop targets: those of the last list, stored in a file for starts without a
 * service.
 */
import { clock } from '../../api/time/clock.ts';
import { nodeStateText } from '../../api/managers/nodeState.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { Log } from '../../server/logging/log.ts';
import { knownNodes, mergeKnownNodes, type KnownNodes } from '../../server/activity/knownNodes.ts';
import { StateFile } from '../../server/storage/stateFile.ts';

/** The maximum time until the workcell manager reads the nodes again after a stop, in ms. */
const maxReadDelayMs = 5000;
/** The age in ms at which a read state counts as unknown. */
const staleMs = 20_000;

const noStates = { at: 0, texts: new Map<string, string>() };

export class KnownNodesFile {
  readonly #file: StateFile;
  #nodes: KnownNodes | null = null;
  /** The content of the file. */
  #storedNodes: KnownNodes | null = null;
  /** The lab manager and the workcell manager of the shown lab; undefined before a lab is shown. */
  #followedUrl: string | null | undefined;
  #workcell: string | null | undefined;
  #isDemo = false;
  /** The states of the nodes with their flags and the time of reading, in ms since the epoch; never saved. */
  #states: { readonly at: number; readonly texts: ReadonlyMap<string, string> } = noStates;

  /** @param path absolute path of the JSON file */
  constructor(path: string, log: Log) {
    this.#file = new StateFile(path, 'Nodes for the safety stop', log);
  }

  get path(): string {
    return this.#file.path;
  }

  /** Loads the nodes of the last run. Never rejects. @returns the reason if the file can't be read, else `null` */
  load(): Promise<string | null> {
    return this.#file.load((text) => {
      const storedNodes = text === null ? null : knownNodes.parse(JSON.parse(text));
      // A late read doesn't replace a list received meanwhile.
      this.#storedNodes ??= storedNodes;
      if (!this.#isDemo) this.#nodes ??= storedNodes;
      this.#dropForeignNodes();
    });
  }

  get nodes(): KnownNodes | null {
    return this.#nodes;
  }

  /** The time at which the nodes' flags were last read, in ms since the epoch; 0 if never. */
  get readAt(): number {
    return this.#states.at;
  }

  /** Sets the workcell manager's current list of nodes; nodes of another workcell are forgotten. */
  set(listed: KnownNodes): void {
    const texts = listed.nodes.flatMap(({ name, now }) =>
      now === undefined ? [] : [[name, nodeStateText(now.state, now.flags)] as const],
    );
    this.#states = { at: clock.now(), texts: new Map(texts) };
    const withoutState = { ...listed, nodes: listed.nodes.map(({ now: _now, ...node }) => node) };
    const merged = mergeKnownNodes(this.#nodes, withoutState);
    const nodes = typeof this.#followedUrl === 'string' ? { ...merged, follows: this.#followedUrl } : merged;
    if (sameJson(nodes, this.#nodes)) return;
    this.#nodes = nodes;
    if (this.#isDemo) return;
    this.#storedNodes = nodes;
    this.#file.save(`${JSON.stringify(nodes, null, 2)}\n`);
  }

  /** Returns `Locked, busy` from a recent read that reflects the stop sent at `sentAt`; `null` without such a read. */
  stateAfter(sentAt: number, name: string, now: number): string | null {
    const { at, texts } = this.#states;
    if (at < sentAt + maxReadDelayMs || Math.abs(now - at) > staleMs || !this.#isKnown(name)) return null;
    return texts.get(name) ?? null;
  }

  #isKnown(name: string): boolean {
    return this.#nodes?.nodes.some((node) => node.name === name) ?? false;
  }

  /** Forgets nodes of any workcell manager but that of the settings, because they must not be stopped. */
  useWorkcell(workcell: string | null): void {
    this.#workcell = workcell;
    this.#dropForeignNodes();
  }

  /**
   * Uses only the demo lab's nodes from now on. They are not saved, because a later start without a service must not
   * target them.
   */
  useDemoLab(): void {
    this.#isDemo = true;
    this.#nodes = null;
  }

  /**
   * Discards the nodes of another lab at once, because its addresses may be the same.
   * @param followedUrl `null`: this machine's lab
   */
  useLab(followedUrl: string | null): void {
    this.#followedUrl = followedUrl;
    this.#workcell = undefined;
    if (this.#isDemo) this.#nodes = this.#storedNodes;
    this.#isDemo = false;
    this.#dropForeignNodes();
  }

  #dropForeignNodes(): void {
    if (this.#nodes === null || this.#isDemo) return;
    const belongsToLab = this.#followedUrl === undefined || (this.#nodes.follows ?? null) === this.#followedUrl;
    const belongsToWorkcell = this.#workcell === undefined || this.#nodes.workcell === this.#workcell;
    if (belongsToLab && belongsToWorkcell) return;
    this.#nodes = null;
    this.#states = noStates;
  }
}
