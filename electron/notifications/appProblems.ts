/** Problems of the app itself: its folders and files, their disks, its errors, and a replaced program. */
import { DiskWatch, listFolders } from '../folders/diskWatch.ts';
import type { Log } from '../../server/logging/log.ts';
import type { NoticeInput } from './notices.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import type { FolderProblem } from '../folders/folders.ts';
import { ProgramWatch } from '../folders/programWatch.ts';

/** The maximum number of stored errors of this app. */
const maxErrors = 10;

interface StoredProblems {
  readonly path: string;
  /** @returns the reason if it can't be read, else `null` */
  readonly load: () => Promise<string | null>;
}

export class AppProblems {
  readonly #appPaths: AppPaths;
  readonly #disk: DiskWatch;
  readonly #program: ProgramWatch;
  readonly #onChange: () => void;
  #errors: readonly string[] = [];
  /** Files of the last run that could not be read. */
  #files: readonly FolderProblem[] = [];

  constructor(appPaths: AppPaths, log: Log, onChange: () => void) {
    this.#appPaths = appPaths;
    this.#disk = new DiskWatch(listFolders(appPaths), onChange);
    this.#program = new ProgramWatch(process.execPath, log.scope('updates'), onChange);
    this.#onChange = onChange;
  }

  get noticeInput(): Pick<NoticeInput, 'folders' | 'files' | 'disk' | 'errors' | 'isReplaced' | 'logDir'> {
    const { folderProblems, logDir } = this.#appPaths;
    const { isReplaced } = this.#program;
    return {
      folders: folderProblems,
      files: this.#files,
      disk: this.#disk.lowSpace,
      errors: this.#errors,
      isReplaced,
      logDir,
    };
  }

  /** Loads the files of the last run, with a timeout if storage does not respond. Never rejects. */
  async load(files: readonly { readonly file: StoredProblems; readonly use: string }[]): Promise<void> {
    const problems = await Promise.all(
      files.map(async ({ file, use }) => ({ path: file.path, use, reason: await file.load() })),
    );
    this.#files = problems.flatMap(({ reason, ...file }) => (reason === null ? [] : [{ ...file, reason }]));
  }

  addError(text: string): void {
    this.#errors = [...this.#errors, text].slice(-maxErrors);
    this.#onChange();
  }

  start(): void {
    this.#disk.start();
    this.#program.start();
  }

  stop(): void {
    this.#disk.stop();
    this.#program.stop();
  }
}
