/**
 * The history on disk: one JSON object per line, append-only, each synced to disk before it is acknowledged. A torn last
 * line, as after a power failure, is removed; a file with other damage is quarantined.
 */
import { copyFile, mkdir, open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { clock } from '../../api/time/clock.ts';
import { errorCode, errorText } from '../../api/errorText.ts';
import { plural } from '../../api/countText.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { LockedFileError, retryWhileLocked } from '../storage/lockedFiles.ts';
import { replaceOwnFile } from '../storage/replaceOwnFile.ts';
import { parseRecord, serializeRecord, type HistoryRecord } from './record.ts';
import { limitToNewest, dropOldRecords, mergeWatchedRecords } from './retention.ts';

/** Maximum size of the file in bytes; a larger file is reduced to half. */
const maxBytes = 20 * 1024 * 1024;
/** The maximum number of quarantined files. */
const maxQuarantined = 3;
/** The maximum number of pending records while the disk accepts none; the oldest are dropped. */
const maxPending = 10_000;

interface ReadHistory {
  readonly records: readonly HistoryRecord[];
  /** Lines that are not records, besides a torn last one. */
  readonly damagedLines: number;
  readonly bytes: number;
  /** Whether the end is a complete line, and nothing before the records was skipped. */
  readonly isWhole: boolean;
}

export class HistoryFile {
  readonly path: string;
  readonly #log: Log;
  readonly #limit: number;
  #handle: FileHandle | null = null;
  /** The size of complete lines in the file, in bytes. */
  #length = 0;
  #pending: HistoryRecord[] = [];
  /** Serialises writes. */
  readonly #queue = new TaskQueue();
  #failing = false;

  private constructor(path: string, log: Log, limit: number) {
    this.path = path;
    this.#log = log;
    this.#limit = limit;
  }

  /**
   * Opens the file and creates it if it is missing.
   * @throws with the reason if the folder or the file is unusable
   */
  static async open(
    path: string,
    log: Log,
    { now = clock.now(), limit = maxBytes } = {},
  ): Promise<{ readonly file: HistoryFile; readonly records: readonly HistoryRecord[] }> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = new HistoryFile(path, log, limit);
    const read = await readHistory(path);
    if (read.damagedLines > 0) await file.#quarantine(read.damagedLines, now);
    const retained = truncateHistory(read.records, now, limit, read.bytes > limit);
    const isUnchanged = read.isWhole && read.damagedLines === 0 && retained.length === read.records.length;
    file.#length = read.bytes;
    if (!isUnchanged) await file.#rewrite(retained);
    return { file, records: retained };
  }

  /** Whether the last write failed. */
  get isFailing(): boolean {
    return this.#failing;
  }

  /**
   * Appends a record; resolves with `true` when it is on disk, or with `false` if the write failed: then it is written
   * together with the next one.
   */
  append(record: HistoryRecord): Promise<boolean> {
    this.#pending = [...this.#pending, record].slice(0 - maxPending);
    return this.#queue.run(() => this.#flush());
  }

  /**
   * Replaces the content, including pending records.
   * @param records called when earlier writes have finished
   * @param preservesCopy whether a copy of the current file is preserved beside it
   * @throws {Error} the reason why the file could not be replaced
   */
  replace(records: () => readonly HistoryRecord[], preservesCopy: boolean): Promise<void> {
    return this.#queue.run(async () => {
      const retained = records();
      this.#pending = [];
      await this.#rewrite(retained, preservesCopy);
    });
  }

  /** Resolves when all appended records are written, and the file is closed. */
  async close(): Promise<void> {
    await this.#queue.settled();
    await this.#handle?.close();
    this.#handle = null;
  }

  async #flush(): Promise<boolean> {
    if (this.#pending.length === 0) return true;
    const records = this.#pending;
    const text = Buffer.from(records.map(serializeRecord).join(''));
    try {
      if (this.#length + text.length > this.#limit) {
        const { records: storedRecords } = await readHistory(this.path);
        await this.#rewrite(truncateHistory([...storedRecords, ...records], clock.now(), this.#limit, true));
      } else {
        this.#handle ??= await retryWhileLocked('open', () => open(this.path, 'a', 0o600));
        await this.#handle.appendFile(text);
        await this.#handle.sync();
        this.#length += text.length;
      }
      // New records may have been added meanwhile and displaced the oldest.
      const writtenRecords = new Set(records);
      this.#pending = this.#pending.filter((record) => !writtenRecords.has(record));
      if (this.#failing) this.#log.info(`The history is written again: ${this.path}`);
      this.#failing = false;
      return true;
    } catch (error) {
      const isLocked = error instanceof LockedFileError;
      const advice = isLocked ? 'close that program' : 'free some space or check the permissions of the folder';
      if (!this.#failing)
        this.#log.error(
          `The history can't be written to ${this.path}: ${errorText(error)}. It is kept in memory until then; ${advice}.`,
        );
      this.#failing = true;
      await this.#truncatePartialWrite();
      return false;
    }
  }

  /** Truncates a partially written line. */
  async #truncatePartialWrite(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    try {
      await handle?.truncate(this.#length);
    } catch (error) {
      // The next start removes a torn line.
      this.#log.debug(`The history could not be cut back: ${errorText(error)}`);
    } finally {
      await handle?.close().catch(() => undefined);
    }
  }

  /** Replaces the file with these records; the old one remains until the new one is on disk. */
  async #rewrite(records: readonly HistoryRecord[], preservesCopy = true): Promise<void> {
    const text = Buffer.from(records.map(serializeRecord).join(''));
    // Windows cannot replace an open file.
    await this.#handle?.close();
    this.#handle = null;
    // The copy preserves the dropped records until the file is reduced again.
    if (preservesCopy && 2 * text.length < this.#length) await copyFile(this.path, `${this.path}.old`);
    await replaceOwnFile(this.path, text);
    await syncFolder(dirname(this.path));
    this.#length = text.length;
  }

  async #quarantine(lines: number, now: number): Promise<void> {
    const stamp = new Date(now).toISOString().replaceAll(':', '-');
    const quarantinePath = `${this.path}.damaged-${stamp}`;
    await copyFile(this.path, quarantinePath);
    this.#log.warn(
      `${plural(lines, 'line')} of the history can't be read: the file is kept as ${quarantinePath}, the rest is used`,
    );
    const folder = dirname(this.path);
    const quarantined = (await readdir(folder))
      .filter((name) => name.startsWith(`${basename(this.path)}.damaged-`))
      .toSorted();
    for (const name of quarantined.slice(0, -maxQuarantined)) await rm(join(folder, name), { force: true });
  }
}

