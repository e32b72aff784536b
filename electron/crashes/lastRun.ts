/** Detects whether the previous run ended by quitting, by a file that exists only while the app runs. */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { readOwnFile, replaceOwnFile } from '../../server/storage/replaceOwnFile.ts';
import { queueForFolder, isDamage } from '../../server/storage/stateFile.ts';

const mark = z.object({ startedAt: z.string(), version: z.string() });
export type RunMark = z.infer<typeof mark>;

/**
 * Writes the mark of this run.
 * @param path absolute path of the file
 * @param report called with the mark of an earlier run that did not remove it; called late if storage responds late
 * @throws {StorageTimeoutError} Error of the system when the file can't be read or written
 */
export function markRun(path: string, run: RunMark, report: (left: RunMark) => void): Promise<void> {
  return queueForFolder(path, async () => {
    const left = await readMark(path);
    await replaceOwnFile(path, JSON.stringify(run));
    if (left !== null) report(left);
  });
}

/** @throws {StorageTimeoutError} Error of the system */
export function clearRun(path: string): Promise<void> {
  return queueForFolder(path, () => rm(path, { force: true }));
}

/**
 * Removes the mark synchronously, for a process that ends before pending promises settle.
 * @throws as `clearRun`
 */
export async function clearRunNow(path: string): Promise<void> {
  rmSync(path, { force: true });
}

async function readMark(path: string): Promise<RunMark | null> {
  try {
    const text = await readOwnFile(path);
    return text === null ? null : mark.parse(JSON.parse(text));
  } catch (error) {
    // The machine stopped while the mark was written, so nothing about that run is known.
    if (isDamage(error)) return null;
    throw error;
  }
}
