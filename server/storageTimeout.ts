/** Storage that never responds (a FIFO, a network share whose server is gone) holds up nothing that waits for it. */
import { setTimeout as sleep } from 'node:timers/promises';

/** How long storage may take to respond, in ms. */
export const storageTimeoutMs = 2000;

export class StorageTimeoutError extends Error {
  override readonly name = 'StorageTimeoutError';
  constructor(ms: number) {
    super(`the storage does not respond within ${ms / 1000} s`);
  }
}

/** The result of `work`, which goes on in the background when it takes longer. @throws {StorageTimeoutError} */
export async function withStorageTimeout<Value>(work: Promise<Value>, ms = storageTimeoutMs): Promise<Value> {
  const over = new AbortController();
  try {
    return await Promise.race([
      work,
      sleep(ms, null, { signal: over.signal }).then(() => {
        throw new StorageTimeoutError(ms);
      }),
    ]);
  } finally {
    over.abort();
    // Whichever lost the race may still reject.
    work.catch(() => undefined);
  }
}
