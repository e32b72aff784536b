/** Detects whether the previous run ended by quitting, by a file that exists only while the app runs. */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { readOwnFile, replaceOwnFile } from '../../server/storage/replaceOwnFile.ts';
import { queueForFolder, isDamage } from '../../server/storage/stateFile.ts';

const runRecord = z.object({ startedAt: z.string(), version: z.string() });
export type RunRecord = z.infer<typeof runRecord>;

/**
 * Writes the run file.
 * @param path absolute path of the file
 * @param report called with an earlier run that did not remove its file; called late if storage responds late
 * @throws {StorageTimeoutError} Error of the system when the file can't be read or written
 */
export function writeRun(path: string, run: RunRecord, report: (previousRun: RunRecord) => void): Promise<void> {
  return queueForFolder(path, async () => {
    const previousRun = await readRun(path);
    await replaceOwnFile(path, JSON.stringify(run));
    if (previousRun !== null) report(previousRun);
  });
}

/** @throws {StorageTimeoutError} Error of the system */
export function clearRun(path: string): Promise<void> {
  return queueForFolder(path, () => rm(path, { force: true }));
}

/**
 * Removes the run file synchronously, for a process that ends before pending promises settle.
 * @throws as `clearRun`
 */
export async function clearRunNow(path: string): Promise<void> {
  rmSync(path, { force: true });
}

async function readRun(path: string): Promise<RunRecord | null> {
  try {
    const text = await readOwnFile(path);
    return text === null ? null : runRecord.parse(JSON.parse(text));
  } catch (error) {
    // The machine stopped while the file was written, so its content is unusable.
    if (isDamage(error)) return null;
    throw error;
  }
}
