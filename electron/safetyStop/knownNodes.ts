/**
 * The nodes that the shell's safety stop targets: those of the last list, stored in a file for starts without a
 * service.
 */
import { hasSafetyStop } from '../../api/safetyStop/safetyStop.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { Log } from '../../server/logging/log.ts';
import { knownNodes, mergeKnownNodes, type KnownNodes } from '../../server/lab/knownNodes.ts';
import { StateFile } from '../../server/storage/stateFile.ts';

export class KnownNodesFile {
  readonly #file: StateFile;
  #nodes: KnownNodes | null = null;
  /** The content of the file. */
  #storedNodes: KnownNodes | null = null;
  /** The lab manager and the workcell manager of the shown lab; undefined before a lab is shown. */
  #followedUrl: string | null | undefined;
  #workcell: string | null | undefined;
  #isDemo = false;

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

  get names(): readonly string[] {
    return (this.#nodes?.nodes ?? []).map(({ name }) => name);
  }

  /** The nodes that a safety stop locks and pauses, because they have none. */
  get namesWithoutStop(): readonly string[] {
    const nodes = this.#nodes?.nodes ?? [];
    return nodes.filter(({ commands }) => hasSafetyStop(commands) === false).map(({ name }) => name);
  }

  /** Sets the workcell manager's current list of nodes; nodes of another workcell are forgotten. */
  set(listed: KnownNodes): void {
    const withoutState = { ...listed, nodes: listed.nodes.map(({ now: _now, ...node }) => node) };
    const merged = mergeKnownNodes(this.#nodes, withoutState);
    const nodes = typeof this.#followedUrl === 'string' ? { ...merged, follows: this.#followedUrl } : merged;
    if (sameJson(nodes, this.#nodes)) return;
    this.#nodes = nodes;
    if (this.#isDemo) return;
    this.#storedNodes = nodes;
    this.#file.save(`${JSON.stringify(nodes, null, 2)}\n`);
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
  }
}
