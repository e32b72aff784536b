/** What is wrong with the app itself, beside the lab: its folders, the disks they are on, its own errors. */
import { DiskWatch, foldersOf } from './diskWatch.ts';
import type { NoticeInput } from './notices.ts';
import type { AppPaths } from './start/appPaths.ts';

/** Errors of this app that are remembered. */
const keptErrors = 10;

export class AppProblems {
  readonly #appPaths: AppPaths;
  readonly #disk: DiskWatch;
  readonly #onChange: () => void;
  #errors: readonly string[] = [];

  constructor(appPaths: AppPaths, onChange: () => void) {
    this.#appPaths = appPaths;
    this.#disk = new DiskWatch(foldersOf(appPaths), onChange);
    this.#onChange = onChange;
  }

  get facts(): Pick<NoticeInput, 'folders' | 'disk' | 'errors' | 'logDir'> {
    const { folderProblems: folders, logDir } = this.#appPaths;
    return { folders, disk: this.#disk.low, errors: this.#errors, logDir };
  }

  noteError(text: string): void {
    this.#errors = [...this.#errors, text].slice(-keptErrors);
    this.#onChange();
  }

  start(): void {
    this.#disk.start();
  }

  stop(): void {
    this.#disk.stop();
  }
}
