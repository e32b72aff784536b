/**
 * Storage that never responds (a FIFO, a network share whose server is unavailable) must not block the code that waits for it.
 */
import { withTimeout } from '../concurrency/boundedWait.ts';

/** Timeout of storage, in ms. */
const storageTimeoutMs = 2000;

export class StorageTimeoutError extends Error {
  override readonly name = 'StorageTimeoutError';
  constructor(ms: number) {
    super(`the storage does not respond within ${ms / 1000} s`);
  }
}

let pending = 0;

/** Whether a storage operation is still pending. */
export function isStorageStuck(): boolean {
  return pending > 0;
}

/**
 * Ends the process although one of its threads waits for unresponsive storage; `process.exit` would wait for that thread.
 * All other work must be done before.
 */
export function exitDespiteStorage(code: number): void {
  if (isStorageStuck()) process.kill(process.pid, 'SIGKILL');
  else process.exit(code);
}

/** The result of `work`, which continues in the background if it takes longer. @throws {StorageTimeoutError} */
export function withStorageTimeout<Value>(work: Promise<Value>, ms = storageTimeoutMs): Promise<Value> {
  pending += 1;
  void work.catch(() => undefined).then(() => (pending -= 1));
  return withTimeout(work, ms, () => {
    throw new StorageTimeoutError(ms);
  });
}
