/** The reader of one Logs window: merges the logs of the service and the app by time, and applies the filter. */
import { join } from 'node:path';
import { errorText } from '../../api/errorText.ts';
import { logFileName } from '../../server/logging/logFile.ts';
import { desktopLogName } from '../../server/logging/rotation.ts';
import { cleanText } from '../../server/logging/text.ts';
import { logLevels, passesFilter, type LogBatch, type LogEntry, type LogFilter } from '../ipc/logs.ts';
import { LogTail } from './logTail.ts';

/** A response contains about 500 lines, or fewer if 40 chunks of 64 KB were read. */
const targetEntries = 500;
const maxChunks = 40;

type Entry = Omit<LogEntry, 'id'>;

interface Source {
  readonly tail: LogTail;
  readonly source: LogEntry['source'];
  /** Lines read but not returned yet, the oldest first; all older than those returned. */
  pendingEntries: Entry[];
  /** True when there are no lines before the pending ones. */
  isStart: boolean;
  /** The reason why the log can't be read and has no lines; `null` if it is readable. */
  failure: string | null;
}

export class LogSession {
  readonly #sources: readonly Source[];
  #filter: LogFilter = { level: 'debug', source: null, text: '' };
  #nextId = 0;
  /** Reads run in sequence because they move the same positions. */
  #queue: Promise<unknown> = Promise.resolve();

  /** @param folder the folder with the logs */
  constructor(folder: string) {
    const source = (name: string, kind: LogEntry['source']): Source => ({
      tail: new LogTail(join(folder, name)),
      source: kind,
      pendingEntries: [],
      isStart: false,
      failure: null,
    });
    this.#sources = [source(logFileName, 'service'), source(desktopLogName, 'app')];
  }

  /** Returns the newest lines, and sets the filter for later reads. */
  start(filter: LogFilter): Promise<LogBatch> {
    return this.#runInSequence(async () => {
      this.#filter = filter;
      for (const source of this.#sources) {
        source.pendingEntries = [];
        source.isStart = !(await readOrDefault(source, () => source.tail.start().then(() => true), false));
      }
      return this.#older();
    });
  }

  /** Returns the lines before those already returned. */
  older(): Promise<LogBatch> {
    return this.#runInSequence(() => this.#older());
  }

  /** Returns the lines written since the last read. */
  newer(): Promise<LogBatch> {
    return this.#runInSequence(async () => {
      const newEntries: Entry[] = [];
      let skippedBytes = 0;
      for (const source of this.#sources) {
        const nothing = { lines: [], skippedBytes: 0 };
        const { lines, skippedBytes: skippedInSource } = await readOrDefault(
          source,
          () => source.tail.newer(),
          nothing,
        );
        newEntries.push(...this.#toEntries(lines, source.source));
        skippedBytes += skippedInSource;
      }
      return {
        entries: this.#assignIds(sortByTime(newEntries)),
        isStart: false,
        skippedBytes,
        failure: this.#failure(),
      };
    });
  }

  async #older(): Promise<LogBatch> {
    const entries: Entry[] = [];
    for (let chunks = 0; entries.length < targetEntries && chunks < maxChunks;) {
      for (const source of this.#sources) {
        while (source.pendingEntries.length === 0 && !source.isStart && chunks < maxChunks) {
          chunks += 1;
          await this.#fillSource(source);
        }
      }
      // The newest line is unknown until each source has its next line.
      if (this.#sources.some(({ pendingEntries, isStart }) => pendingEntries.length === 0 && !isStart)) break;
      const next = this.#popNewest();
      if (next === undefined) break;
      entries.push(next);
    }
    const isStart = this.#sources.every((source) => source.isStart && source.pendingEntries.length === 0);
    return { entries: this.#assignIds(entries.toReversed()), isStart, skippedBytes: 0, failure: this.#failure() };
  }

  async #fillSource(source: Source): Promise<void> {
    const lines = await readOrDefault(source, () => source.tail.older(), null);
    if (lines === null) source.isStart = true;
    else source.pendingEntries = this.#toEntries(lines, source.source);
  }

  /** Removes and returns the newest pending line. */
  #popNewest(): Entry | undefined {
    const [first, second] = this.#sources.map(({ pendingEntries }) => pendingEntries.at(-1));
    const isSecond = second !== undefined && (first === undefined || second.time > first.time);
    return this.#sources[isSecond ? 1 : 0]?.pendingEntries.pop();
  }

  #toEntries(lines: readonly string[], source: LogEntry['source']): Entry[] {
    return inheritTimes(lines.map((line) => parseLogLine(line, source))).filter((entry) =>
      passesFilter(entry, this.#filter),
    );
  }

  #assignIds(entries: readonly Entry[]): LogEntry[] {
    return entries.map((entry) => ({ ...entry, id: this.#nextId++ }));
  }

  #failure(): string | null {
    const failures = this.#sources.flatMap(({ failure }) => failure ?? []);
    return failures.length === 0 ? null : failures.join(' ');
  }

  #runInSequence(read: () => Promise<LogBatch>): Promise<LogBatch> {
    const turn = this.#queue.then(read);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

/**
 * Returns the result of a read; after an error, records it and returns `fallback`, so that the other log is still
 * read.
 */
async function readOrDefault<Result>(source: Source, read: () => Promise<Result>, fallback: Result): Promise<Result> {
  try {
    const result = await read();
    source.failure = null;
    return result;
  } catch (error) {
    source.failure = `The log of the ${source.source} can’t be read: ${errorText(error)}.`;
    return fallback;
  }
}

/** Sets the time of each line without one to that of the previous line. */
function inheritTimes(entries: readonly Entry[]): Entry[] {
  let time = '';
  return entries.map((entry) => {
    time = entry.time || time;
    return { ...entry, time };
  });
}

function sortByTime(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** The maximum length of a displayed line, in characters; the product's lines have at most 16,000. */
const maxLineLength = 16_200;

/** `2026-11-22 14:02:11.123 [info] (watch) text`, the `format` of electron-log. */
const linePattern = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[(\w+)\] *(?:\(([^)]*)\) )?(.*)$/s;

/** Parses any input: unprintable characters are removed, and a line in another format becomes text only. */
export function parseLogLine(raw: string, source: LogEntry['source']): Omit<LogEntry, 'id'> {
  const [, time = '', word = '', scope = '', text = ''] = linePattern.exec(raw.slice(0, maxLineLength)) ?? [];
  const level = logLevels.find((candidate) => candidate === word) ?? null;
  if (time === '' || level === null)
    return { source, time: '', level: null, scope: '', text: cleanText(raw, maxLineLength) };
  return { source, time, level, scope: cleanText(scope, 60), text: cleanText(text, maxLineLength) };
}
