/** Storage that never responds (a FIFO, a network share whose server is gone) holds up nothing that waits for it. */
import { withTimeout } from '../concurrency/boundedWait.ts';

/** How long storage may take to respond, in ms. */
const storageTimeoutMs = 2000;

export class StorageTimeoutError extends Error {
  override readonly name = 'StorageTimeoutError';
  constructor(ms: number) {
    super(`the storage does not respond within ${ms / 1000} s`);
  }
}

let pending = 0;

/** Whether storage has not responded to something yet. */
export function isStorageStuck(): boolean {
  return pending > 0;
}

/**
 * Ends the process although a thread of it waits for storage that never responds; `process.exit` would wait for that
 * thread. Everything else is to be done by then.
 */
export function exitDespiteStorage(code: number): void {
  if (isStorageStuck()) process.kill(process.pid, 'SIGKILL');
  else process.exit(code);
}

/** The result of `work`, which goes on in the background when it takes longer. @throws {StorageTimeoutError} */
export function withStorageTimeout<Value>(work: Promise<Value>, ms = storageTimeoutMs): Promise<Value> {
  pending += 1;
  void work.catch(() => undefined).then(() => (pending -= 1));
  return withTimeout(work, ms, () => {
    throw new StorageTimeoutError(ms);
  });
}
