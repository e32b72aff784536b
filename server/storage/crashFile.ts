/**
 * Stores the latest crashes of the app and the service in a small file next to the log, so that the diagnostics also show
 * them after a restart.
 */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { LockedFileError, retryWhileLocked } from './lockedFiles.ts';
import { readOwnFile, replaceOwnFile } from './replaceOwnFile.ts';
import { queueForFolder, isDamage } from './stateFile.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';

export const crashFileName = 'crashes.json';
/** The maximum number of crashes; the oldest are dropped. */
export const maxCrashes = 50;
/** Maximum size in bytes; a larger file was not written by this program. */
const maxBytes = 256 * 1024;
const maxReasonLength = 500;

/**
 * `app`: the main process. `service`: the lab manager. `page`: the renderer process of a window. `gpu`, `other`:
 * Chromium's other processes. `app-error`: an uncaught error in the main process, which continued.
 */
const crashedProcesses = ['app', 'service', 'page', 'gpu', 'other', 'app-error'] as const;

const crash = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  process: z.enum(crashedProcesses),
  /** The cause as text: `crashed (SIGSEGV)`. */
  reason: z.string(),
  exitCode: z.number().nullable(),
  /** The version of this program at that time. */
  version: z.string(),
});
export type Crash = z.infer<typeof crash>;

/**
 * The crashes in the file of a log folder, the oldest first; empty if there is no file.
 * @throws Error with a user-facing message
 */
export async function readCrashes(folder: string): Promise<readonly Crash[]> {
  const path = join(folder, crashFileName);
  return queueForFolder(path, () => readCrashFile(path)).catch((error: unknown) => {
    throw unreadableError(path, error);
  });
}

async function readCrashFile(path: string): Promise<readonly Crash[]> {
  const text = await readOwnFile(path, maxBytes);
  return text === null ? [] : z.array(crash).parse(JSON.parse(text));
}

function unreadableError(path: string, error: unknown): Error {
  return new Error(`${path} can’t be read: ${isDamage(error) ? 'it is damaged' : errorText(error)}`, { cause: error });
}

/**
 * Records a crash. Never rejects; a failed write is logged. An unreadable file is renamed to `crashes.json.damaged`. An
 * app error equal to the last entry is not recorded again; otherwise a recurring error would displace all other crashes.
 */
export async function recordCrash(
  folder: string,
  newCrash: Omit<Crash, 'at'> & { readonly at?: string },
  log: Log,
): Promise<void> {
  const path = join(folder, crashFileName);
  const entry: Crash = {
    at: new Date(clock.now()).toISOString(),
    ...newCrash,
    reason: cleanText(newCrash.reason, maxReasonLength),
  };
  try {
    await queueForFolder(path, async () => {
      const crashes = await readOrQuarantine(path, log);
      const last = crashes.at(-1);
      const isRepeated =
        last?.reason === entry.reason && last.process === entry.process && last.version === entry.version;
      if (isRepeated && entry.process === 'app-error') return;
      await mkdir(folder, { recursive: true });
      await replaceOwnFile(path, `${JSON.stringify([...crashes, entry].slice(-maxCrashes), null, 2)}\n`);
    });
  } catch (error) {
    log.warn(`A crash could not be written to ${path}: ${errorText(error)}`);
  }
}

/** Renames the file of a log folder to `crashes.json.damaged`. @throws Error of the system */
export function quarantineCrashes(folder: string): Promise<void> {
  const path = join(folder, crashFileName);
  return queueForFolder(path, () => quarantineFile(path));
}

function quarantineFile(path: string): Promise<void> {
  return retryWhileLocked('replace', () => rename(path, `${path}.damaged`));
}

async function readOrQuarantine(path: string, log: Log): Promise<readonly Crash[]> {
  try {
    return await readCrashFile(path);
  } catch (error) {
    if (error instanceof LockedFileError) throw error;
    log.warn(errorText(unreadableError(path, error)));
    await quarantineFile(path);
    return [];
  }
}