function truncateHistory(
  records: readonly HistoryRecord[],
  now: number,
  limit: number,
  isFull: boolean,
): readonly HistoryRecord[] {
  const retained = mergeWatchedRecords(dropOldRecords(records, now));
  return isFull ? limitToNewest(retained, limit / 2) : retained;
}

async function readHistory(path: string): Promise<ReadHistory> {
  const { text, isPartial } = await readEnd(path);
  const completeLength = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, completeLength).split('\n').slice(0, -1);
  const records = lines.map(parseRecord);
  return {
    records: records.filter((record) => record !== null),
    damagedLines: records.filter((record) => record === null).length,
    bytes: Buffer.byteLength(text),
    isWhole: !isPartial && completeLength === text.length,
  };
}

/** Reads the file, or only the end of one that is larger than twice the maximum size. */
async function readEnd(path: string): Promise<{ readonly text: string; readonly isPartial: boolean }> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Error('it is not a file');
    const { size } = stats;
    if (size <= 2 * maxBytes)
      return { text: await retryWhileLocked('open', () => readFile(path, 'utf8')), isPartial: false };
    const handle = await retryWhileLocked('open', () => open(path, 'r'));
    try {
      const bytes = Buffer.alloc(maxBytes);
      const { bytesRead } = await handle.read(bytes, 0, maxBytes, size - maxBytes);
      const text = bytes.toString('utf8', 0, bytesRead);
      return { text: text.slice(text.indexOf('\n') + 1), isPartial: true };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { text: '', isPartial: false };
    throw error;
  }
}

/** Syncs the folder, so that the new name is on disk too; Windows has no equivalent. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
