/** Whether the run before this one ended by quitting: a file that is there while the app runs. */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { readOwnFile, replaceOwnFile } from '../../server/storage/replaceOwnFile.ts';
import { inTurn, isDamage } from '../../server/storage/stateFile.ts';

const mark = z.object({ startedAt: z.string(), version: z.string() });
export type RunMark = z.infer<typeof mark>;

/**
 * Puts the mark of this run.
 * @param path whole path of the file
 * @param report takes the mark of a run that never took its own away; storage that responds late calls it late
 * @throws {StorageTimeoutError} Error of the system where it can't be read or written
 */
export function markRun(path: string, run: RunMark, report: (left: RunMark) => void): Promise<void> {
  return inTurn(path, async () => {
    const left = await readMark(path);
    await replaceOwnFile(path, JSON.stringify(run));
    if (left !== null) report(left);
  });
}

/** @throws {StorageTimeoutError} Error of the system */
export function clearRun(path: string): Promise<void> {
  return inTurn(path, () => rm(path, { force: true }));
}

/** For a process that ends before anything awaited goes on. @throws as `clearRun` */
export async function clearRunNow(path: string): Promise<void> {
  rmSync(path, { force: true });
}

async function readMark(path: string): Promise<RunMark | null> {
  try {
    const text = await readOwnFile(path);
    return text === null ? null : mark.parse(JSON.parse(text));
  } catch (error) {
    // One that was being written when the machine stopped: nothing is known of that run.
    if (isDamage(error)) return null;
    throw error;
  }
}
