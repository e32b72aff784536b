/** The nodes that the shell's safety stop goes to: as told last, kept in a small file for a start without a service. */
import { readFileSync } from 'node:fs';
import { errorText, type Log } from '../../server/logging/log.ts';
import { knownNodes, mergeKnownNodes, type KnownNodes } from '../../server/nodes/knownNodes.ts';
import { replaceFileSync } from '../preferences/replaceFile.ts';

export class KnownNodesFile {
  readonly #path: string;
  readonly #log: Log;
  #nodes: KnownNodes | null;
  #follows: string | null = null;
  #isDemo = false;

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
    const merged = mergeKnownNodes(this.#nodes, listed);
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
