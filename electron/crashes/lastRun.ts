/** Whether the run before this one ended by quitting: a file that is there while the app runs. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';

const mark = z.object({ startedAt: z.string(), version: z.string() });
export type RunMark = z.infer<typeof mark>;

/**
 * Puts the mark of this run.
 * @param path whole path of the file
 * @returns the mark of a run that never took its own away; `null` where the last one quit
 * @throws Error of the system where it can't be written
 */
export function markRun(path: string, run: RunMark): RunMark | null {
  const left = readMark(path);
  writeFileSync(path, JSON.stringify(run));
  return left;
}

/** @throws Error of the system */
export function clearRun(path: string): void {
  rmSync(path, { force: true });
}

function readMark(path: string): RunMark | null {
  try {
    return mark.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // None, or one that was being written when the machine stopped: nothing is known of that run.
    return null;
  }
}
