/** The last crashes of our processes, as a small file beside the log: for the diagnostics, after a restart too. */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { errorText, type Log } from './log.ts';
import { cleanText } from './text.ts';

export const crashFileName = 'crashes.json';
/** The oldest go beyond these. */
export const mostCrashes = 50;
/** One that is larger was not written by us, in bytes. */
const mostBytes = 256 * 1024;
const longestReason = 500;

/**
 * `app`: the main process. `service`: the lab manager. `page`: a window's. `gpu`, `other`: Chromium's own. `app-error`: an error
 * that nobody caught in the main process, which went on.
 */
export const crashedProcesses = ['app', 'service', 'page', 'gpu', 'other', 'app-error'] as const;

const crash = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  process: z.enum(crashedProcesses),
  /** `crashed (SIGSEGV)`, in words. */
  reason: z.string(),
  exitCode: z.number().nullable(),
  /** Of this program, then. */
  version: z.string(),
});
export type Crash = z.infer<typeof crash>;

/** The crashes in the file of a log folder, the oldest first; none where there is no file. @throws Error in words */
export function readCrashes(folder: string): readonly Crash[] {
  const path = join(folder, crashFileName);
  try {
    const found = statSync(path);
    // Reading a FIFO would stop the whole process.
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > mostBytes) throw new Error('it is too large');
    return z.array(crash).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    const reason = error instanceof z.ZodError || error instanceof SyntaxError ? 'it is damaged' : errorText(error);
    throw new Error(`${path} can’t be read: ${reason}`, { cause: error });
  }
}

/**
 * Writes one down, at once: the process may be ending. Never throws; what can't be written is in the log.
 * A file that can't be read is put aside, as `crashes.json.damaged`. An error of the app that is the last entry already isn't
 * repeated: one that comes again and again would push out everything else.
 */
export function recordCrash(folder: string, happened: Omit<Crash, 'at'> & { readonly at?: string }, log: Log): void {
  const path = join(folder, crashFileName);
  try {
    const entry: Crash = {
      at: new Date().toISOString(),
      ...happened,
      reason: cleanText(happened.reason, longestReason),
    };
    const known = knownCrashes(folder, log);
    const last = known.at(-1);
    const isRepeated =
      last?.reason === entry.reason && last.process === entry.process && last.version === entry.version;
    if (isRepeated && entry.process === 'app-error') return;
    const text = JSON.stringify([...known, entry].slice(-mostCrashes), null, 2);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    log.warn(`A crash could not be written to ${path}: ${errorText(error)}`);
  }
}

/** Renames the file of a log folder to `crashes.json.damaged`. @throws Error of the system */
export function putCrashesAside(folder: string): void {
  const path = join(folder, crashFileName);
  renameSync(path, `${path}.damaged`);
}

function knownCrashes(folder: string, log: Log): readonly Crash[] {
  try {
    return readCrashes(folder);
  } catch (error) {
    log.warn(errorText(error));
    putCrashesAside(folder);
    return [];
  }
}
