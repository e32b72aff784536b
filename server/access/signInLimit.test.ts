import { describe, expect, it } from 'vitest';
import { maxTrackedKeys, SignInLimit } from './signInLimit.ts';

const nowMs = 60_000;

/** Returns the waits of successive failed attempts, each repeated after its wait. */
function collectWaits(attempts: number, next: (index: number) => readonly [name: string, address: string]): number[] {
  const limit = new SignInLimit();
  let now = nowMs;
  return Array.from({ length: attempts }, (_, index) => {
    const [name, address] = next(index);
    const wait = limit.attempt(name, address, now, false);
    now += wait;
    if (wait > 0) expect(limit.attempt(name, address, now, false)).toBe(0);
    return wait;
  });
}

describe('SignInLimit', () => {
  it('delays failed attempts for one account from different addresses, up to 30 s', () => {
    const successiveWaits = collectWaits(13, (index) => ['ann', `10.0.0.${index}`]);
    expect(successiveWaits).toEqual([0, 0, 0, 0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('slows down failures of one address with changing accounts, up to 15 min', () => {
    const successiveWaits = collectWaits(24, (index) => [`user${index}`, '10.0.0.9']);
    expect(successiveWaits.slice(0, 13)).toEqual([...Array.from({ length: 10 }, () => 0), 1000, 2000, 4000]);
    expect(successiveWaits.at(-1)).toBe(15 * 60_000);
  });

  it('counts an IPv6 network as one address, and names in any case as one account', () => {
    expect(collectWaits(11, (index) => [`user${index}`, `2001:db8::${index}`]).at(-1)).toBe(1000);
    expect(collectWaits(6, (index) => [index % 2 === 0 ? 'ann' : 'ANN', `10.0.0.${index}`]).at(-1)).toBe(1000);
  });

  it('counts attempts that are still being checked', () => {
    const limit = new SignInLimit();
    const results = Array.from({ length: 20 }, () => limit.attempt('ann', '10.0.0.9', nowMs, false));
    expect(results.filter((wait) => wait === 0)).toHaveLength(5);
  });

  it('lets a user sign in from a known address while others guess the password', () => {
    const limit = new SignInLimit();
    for (let i = 0; i < 8; i += 1) limit.attempt('ann', `10.0.1.${i}`, nowMs, false);
    for (let i = 0; i < 12; i += 1) limit.attempt(`user${i}`, '10.0.0.1', nowMs, false);
    expect(limit.attempt('ann', '10.0.2.1', nowMs, false)).toBeGreaterThan(0);
    expect(limit.attempt('bob', '10.0.0.1', nowMs, false)).toBeGreaterThan(0);
    expect(limit.attempt('ann', '10.0.0.1', nowMs, true)).toBe(0);
  });

  it('slows down guessing at an address that the account has used', () => {
    const limit = new SignInLimit();
    const waits = Array.from({ length: 6 }, () => limit.attempt('ann', '10.0.0.1', nowMs, true));
    expect(waits).toEqual([0, 0, 0, 0, 0, 1000]);
    expect(limit.attempt('ann', '10.0.2.1', nowMs, false)).toBe(0);
  });

  it('still counts the failures of an address when one of its users signs in between them', () => {
    const limit = new SignInLimit();
    const waits = Array.from({ length: 10 }, (_, index) => {
      if (index > 0) expect(limit.attempt('bob', '10.0.0.1', nowMs, false)).toBe(0);
      if (index > 0) limit.recordSuccess('bob', '10.0.0.1');
      return limit.attempt(`user${index}`, '10.0.0.1', nowMs, false);
    });
    expect(waits).toEqual(Array.from({ length: 10 }, () => 0));
    expect(limit.attempt('user', '10.0.0.1', nowMs, false)).toBe(1000);
  });

  it('does not count an attempt whose password was not checked', () => {
    const limit = new SignInLimit();
    for (let i = 0; i < 20; i += 1) {
      expect(limit.attempt('ann', '10.0.0.1', nowMs, false)).toBe(0);
      limit.withdraw('ann', '10.0.0.1', false);
    }
  });

  it('does not delay frequent sign-ins of one address', () => {
    const limit = new SignInLimit();
    for (let i = 0; i < 100; i += 1) {
      expect(limit.attempt('bob', '10.0.0.1', nowMs, false)).toBe(0);
      limit.recordSuccess('bob', '10.0.0.1');
    }
  });

  it('forgets failures after an hour, and after a success', () => {
    const limit = new SignInLimit();
    for (let i = 0; i < 5; i += 1) limit.attempt('ann', `10.0.0.${i}`, nowMs, false);
    expect(limit.attempt('ann', '10.0.0.9', nowMs, false)).toBe(1000);
    expect(limit.attempt('ann', '10.0.0.9', nowMs + 3_600_001, false)).toBe(0);
    for (let i = 0; i < 5; i += 1) limit.attempt('bob', `10.0.0.${i}`, nowMs, false);
    limit.recordSuccess('bob', '10.0.0.1');
    expect(limit.attempt('bob', '10.0.0.9', nowMs, false)).toBe(0);
  });

  it('keeps a bounded number of accounts and addresses', () => {
    const limit = new SignInLimit();
    for (let i = 0; i < maxTrackedKeys + 100; i += 1) {
      limit.attempt(`user${i}`, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, nowMs, false);
      if (i % 2 === 0) limit.recordSuccess(`user${i}`, `10.9.${(i >> 8) & 255}.${i & 255}`);
    }
    expect(limit.size).toBeLessThanOrEqual(3 * maxTrackedKeys);
  });
});
