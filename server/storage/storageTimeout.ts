/** Timeouts for storage that may never respond, such as a FIFO or a network share whose server is unavailable. */
import { withTimeout } from '../concurrency/boundedWait.ts';

/** Timeout of storage, in ms. */
const storageTimeoutMs = 2000;

export class StorageTimeoutError extends Error {
  override readonly name = 'StorageTimeoutError';
  constructor(ms: number) {
    super(`the storage does not respond within ${ms / 1000} s`);
  }
}

let pendingCount = 0;

/** Whether a storage operation is still pending. */
export function isStorageStuck(): boolean {
  return pendingCount > 0;
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
  pendingCount += 1;
  void work.catch(() => undefined).then(() => (pendingCount -= 1));
  return withTimeout(work, ms, () => {
    throw new StorageTimeoutError(ms);
  });
}
