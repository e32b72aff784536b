/** Watches the free space on the disks of settings, state and log while the app runs. */
import { homedir } from 'node:os';
import { clock } from '../../api/time/clock.ts';
import type { Folder } from '../../server/diagnostics/checks/check.ts';
import { lowSpace, type LowSpace, lowSpaceText, measureFreeSpace } from '../../server/diagnostics/checks/disk.ts';
import { stateDir } from '../../server/storage/installation.ts';
import type { AppPaths } from './appPaths.ts';

/** The interval of the checks, in milliseconds. */
const checkIntervalMs = 60_000;

export class DiskWatch {
  readonly #folders: readonly Folder[];
  readonly #onChange: () => void;
  readonly #measure: typeof measureFreeSpace;
  #timer: NodeJS.Timeout | null = null;
  #isMeasuring = false;
  #lowSpace: LowSpace | null = null;

  /** @param onChange called when a disk becomes nearly full, or has enough space again */
  constructor(folders: readonly Folder[], onChange: () => void, measure = measureFreeSpace) {
    this.#folders = folders;
    this.#onChange = onChange;
    this.#measure = measure;
  }

  /** The disk that is nearly full; `null` without one. */
  get lowSpace(): LowSpace | null {
    return this.#lowSpace;
  }

  start(): void {
    void this.#check();
    this.#timer ??= clock.setInterval(() => void this.#check(), checkIntervalMs);
  }

  stop(): void {
    if (this.#timer) clock.clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Skips the check while the previous one is pending. */
  async #check(): Promise<void> {
    if (this.#isMeasuring) return;
    this.#isMeasuring = true;
    const low = lowSpace(await this.#measure(this.#folders));
    this.#isMeasuring = false;
    const previous = this.#lowSpace;
    this.#lowSpace = low;
    if ((low && lowSpaceText(low)) !== (previous && lowSpaceText(previous))) this.#onChange();
  }
}

export function listFolders({ configDir, logDir }: AppPaths): readonly Folder[] {
  return [
    { use: 'settings', path: configDir },
    { use: 'state', path: stateDir(process.platform, process.env, homedir()) },
    { use: 'log', path: logDir },
  ];
}
