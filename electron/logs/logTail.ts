/**
 * Reads one log and its rotated files from the end: backwards in chunks, and forwards as it grows, also across rotation
 * and truncation. Files are identified by inode and creation time, because rotation renames them, and a new file can
 * get the inode of a deleted one.
 */
import { lstat, open } from 'node:fs/promises';
import { rotatedPaths } from '../../server/logging/rotation.ts';

/** Bytes per read. A line longer than this is cut. */
const chunkBytes = 64 * 1024;
/** When more than this was written since the last read, the middle is skipped. */
const maxNewBytes = 512 * 1024;
const newline = 10;

interface FileIdentity {
  /** The inode number. */
  readonly inode: bigint;
  /** The creation time in ns since the epoch; the time of the last change if the file system has none. */
  readonly createdNs: bigint;
  readonly isCreationKnown: boolean;
}

interface Position {
  readonly file: FileIdentity;
  readonly offset: number;
}

interface LogFile {
  readonly path: string;
  readonly file: FileIdentity;
  readonly bytes: number;
}

interface NewLines {
  readonly lines: readonly string[];
  /** Bytes skipped between the previous read and these lines. */
  readonly skippedBytes: number;
}

export class LogTail {
  readonly #path: string;
  /** Where backward reading continues: the start of the oldest line read; `null` when everything before it is read. */
  #backward: Position | null = null;
  /** Where forward reading continues: the end of the newest line read. */
  #forward: Position | null = null;

  /** @param path absolute path of the newest file */
  constructor(path: string) {
    this.#path = path;
  }

  /** Starts at the end of the last complete line. */
  async start(): Promise<void> {
    const [newest] = await this.#files();
    this.#forward = this.#backward = null;
    if (newest === undefined) return;
    const from = Math.max(0, newest.bytes - chunkBytes);
    const bytes = await readRange(newest.path, from, newest.bytes);
    const end = bytes.lastIndexOf(newline);
    // Without a line end, the content is either not text or an incomplete first line.
    const offset = end === -1 ? (from === 0 ? 0 : newest.bytes) : from + end + 1;
    const isLive = newest.path === this.#path;
    if (isLive) this.#forward = { file: newest.file, offset };
    this.#backward = { file: newest.file, offset: isLive ? offset : newest.bytes };
  }

  /**
   * Returns the lines of the chunk before the oldest line read, the oldest first; `null` at the beginning of the log.
   */
  async older(): Promise<readonly string[] | null> {
    for (;;) {
      const backward = this.#backward;
      if (backward === null) return null;
      const files = await this.#files();
      const index = files.findIndex(({ file }) => isSame(file, backward.file));
      const current = files[index];
      // Rotation has deleted the file, and all earlier ones.
      if (current === undefined) {
        this.#backward = null;
        return null;
      }
      if (backward.offset === 0) {
        const previous = files[index + 1];
        this.#backward = previous === undefined ? null : { file: previous.file, offset: previous.bytes };
        continue;
      }
      const from = Math.max(0, backward.offset - chunkBytes);
      const bytes = await readRange(current.path, from, Math.min(backward.offset, current.bytes));
      const firstEnd = from === 0 ? -1 : bytes.indexOf(newline);
      // The first line may begin before the chunk; a chunk that contains only one line is used as it is.
      const start = firstEnd === -1 || firstEnd === bytes.length - 1 ? 0 : firstEnd + 1;
      this.#backward = { file: backward.file, offset: from + start };
      return splitLines(bytes.subarray(start));
    }
  }

  /** Returns the complete lines written since the last read. */
  async newer(): Promise<NewLines> {
    const files = await this.#files();
    const live = files[0]?.path === this.#path ? files[0] : undefined;
    const forward = this.#forward;
    if (forward === null) {
      if (live === undefined) return { lines: [], skippedBytes: 0 };
      this.#forward = { file: live.file, offset: 0 };
      return this.#read(live);
    }
    const earlier = files.find(({ file }) => isSame(file, forward.file));
    if (earlier === undefined || earlier.bytes < forward.offset) {
      // The file was deleted or truncated: all of its current content is new.
      this.#forward = live === undefined ? null : { file: live.file, offset: 0 };
      return live === undefined ? { lines: [], skippedBytes: 0 } : this.#read(live);
    }
    const rest = await this.#read(earlier);
    if (earlier.path === this.#path || live === undefined) return rest;
    // The file was rotated: later lines are in the files after it and in the new one.
    const between = files.slice(1, files.indexOf(earlier)).reduce((sum, { bytes }) => sum + bytes, 0);
    this.#forward = { file: live.file, offset: 0 };
    const after = await this.#read(live);
    return {
      lines: [...rest.lines, ...after.lines],
      skippedBytes: rest.skippedBytes + between + after.skippedBytes,
    };
  }

  /** Reads from the end of the newest line read to the last line end of this file, at most the last 512 KiB. */
  async #read({ path, file, bytes: size }: LogFile): Promise<NewLines> {
    const offset = this.#forward?.offset ?? 0;
    if (size <= offset) return { lines: [], skippedBytes: 0 };
    const from = Math.max(offset, size - maxNewBytes);
    const bytes = await readRange(path, from, size);
    const end = bytes.lastIndexOf(newline);
    if (end === -1 && bytes.length < chunkBytes) return { lines: [], skippedBytes: 0 };
    const whole = end === -1 ? bytes : bytes.subarray(0, end + 1);
    const start = from === offset ? 0 : whole.indexOf(newline) + 1;
    this.#forward = { file, offset: from + whole.length };
    return { lines: splitLines(whole.subarray(start)), skippedBytes: from + start - offset };
  }

  /** Returns the existing files, the newest first. Links are skipped. */
  async #files(): Promise<readonly LogFile[]> {
    const logFiles = await Promise.all(
      rotatedPaths(this.#path).map(async (path): Promise<LogFile | null> => {
        const stats = await lstat(path, { bigint: true }).catch(() => null);
        if (!stats?.isFile()) return null;
        const { ino, birthtimeNs, ctimeNs } = stats;
        return {
          path,
          file: { inode: ino, createdNs: birthtimeNs, isCreationKnown: birthtimeNs !== ctimeNs },
          bytes: Number(stats.size),
        };
      }),
    );
    return logFiles.filter((file) => file !== null);
  }
}

/** Compares inodes only when the creation times are unknown. */
function isSame(a: FileIdentity, b: FileIdentity): boolean {
  return a.inode === b.inode && (a.createdNs === b.createdNs || !(a.isCreationKnown || b.isCreationKnown));
}

async function readRange(path: string, from: number, to: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, to - from));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function splitLines(bytes: Buffer): readonly string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
