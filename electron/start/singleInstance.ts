/** The lock of the running app, which receives the command line of a second start, and the wait for its end. */
import { app } from 'electron';
import { accessSync, constants, readFileSync, readlinkSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clock } from '../../api/time/clock.ts';
import { exitCodes } from '../../server/status.ts';
import { lockFolder } from '../folders/folders.ts';

/** A socket's path has at most 107 characters; Chromium's part of it has up to 50. */
const maxFolderLength = 57;
const maxWaits = 150;
const waitMs = 100;

/** The running app renews a file in the folder of the lock; without a renewal for this long, it may hang. */
const renewedWithinMs = 10_000;
const renewalIntervalMs = 1500;
/** An app that is only late, for example after a suspend, renews the file within this time. */
const renewalWaitMs = 4000;

export interface InstanceLock {
  readonly isOwner: boolean;
  /** The process ID of the app that had the lock; `null` if there was none, or on Windows. */
  readonly otherPid: number | null;
}

/** The folder of the lock; `null` on Windows, where the lock belongs to the system. */
const instanceFolder = (configDir: string): string | null =>
  process.platform === 'win32' ? null : lockFolder(configDir);
const renewalFile = (folder: string): string => join(folder, 'renewed');

/** Identifies a running process by its ID and its start, because IDs are used again; `null` without `/proc`. */
function processIdentity(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The start is the 20th field after the name in parentheses.
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return null;
  }
}

/** Renews the lock while this process responds. Without the file, Chromium replaces an app that hangs, after 20 s. */
export function keepRenewed(folder: string): void {
  const identity = processIdentity(process.pid);
  if (identity === null) return;
  const renew = (): void => {
    try {
      writeFileSync(renewalFile(folder), identity);
      utimesSync(renewalFile(folder), clock.now() / 1000, clock.now() / 1000);
    } catch {
      return; // Such as a full disk.
    }
  };
  renew();
  clock.setInterval(renew, renewalIntervalMs);
}

/** Returns the process ID of the running app if it no longer renews its lock. @param wait waits for a renewal */
export function findHungApp(folder: string, wait: () => void = () => block(renewalWaitMs)): number | null {
  const before = readRenewal(folder);
  // A file that cannot be written is not renewed either.
  if (before === null || !isWritable(renewalFile(folder)) || clock.now() - before.at < renewedWithinMs) return null;
  const pid = Number(before.identity.split(' ')[0]);
  if (processIdentity(pid) !== before.identity) return null;
  wait();
  const isRenewed = readRenewal(folder)?.at !== before.at;
  return isRenewed || processIdentity(pid) !== before.identity ? null : pid;
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readRenewal(folder: string): { readonly identity: string; readonly at: number } | null {
  const file = renewalFile(folder);
  try {
    return { identity: readFileSync(file, 'utf8'), at: statSync(file).mtimeMs };
  } catch {
    return null;
  }
}

/** Blocks this process, because a process that becomes ready opens the profile of the running app. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Requests the lock; if another app owns it, that app receives the command line. */
export function requestInstanceLock(configDir: string): InstanceLock {
  const folder = instanceFolder(configDir);
  if (folder === null) return { isOwner: app.requestSingleInstanceLock(), otherPid: null };
  const profile = app.getPath('userData');
  const { TMPDIR: temporaryFolder } = process.env;
  // Chromium creates the lock in its profile, and the lock's socket in the temporary folder, which can also be full.
  app.setPath('userData', folder);
  if (folder.length <= maxFolderLength) process.env['TMPDIR'] = folder;
  try {
    const pidBefore = readPid(folder);
    const hungPid = findHungApp(folder);
    // As Chromium does after 20 s, for which the user would wait without a response to the click.
    if (hungPid !== null) kill(hungPid);
    const isOwner = app.requestSingleInstanceLock();
    if (isOwner) keepRenewed(folder);
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

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // It has ended meanwhile.
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits for the end of the app that has received `--quit`. @param wait waits briefly */
export function waitForQuit(
  { isOwner, otherPid }: InstanceLock,
  isAlive = isRunning,
  wait: () => void = () => block(waitMs),
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
