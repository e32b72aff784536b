/**
 * Slows down password guessing: after some failures, every further one doubles the wait of its account and of its
 * address. Uses constant memory.
 */
import { doublingDelay } from '../../api/time/pause.ts';
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
  /** Failures of an account at known addresses; `#accounts` has those at other addresses. */
  readonly #knownPairs = new Map<string, Failures>();

  /**
   * Counts an attempt as failed until `recordSuccess` or `withdraw` is called, so that simultaneous attempts count, too.
   * @param isKnown whether the account has signed in at this address before: then other addresses and accounts do not delay it
   * @returns 0 if it may proceed, otherwise the remaining wait in ms; then it is not counted
   */
  attempt(name: string, address: string, now: number, isKnown: boolean): number {
    const counters = this.#counters(name, address, isKnown);
    const waitMs = Math.max(
      ...counters.map(({ failures, key, policy }) =>
        policy === addressPolicy && isKnown ? 0 : remainingWaitMs(failures, key, policy, now),
      ),
    );
    if (waitMs > 0) return waitMs;
    for (const { failures, key } of counters) countFailure(failures, key, now);
    return 0;
  }

  /** Takes back an attempt whose password was not checked. */
  withdraw(name: string, address: string, isKnown: boolean): void {
    for (const { failures, key } of this.#counters(name, address, isKnown)) removeFailure(failures, key);
  }

  /**
   * Removes the failures of the account, but only this attempt from those of the address: a user cannot reset these by
   * signing in between guesses.
   */
  recordSuccess(name: string, address: string): void {
    const [account, group] = [nameKey(name), addressGroup(address)];
    this.#accounts.delete(account);
    this.#knownPairs.delete(joinPair(account, group));
    removeFailure(this.#addresses, group);
  }

  #counters(name: string, address: string, isKnown: boolean) {
    const [account, group] = [nameKey(name), addressGroup(address)];
    return [
      isKnown
        ? { failures: this.#knownPairs, key: joinPair(account, group), policy: accountPolicy }
        : { failures: this.#accounts, key: account, policy: accountPolicy },
      { failures: this.#addresses, key: group, policy: addressPolicy },
    ];
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
  const waitMs = doublingDelay(failures.count - policy.freeFailures + 1, firstWaitMs, policy.maxWaitMs);
  return Math.max(0, failures.lastAt + waitMs - now);
}

function countFailure(failuresByKey: Map<string, Failures>, key: string, now: number): void {
  const previous = failuresByKey.get(key);
  const isForgotten = previous === undefined || now - previous.lastAt > forgetAfterMs;
  storeAsNewest(failuresByKey, key, { count: isForgotten ? 1 : previous.count + 1, lastAt: now });
}

function removeFailure(failuresByKey: Map<string, Failures>, key: string): void {
  const failures = failuresByKey.get(key);
  if (failures === undefined) return;
  if (failures.count > 1) failures.count -= 1;
  else failuresByKey.delete(key);
}

function storeAsNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxTrackedKeys && oldest !== undefined) map.delete(oldest);
}
