/** Detects a command that a browser or a proxy has sent a second time: it carries the key of the same press. */
import { clock } from '../../api/time/clock.ts';

/** Time for which a key is stored, in ms. */
const windowMs = 10 * 60_000;
/** The maximum number of stored keys; beyond it the oldest is dropped. */
const maxKeys = 20_000;
const maxLength = 200;

export class ReceivedKeys {
  /** The time of each key, by the monotonic clock, the oldest first. */
  readonly #keys = new Map<string, number>();

  /** @param sender whose keys are separate from those of others @returns whether the key was received before */
  isRepeated(sender: string, key: string | undefined): boolean {
    if (key === undefined || key === '') return false;
    const now = clock.monotonic();
    const [oldest] = this.#keys;
    if (oldest !== undefined && (this.#keys.size >= maxKeys || oldest[1] < now - windowMs))
      this.#keys.delete(oldest[0]);
    const stored = `${sender} ${key.slice(0, maxLength)}`;
    const at = this.#keys.get(stored);
    if (at !== undefined && at >= now - windowMs) return true;
    this.#keys.delete(stored);
    this.#keys.set(stored, now);
    return false;
  }
}
