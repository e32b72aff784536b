/**
 * Slows down guessing of passwords: after some failures, each account and each address waits longer after each further
 * failure. In constant memory.
 */
import { addressGroup } from '../net/peer.ts';
import { nameKey } from './users.ts';

interface Policy {
  /** The number of failures without a wait. */
  readonly free: number;
  /** The longest wait, in ms. */
  readonly maxWaitMs: number;
}

/** An account's wait is short: anybody can cause it, and its user must still be able to sign in. */
const accountPolicy: Policy = { free: 5, maxWaitMs: 30_000 };
const addressPolicy: Policy = { free: 10, maxWaitMs: 15 * 60_000 };
/** The wait after the first failure that is not free; it doubles with each further one. */
const firstWaitMs = 1000;
/** Failures are forgotten after this time without another one, in ms. */
const memoryMs = 60 * 60_000;
/** The maximum number of accounts, of addresses, and of known pairs; beyond it the least recently used one is dropped. */
export const maxTracked = 4096;

interface Failures {
  count: number;
  lastAt: number;
}

/** Times are in ms of the monotonic clock. */
export class SignInLimit {
  readonly #accounts = new Map<string, Failures>();
  readonly #addresses = new Map<string, Failures>();
  /** Failures of accounts at the addresses of their successful sign-ins: failures at other addresses do not delay these. */
  readonly #known = new Map<string, Failures>();

  /**
   * Counts an attempt as failed until `succeeded` is called, so that simultaneous attempts count, too.
   * @returns 0 if it may proceed, otherwise the remaining wait in ms; then it is not counted
   */
  attempt(name: string, address: string, now: number): number {
    const [account, group] = [nameKey(name), addressGroup(address)];
    const known = pair(account, group);
    const [accounts, key] = this.#known.has(known) ? [this.#known, known] : [this.#accounts, account];
    const ofAccount = remaining(accounts, key, accountPolicy, now);
    const wait = Math.max(ofAccount, remaining(this.#addresses, group, addressPolicy, now));
    if (wait > 0) return wait;
    count(accounts, key, now);
    count(this.#addresses, group, now);
    return 0;
  }

  /** Takes back the attempt, but no other one of the address: its users must not hide their guessing by own sign-ins. */
  succeeded(name: string, address: string): void {
    const [account, group] = [nameKey(name), addressGroup(address)];
    this.#accounts.delete(account);
    touch(this.#known, pair(account, group), { count: 0, lastAt: 0 });
    const ofAddress = this.#addresses.get(group);
    if (ofAddress === undefined) return;
    if (ofAddress.count > 1) ofAddress.count -= 1;
    else this.#addresses.delete(group);
  }

  /** The number of stored accounts, addresses and pairs. */
  get size(): number {
    return this.#accounts.size + this.#addresses.size + this.#known.size;
  }
}

const pair = (account: string, group: string): string => `${group} ${account}`;

function remaining(all: ReadonlyMap<string, Failures>, key: string, policy: Policy, now: number): number {
  const failures = all.get(key);
  if (failures === undefined || failures.count < policy.free || now - failures.lastAt > memoryMs) return 0;
  const wait = Math.min(policy.maxWaitMs, firstWaitMs * 2 ** (failures.count - policy.free));
  return Math.max(0, failures.lastAt + wait - now);
}

function count(all: Map<string, Failures>, key: string, now: number): void {
  const before = all.get(key);
  const isForgotten = before === undefined || now - before.lastAt > memoryMs;
  touch(all, key, { count: isForgotten ? 1 : before.count + 1, lastAt: now });
}

function touch<Value>(all: Map<string, Value>, key: string, value: Value): void {
  all.delete(key);
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > maxTracked && oldest !== undefined) all.delete(oldest);
}
