/** The lock of the running app, which receives the command line of a second start, and the wait for its end. */
import { app } from 'electron';
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../server/status.ts';
import { lockFolder } from '../folders/folders.ts';

/** A socket's path has at most 107 characters; Chromium's part of it has up to 50. */
const maxFolderLength = 57;
const maxWaits = 150;
const waitMs = 100;

export interface InstanceLock {
  readonly isOwner: boolean;
  /** The process ID of the app that had the lock; `null` if there was none, or on Windows. */
  readonly otherPid: number | null;
}

/** Requests the lock; if another app owns it, that app receives the command line. */
export function requestInstanceLock(configDir: string): InstanceLock {
  const folder = process.platform === 'win32' ? null : lockFolder(configDir);
  if (folder === null) return { isOwner: app.requestSingleInstanceLock(), otherPid: null };
  const profile = app.getPath('userData');
  const { TMPDIR: temporaryFolder } = process.env;
  // Chromium creates the lock in its profile, and the lock's socket in the temporary folder, which can also be full.
  app.setPath('userData', folder);
  if (folder.length <= maxFolderLength) process.env['TMPDIR'] = folder;
  try {
    const pidBefore = readPid(folder);
    const isOwner = app.requestSingleInstanceLock();
    const otherPid = isOwner ? pidBefore : readPid(folder);
    // Without another app, the lock could not be created, which does not prevent the start.
    return { isOwner: isOwner || otherPid === null, otherPid };
  } finally {
    app.setPath('userData', profile);
    if (temporaryFolder === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporaryFolder;
  }
}

/** Returns the process ID in Chromium's lock, a symbolic link to `host-pid`, if that process runs. */
function readPid(folder: string): number | null {
  try {
    const pid = Number(/-(\d+)$/.exec(readlinkSync(join(folder, 'SingletonLock')))?.[1]);
    return isRunning(pid) ? pid : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Waits for the end of the app that has received `--quit`. Blocks this process, because a process that becomes ready opens
 * the profile of the app.
 * @param wait waits briefly
 */
export function waitForQuit(
  { isOwner, otherPid }: InstanceLock,
  isAlive = isRunning,
  wait: () => void = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs),
): { readonly code: number; readonly text: string } {
  if (otherPid === null && isOwner) return { code: exitCodes.notRunning, text: 'Lab Manager is not running' };
  if (otherPid === null) return { code: exitCodes.ok, text: 'Lab Manager is quitting' };
  const name = `Lab Manager (process ${otherPid})`;
  for (let waits = 0; waits < maxWaits; waits += 1) {
    if (!isAlive(otherPid)) return { code: exitCodes.ok, text: `${name} has ended` };
    wait();
  }
  return { code: exitCodes.failure, text: `${name} did not end within ${(maxWaits * waitMs) / 1000} s` };
}
