/** Reads of disks that may not respond. */
import { withTimeout } from '../../concurrency/boundedWait.ts';

/**
 * Reads with a timeout. A read that hangs holds a thread of this process, which the safety stop needs too, so no read
 * starts while a maximum number of them hang.
 */
export class DiskReads {
  readonly #maxHanging: number;
  #hanging = 0;

  constructor(maxHanging: number) {
    this.#maxHanging = maxHanging;
  }

  /** Whether no read can start. */
  get isFull(): boolean {
    return this.#hanging >= this.#maxHanging;
  }

  /** The result of `read`; `null` after `ms`, and if no read can start. @throws what `read` throws */
  async run<Value>(read: () => Promise<Value>, ms: number): Promise<Value | null> {
    if (this.isFull) return null;
    let isHanging = false;
    const result = read().finally(() => {
      if (isHanging) this.#hanging -= 1;
    });
    return withTimeout(result, ms, () => {
      isHanging = true;
      this.#hanging += 1;
      return null;
    });
  }
}
