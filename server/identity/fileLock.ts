/**
 * An exclusive lock between processes that also excludes Python's `filelock`, which guards MADSci's ID registry with
 * `flock(2)` on a separate lock file. Node has no `flock`, so the `flock` program from util-linux (or BusyBox) locks an
 * inherited descriptor: the lock belongs to the open file and remains after that program has ended.
 *
 * On Windows, a file that is open without sharing is the lock: neither this program nor `filelock`, whose
 * `msvcrt.locking` needs an open file, can open it while the other has it open.
 */
import { spawn } from 'node:child_process';
import { constants, open, stat, type FileHandle } from 'node:fs/promises';
import { pause } from '../../api/time/pause.ts';
import { errorCode } from '../../api/errorText.ts';

/** The lock could not be acquired; the message completes "The ID registry cannot be used: …". */
class FileLockError extends Error {
  override readonly name = 'FileLockError';
}

/** How libuv opens a file that no other process may open: `UV_FS_O_EXLOCK`, which Node's constants lack. */
const exclusiveOpenFlag = 0x10000000;
/** The error codes of Windows for a file that another process has open, or that is being deleted. */
const contentionCodes: ReadonlySet<string | null> = new Set(['EBUSY', 'EPERM', 'EACCES']);
const retryMs = 25;

/**
 * Waits for the lock on `path`, which is created if it does not exist. Closing the returned handle releases the lock.
 * @throws {FileLockError} when another process has it until `signal` aborts, or this system has no `flock` program
 * @throws the system error when the file cannot be opened
 */
export async function acquireFileLock(path: string, signal: AbortSignal): Promise<FileHandle> {
  if (process.platform === 'win32') return openUnshared(path, signal);
  for (;;) {
    // Without O_NONBLOCK, opening a FIFO would wait for its other end.
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK, 0o644);
    try {
      await runFlock(handle.fd, signal);
      if (await isCurrentFile(handle, path)) return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
    // Python's filelock deletes its file when it releases the lock; a lock on the deleted file has no effect.
    await handle.close();
  }
}

async function openUnshared(path: string, signal: AbortSignal): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, constants.O_RDWR | constants.O_CREAT | exclusiveOpenFlag, 0o644);
    } catch (error) {
      const code = errorCode(error);
      if (!contentionCodes.has(code)) throw error;
      if (signal.aborted) throw code === 'EBUSY' ? new FileLockError('another program holds the lock') : error;
    }
    await pause(retryMs, signal);
  }
}

async function isCurrentFile(handle: FileHandle, path: string): Promise<boolean> {
  const locked = await handle.stat();
  const current = await stat(path).catch(() => null);
  return locked.nlink > 0 && current?.ino === locked.ino && current.dev === locked.dev;
}

function runFlock(descriptor: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new FileLockError('the time limit is exceeded'));
    // The child process inherits the descriptor as fd 3.
    const child = spawn('flock', ['-x', '3'], {
      stdio: ['ignore', 'ignore', 'ignore', descriptor],
      signal,
      killSignal: 'SIGKILL',
    });
    child.once('error', (error) => {
      if (signal.aborted) reject(new FileLockError('another program holds the lock'));
      else if (errorCode(error) === 'ENOENT')
        reject(new FileLockError('the flock program (util-linux) is not installed'));
      else reject(new FileLockError(error.message));
    });
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else
        reject(new FileLockError(signal.aborted ? 'another program holds the lock' : `flock exited with code ${code}`));
    });
  });
}
