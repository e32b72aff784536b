/**
 * Files that another program has open. Windows refuses to replace or open such a file, and virus scanners, search indexers
 * and backups open each new file for a moment.
 */
import { clock } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import { errorCode } from '../../api/errorText.ts';

/** Completes "… can't be read: …". */
export const openInOtherProgram = 'another program has it open';

/** Another program did not close the file within the retries. */
export class LockedFileError extends Error {
  override readonly name = 'LockedFileError';
  constructor(cause: unknown) {
    super(openInOtherProgram, { cause });
  }
}

/** The delays between the attempts, in ms. */
const retryDelaysMs = [10, 20, 40, 80, 160, 320, 640];
/** No attempt begins later, in ms after the first one, because the timeout of storage would hide the reason. */
const maxRetryMs = 1300;

/** Windows reports EBUSY for an open file, and EPERM or EACCES where the operation is to replace it. */
const lockCodes = {
  open: new Set<string | null>(['EBUSY']),
  replace: new Set<string | null>(['EBUSY', 'EPERM', 'EACCES']),
};

/**
 * The result of `operation`, which is repeated on Windows while another program has the file open.
 * @param kind whether the operation opens the file or replaces it
 * @throws {LockedFileError} when another program keeps the file open
 * @throws what `operation` throws for any other reason
 */
export async function retryWhileLocked<Value>(
  kind: keyof typeof lockCodes,
  operation: () => Promise<Value>,
  platform: NodeJS.Platform = process.platform,
): Promise<Value> {
  const started = clock.monotonic();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (platform !== 'win32' || !lockCodes[kind].has(errorCode(error))) throw error;
      const delayMs = retryDelaysMs[attempt];
      if (delayMs === undefined || clock.monotonic() - started + delayMs > maxRetryMs) throw new LockedFileError(error);
      await pause(delayMs);
    }
  }
}
