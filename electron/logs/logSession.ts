/** What one Logs window reads: the service's log and the app's, put together by time, as its filter says. */
import { join } from 'node:path';
import { errorText } from '../../api/errorText.ts';
import { logFileName } from '../../server/logging/logFile.ts';
import { desktopLogName } from '../../server/logging/rotation.ts';
import { cleanText } from '../../server/logging/text.ts';
import { logLevels, passesFilter, type LogBatch, type LogEntry, type LogFilter } from '../ipc/logs.ts';
import { LogTail } from './logTail.ts';

/** One answer has about so many lines, and is given after so many chunks of 64 KB, whatever was found. */
const enoughEntries = 500;
const maxChunks = 40;

type Entry = Omit<LogEntry, 'id'>;

interface Source {
  readonly tail: LogTail;
  readonly source: LogEntry['source'];
  /** Read but not given out yet, the oldest first; all older than what was given. */
  waiting: Entry[];
  /** Nothing is before what waits. */
  isBegin: boolean;
  /** Why it can't be read; then it has no lines. `null` while it can. */
  failure: string | null;
}

export class LogSession {
  readonly #sources: readonly Source[];
  #filter: LogFilter = { level: 'debug', source: null, text: '' };
  #nextId = 0;
  /** Readings come one after the other: they move the same places. */
  #queue: Promise<unknown> = Promise.resolve();

  /** @param folder of the logs */
  constructor(folder: string) {
    const source = (name: string, kind: LogEntry['source']): Source => ({
      tail: new LogTail(join(folder, name)),
      source: kind,
      waiting: [],
      isBegin: false,
      failure: null,
    });
    this.#sources = [source(logFileName, 'service'), source(desktopLogName, 'app')];
  }

  /** The newest lines, and what is read later follows this filter. */
  start(filter: LogFilter): Promise<LogBatch> {
    return this.#inTurn(async () => {
      this.#filter = filter;
      for (const source of this.#sources) {
        source.waiting = [];
        source.isBegin = !(await tried(source, () => source.tail.start().then(() => true), false));
      }
      return this.#older();
    });
  }

  /** Lines before those that were given. */
  older(): Promise<LogBatch> {
    return this.#inTurn(() => this.#older());
  }

  /** Lines that were written since the last look. */
  newer(): Promise<LogBatch> {
    return this.#inTurn(async () => {
      const found: Entry[] = [];
      let skippedBytes = 0;
      for (const source of this.#sources) {
        const nothing = { lines: [], skippedBytes: 0 };
        const { lines, skippedBytes: skipped } = await tried(source, () => source.tail.newer(), nothing);
        found.push(...this.#toEntries(lines, source.source));
        skippedBytes += skipped;
      }
      return { entries: this.#numbered(inOrder(found)), isBegin: false, skippedBytes, failure: this.#failure() };
    });
  }

  async #older(): Promise<LogBatch> {
    const sent: Entry[] = [];
    for (let chunks = 0; sent.length < enoughEntries && chunks < maxChunks;) {
      for (const source of this.#sources) {
        while (source.waiting.length === 0 && !source.isBegin && chunks < maxChunks) {
          chunks += 1;
          await this.#fill(source);
        }
      }
      // Without the next line of each nobody knows which is the newest.
      if (this.#sources.some(({ waiting, isBegin }) => waiting.length === 0 && !isBegin)) break;
      const next = this.#newest();
      if (next === undefined) break;
      sent.push(next);
    }
    const isBegin = this.#sources.every((source) => source.isBegin && source.waiting.length === 0);
    return { entries: this.#numbered(sent.toReversed()), isBegin, skippedBytes: 0, failure: this.#failure() };
  }

  async #fill(source: Source): Promise<void> {
    const lines = await tried(source, () => source.tail.older(), null);
    if (lines === null) source.isBegin = true;
    else source.waiting = this.#toEntries(lines, source.source);
  }

  /** The newest line that waits, taken away. */
  #newest(): Entry | undefined {
    const [first, second] = this.#sources.map(({ waiting }) => waiting.at(-1));
    const isSecond = second !== undefined && (first === undefined || second.time > first.time);
    return this.#sources[isSecond ? 1 : 0]?.waiting.pop();
  }

  #toEntries(lines: readonly string[], source: LogEntry['source']): Entry[] {
    return timed(lines.map((line) => parseLogLine(line, source))).filter((entry) => passesFilter(entry, this.#filter));
  }

  #numbered(entries: readonly Entry[]): LogEntry[] {
    return entries.map((entry) => ({ ...entry, id: this.#nextId++ }));
  }

  #failure(): string | null {
    const failures = this.#sources.flatMap(({ failure }) => failure ?? []);
    return failures.length === 0 ? null : failures.join(' ');
  }

  #inTurn(read: () => Promise<LogBatch>): Promise<LogBatch> {
    const turn = this.#queue.then(read);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

/** What a log gives; `otherwise` where it can't be read, which is noted and keeps nobody from the other log. */
async function tried<Result>(source: Source, read: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    const result = await read();
    source.failure = null;
    return result;
  } catch (error) {
    source.failure = `The log of the ${source.source} can’t be read: ${errorText(error)}.`;
    return otherwise;
  }
}

/** A line without a time is of the time of the one before it. */
function timed(entries: readonly Entry[]): Entry[] {
  let time = '';
  return entries.map((entry) => {
    time = entry.time || time;
    return { ...entry, time };
  });
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** Longest line that is shown, in characters; our own have at most 16,000. */
const longestLine = 16_200;

/** `2026-11-22 14:02:11.123 [info] (watch) text`, as electron-log's `format` has it. */
const line = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[(\w+)\] *(?:\(([^)]*)\) )?(.*)$/s;

/** Of anything: binary junk loses what can't be shown, and what is no line of ours is all text. */
export function parseLogLine(raw: string, source: LogEntry['source']): Omit<LogEntry, 'id'> {
  const [, time = '', word = '', scope = '', text = ''] = line.exec(raw.slice(0, longestLine)) ?? [];
  const level = logLevels.find((each) => each === word) ?? null;
  if (time === '' || level === null)
    return { source, time: '', level: null, scope: '', text: cleanText(raw, longestLine) };
  return { source, time, level, scope: cleanText(scope, 60), text: cleanText(text, longestLine) };
}
