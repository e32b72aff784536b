/** A small state file that never blocks other work: read with a size limit, written in order, with failures reported. */
import { dirname } from 'node:path';
import { errorText } from '../../api/errorText.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { readOwnFile, replaceInOwnFolder } from './replaceOwnFile.ts';
import { withStorageTimeout } from './storageTimeout.ts';

const queues = new Map<string, TaskQueue>();

/**
 * Serialises the work on the files of a folder: a folder that does not respond occupies only one thread of the pool that
 * also resolves host names. @throws {StorageTimeoutError} what `work` throws
 */
export function queueForFolder<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  return enqueue(dirname(path), work);
}

function enqueue<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
  const queue = queues.get(key) ?? new TaskQueue();
  queues.set(key, queue);
  return withStorageTimeout(queue.run(work));
}

/** Resolves when every file is written, or its timeout has elapsed. */
export async function waitForStateFiles(ms?: number): Promise<void> {
  await withStorageTimeout(Promise.all([...queues.values()].map((queue) => queue.settled())), ms).catch(
    () => undefined,
  );
}

export class StateFile {
  readonly path: string;
  readonly #label: string;
  readonly #log: Log;
  /** The files of a queue are written one after the other. */
  readonly #queue: string;
  #next: string | null = null;
  #writing: Promise<void> = Promise.resolve();
  #reportedProblem = '';

  /**
   * @param label the name of the content in messages: `Preferences`
   * @param isUrgent whether it does not wait for the other files of the folder
   */
  constructor(path: string, label: string, log: Log, isUrgent = false) {
    this.path = path;
    this.#queue = isUrgent ? path : dirname(path);
    this.#label = label;
    this.#log = log;
  }

  /**
   * Reads the file. Never rejects.
   * @param onText receives the text, `null` if there is no file; if storage is slow it runs after this resolves, but
   * before anything is written
   * @returns why it is unreadable, `null` if it was read
   */
  async load(onText: (text: string | null) => void | Promise<void>): Promise<string | null> {
    try {
      await enqueue(this.#queue, async () => onText(await readOwnFile(this.path)));
      return null;
    } catch (error) {
      const reason = isDamage(error) ? 'it is damaged' : errorText(error);
      this.#report(`${this.#label} can't be read from ${this.path}: ${reason}`);
      return reason;
    }
  }

  /** Resolves when the last text is written, or could not be written. Never rejects. */
  get settled(): Promise<void> {
    return this.#writing;
  }

  /** Replaces the file soon; of several pending texts only the last is written. */
  save(text: string): void {
    const isQueued = this.#next !== null;
    this.#next = text;
    if (isQueued) return;
    const write = async (): Promise<void> => {
      const next = this.#next ?? '';
      this.#next = null;
      await replaceInOwnFolder(this.path, next);
      this.#reportedProblem = '';
    };
    this.#writing = enqueue(this.#queue, write).catch((error: unknown) =>
      this.#report(`${this.#label} can't be kept in ${this.path}: ${errorText(error)}`),
    );
  }

  #report(text: string): void {
    if (text !== this.#reportedProblem) this.#log.warn(text);
    this.#reportedProblem = text;
  }
}

/** Whether a parser's exception is about the text: invalid JSON, or a mismatch with its schema. */
export function isDamage(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && 'issues' in error);
}
