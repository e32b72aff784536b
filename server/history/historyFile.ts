/**
 * The history on disk: one JSON object a line, only ever appended to, each on the disk before anybody is told of it. A torn
 * last line is what a power cut leaves, and is taken off; a file that is damaged otherwise is kept aside.
 */
import { copyFile, mkdir, open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, errorText } from '../../api/errorText.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { replaceOwnFile } from '../storage/replaceOwnFile.ts';
import { readRecord, recordLine, type HistoryRecord } from './record.ts';
import { newestWithin, withoutOld, withoutRepeats } from './retention.ts';

/** The most that the file takes, in bytes; when it has more, it is cut to half. */
const maxBytes = 20 * 1024 * 1024;
/** So many damaged files are kept. */
const maxQuarantined = 3;
/** What waits for a disk that takes nothing: the newest so many. */
const maxPending = 10_000;

interface Read {
  readonly records: readonly HistoryRecord[];
  /** Lines that are no records, besides a torn last one. */
  readonly damaged: number;
  readonly bytes: number;
  readonly torn: boolean;
}

export class HistoryFile {
  readonly path: string;
  readonly #log: Log;
  readonly #limit: number;
  #handle: FileHandle | null = null;
  /** Bytes of whole lines in the file. */
  #length = 0;
  #waiting: HistoryRecord[] = [];
  /** Writes come one after the other. */
  readonly #queue = new TaskQueue();
  #failing = false;

  private constructor(path: string, log: Log, limit: number) {
    this.path = path;
    this.#log = log;
    this.#limit = limit;
  }

  /**
   * Opens the file; it is made when it isn't there.
   * @throws where the folder or the file can't be used, with the reason
   */
  static async open(
    path: string,
    log: Log,
    { now = Date.now(), limit = maxBytes } = {},
  ): Promise<{ readonly file: HistoryFile; readonly records: readonly HistoryRecord[] }> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = new HistoryFile(path, log, limit);
    const read = await readHistory(path);
    if (read.damaged > 0) await file.#quarantine(read.damaged, now);
    const retained = shortened(read.records, now, limit, read.bytes > limit);
    const isAsRead = !read.torn && read.damaged === 0 && retained.length === read.records.length;
    file.#length = read.bytes;
    if (!isAsRead) await file.#rewrite(retained);
    return { file, records: retained };
  }

  /** Whether the disk took the last record. */
  get failing(): boolean {
    return this.#failing;
  }

  /**
   * Appends a record; resolves when it is on the disk, `false` where the disk didn't take it: it is written with the next
   * one then.
   */
  append(record: HistoryRecord): Promise<boolean> {
    this.#waiting = [...this.#waiting, record].slice(0 - maxPending);
    return this.#queue.run(() => this.#flush());
  }

  /** Resolves when all that was appended is written, and the file is closed. */
  async close(): Promise<void> {
    await this.#queue.settled();
    await this.#handle?.close();
    this.#handle = null;
  }

  async #flush(): Promise<boolean> {
    if (this.#waiting.length === 0) return true;
    const records = this.#waiting;
    const text = Buffer.from(records.map(recordLine).join(''));
    try {
      if (this.#length + text.length > this.#limit) {
        const { records: present } = await readHistory(this.path);
        await this.#rewrite(shortened([...present, ...records], Date.now(), this.#limit, true));
      } else {
        this.#handle ??= await open(this.path, 'a', 0o600);
        await this.#handle.appendFile(text);
        await this.#handle.sync();
        this.#length += text.length;
      }
      // More may have come meanwhile, and pushed the oldest out.
      const written = new Set(records);
      this.#waiting = this.#waiting.filter((record) => !written.has(record));
      if (this.#failing) this.#log.info(`The history is written again: ${this.path}`);
      this.#failing = false;
      return true;
    } catch (error) {
      if (!this.#failing)
        this.#log.error(
          `The history can't be written to ${this.path}: ${errorText(error)}. It is kept in memory until it can; free some space or check the permissions of the folder.`,
        );
      this.#failing = true;
      await this.#truncatePartialWrite();
      return false;
    }
  }

  /** What was written of a line that didn't fit. */
  async #truncatePartialWrite(): Promise<void> {
    try {
      await this.#handle?.truncate(this.#length);
      await this.#handle?.close();
    } catch (error) {
      // The next start takes a torn line off.
      this.#log.debug(`The history could not be cut back: ${errorText(error)}`);
    }
    this.#handle = null;
  }

  /** Replaces the file by one with these records; the old one stays until the new one is on the disk. */
  async #rewrite(records: readonly HistoryRecord[]): Promise<void> {
    const text = Buffer.from(records.map(recordLine).join(''));
    // Windows replaces no file that is open.
    await this.#handle?.close();
    this.#handle = null;
    // What is left out is evidence too: the file as it was stays beside until the next time.
    if (2 * text.length < this.#length) await copyFile(this.path, `${this.path}.old`);
    await replaceOwnFile(this.path, text);
    await syncFolder(dirname(this.path));
    this.#length = text.length;
  }

  async #quarantine(lines: number, now: number): Promise<void> {
    const stamp = new Date(now).toISOString().replaceAll(':', '-');
    const aside = `${this.path}.damaged-${stamp}`;
    await copyFile(this.path, aside);
    this.#log.warn(`${lines} lines of the history can't be read: the file is kept as ${aside}, the rest is used`);
    const folder = dirname(this.path);
    const all = (await readdir(folder)).filter((name) => name.startsWith(`${basename(this.path)}.damaged-`)).toSorted();
    for (const name of all.slice(0, -maxQuarantined)) await rm(join(folder, name), { force: true });
  }
}

function shortened(
  records: readonly HistoryRecord[],
  now: number,
  limit: number,
  isFull: boolean,
): readonly HistoryRecord[] {
  const retained = withoutRepeats(withoutOld(records, now));
  return isFull ? newestWithin(retained, limit / 2) : retained;
}

async function readHistory(path: string): Promise<Read> {
  const text = await readNewest(path);
  const whole = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, whole).split('\n').slice(0, -1);
  const records = lines.map(readRecord);
  return {
    records: records.filter((record) => record !== null),
    damaged: records.filter((record) => record === null).length,
    bytes: Buffer.byteLength(text),
    torn: whole < text.length,
  };
}

/** Never more than twice of what it may be: what somebody put there may be larger than the memory. */
async function readNewest(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error('it is not a file');
    const { size } = found;
    if (size <= 2 * maxBytes) return await readFile(path, 'utf8');
    const handle = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(maxBytes);
      const { bytesRead } = await handle.read(bytes, 0, maxBytes, size - maxBytes);
      const text = bytes.toString('utf8', 0, bytesRead);
      return text.slice(text.indexOf('\n') + 1);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/** The new name must be on the disk too; Windows knows no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
