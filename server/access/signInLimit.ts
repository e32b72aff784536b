/**
 * Slows down password guessing: after some failures, every further one doubles the wait of its account and of its
 * address. Uses constant memory.
 */
import { addressGroup } from '../net/peer.ts';
import { nameKey } from './users.ts';

interface Policy {
  /** The number of failures before the first wait. */
  readonly freeFailures: number;
  /** The longest wait, in ms. */
  readonly maxWaitMs: number;
}

/** The wait of an account is short, because anybody can cause it and its user must still be able to sign in. */
const accountPolicy: Policy = { freeFailures: 5, maxWaitMs: 30_000 };
const addressPolicy: Policy = { freeFailures: 10, maxWaitMs: 15 * 60_000 };
/** The first wait, in ms; it doubles with each further failure. */
const firstWaitMs = 1000;
/** Failures are forgotten after this time without another one, in ms. */
const forgetAfterMs = 60 * 60_000;
/** The maximum number of accounts, of addresses, and of known pairs; beyond it the least recently used one is dropped. */
export const maxTrackedKeys = 4096;

interface Failures {
  count: number;
  lastAt: number;
}

/** Times are in ms of the monotonic clock. */
export class SignInLimit {
  readonly #accounts = new Map<string, Failures>();
  readonly #addresses = new Map<string, Failures>();
  /** Failures of an account at addresses where it has signed in before; `#accounts` has those at other addresses. */
  readonly #knownPairs = new Map<string, Failures>();

  /**
   * Counts an attempt as failed until `recordSuccess` is called, so that simultaneous attempts count, too.
   * @returns 0 if it may proceed, otherwise the remaining wait in ms; then it is not counted
   */
  attempt(name: string, address: string, now: number): number {
    const [account, group] = [nameKey(name), addressGroup(address)];
    const pairKey = joinPair(account, group);
    const [failuresByKey, key] = this.#knownPairs.has(pairKey)
      ? [this.#knownPairs, pairKey]
      : [this.#accounts, account];
    const accountWaitMs = remainingWaitMs(failuresByKey, key, accountPolicy, now);
    const waitMs = Math.max(accountWaitMs, remainingWaitMs(this.#addresses, group, addressPolicy, now));
    if (waitMs > 0) return waitMs;
    countFailure(failuresByKey, key, now);
    countFailure(this.#addresses, group, now);
    return 0;
  }

  /**
   * Removes the failures of the account, but only this attempt from those of the address: a user cannot reset these by
   * signing in between guesses.
   */
  recordSuccess(name: string, address: string): void {
    const [account, group] = [nameKey(name), addressGroup(address)];
    this.#accounts.delete(account);
    storeAsNewest(this.#knownPairs, joinPair(account, group), { count: 0, lastAt: 0 });
    const addressFailures = this.#addresses.get(group);
    if (addressFailures === undefined) return;
    if (addressFailures.count > 1) addressFailures.count -= 1;
    else this.#addresses.delete(group);
  }

  /** The number of stored accounts, addresses and pairs. */
  get size(): number {
    return this.#accounts.size + this.#addresses.size + this.#knownPairs.size;
  }
}

const joinPair = (account: string, group: string): string => `${group} ${account}`;

function remainingWaitMs(
  failuresByKey: ReadonlyMap<string, Failures>,
  key: string,
  policy: Policy,
  now: number,
): number {
  const failures = failuresByKey.get(key);
  if (failures === undefined || failures.count < policy.freeFailures || now - failures.lastAt > forgetAfterMs) return 0;
  const waitMs = Math.min(policy.maxWaitMs, firstWaitMs * 2 ** (failures.count - policy.freeFailures));
  return Math.max(0, failures.lastAt + waitMs - now);
}

function countFailure(failuresByKey: Map<string, Failures>, key: string, now: number): void {
  const previous = failuresByKey.get(key);
  const isForgotten = previous === undefined || now - previous.lastAt > forgetAfterMs;
  storeAsNewest(failuresByKey, key, { count: isForgotten ? 1 : previous.count + 1, lastAt: now });
}

function storeAsNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxTrackedKeys && oldest !== undefined) map.delete(oldest);
}
