import { describe, expect, it, vi } from 'vitest';
import { networkFactor, RateLimiter, type RateLimitSettings } from './rateLimit.ts';

const settings: RateLimitSettings = {
  rateLimitEnabled: true,
  rateLimitRequests: 300,
  rateLimitWindow: 60,
  rateLimitShortRequests: 50,
  rateLimitShortWindow: 1,
  rateLimitExemptIps: null,
};
const onlyLong: RateLimitSettings = { ...settings, rateLimitShortRequests: null };
const start = 1_700_000_040_000; // The start of a minute.
const peer = '192.0.2.7';

/** Sends `count` requests at `now`. @returns how many were admitted */
function countAdmitted(
  limiter: RateLimiter,
  count: number,
  now: number,
  usedSettings = settings,
  address = peer,
): number {
  let allowed = 0;
  for (let i = 0; i < count; i += 1)
    if (limiter.tryAcquire(address, usedSettings, now)?.allowed !== false) allowed += 1;
  return allowed;
}

describe('the scope of the rate limit', () => {
  it.each(['127.0.0.1', '::1', '127.3.2.1'])('excludes %s', (address) => {
    expect(new RateLimiter().tryAcquire(address, settings, start)).toBeNull();
  });

  it('includes loopback when the exempt addresses omit it', () => {
    const limiter = new RateLimiter();
    expect(limiter.tryAcquire('127.0.0.1', { ...settings, rateLimitExemptIps: [] }, start)?.allowed).toBe(true);
    expect(limiter.tryAcquire('192.0.2.9', { ...settings, rateLimitExemptIps: ['192.0.2.9'] }, start)).toBeNull();
    expect(limiter.tryAcquire('192.0.2.9', { ...settings, rateLimitExemptIps: ['192.0.2.0/24'] }, start)).toBeNull();
    expect(
      limiter.tryAcquire('127.0.0.1', { ...settings, rateLimitExemptIps: ['127.0.0.0/8', '::1'] }, start),
    ).toBeNull();
    const others = { ...settings, rateLimitExemptIps: ['192.0.2.9'] };
    expect(limiter.tryAcquire('127.0.0.1', others, start)?.allowed).toBe(true);
  });

  it('identifies no sender whose address is exempt', () => {
    const identifyUser = vi.fn(() => 'session ada');
    new RateLimiter().tryAcquire('127.0.0.1', settings, start, identifyUser);
    expect(identifyUser).not.toHaveBeenCalled();
    new RateLimiter().tryAcquire(peer, settings, start, identifyUser);
    expect(identifyUser).toHaveBeenCalledOnce();
  });

  it('is empty when the limit is switched off', () => {
    expect(new RateLimiter().tryAcquire(peer, { ...settings, rateLimitEnabled: false }, start)).toBeNull();
  });

  it('is each address, also with IPv6, because a network may have one /64 for all of its hosts', () => {
    const limiter = new RateLimiter();
    expect(countAdmitted(limiter, 60, start)).toBe(50);
    expect(countAdmitted(limiter, 60, start, settings, '192.0.2.8')).toBe(50);
    expect(countAdmitted(limiter, 60, start, settings, '2001:db8:0:1::1')).toBe(50);
    expect(countAdmitted(limiter, 60, start, settings, '2001:db8:0:1:ffff::9')).toBe(50);
    expect(countAdmitted(limiter, 60, start, settings, '2001:db8:0:1::1')).toBe(0);
  });

  it('includes each /64 with a wider limit, which new addresses do not evade', () => {
    const limiter = new RateLimiter();
    let allowed = 0;
    for (let host = 1; host <= 10_000; host += 1)
      allowed += countAdmitted(limiter, 1, start, settings, `2001:db8:0:1::${host.toString(16)}`);
    expect(allowed).toBe(50 * networkFactor);
    expect(countAdmitted(limiter, 1, start, settings, '2001:db8:0:2::1')).toBe(1);
    expect(limiter.size).toBeLessThanOrEqual(4096);
  });
});

describe('the rate limit', () => {
  it('allows 300 requests in a minute when 60 arrive each second', () => {
    const limiter = new RateLimiter();
    let allowed = 0;
    for (let second = 0; second < 60; second += 1) allowed += countAdmitted(limiter, 60, start + second * 1000 + 999);
    expect(allowed).toBe(300);
  });

  it('allows 300 at once without a burst limit', () => {
    expect(countAdmitted(new RateLimiter(), 400, start, onlyLong)).toBe(300);
  });

  it('admits at most 10% more than the limit in any 60 s', () => {
    const limiter = new RateLimiter();
    const times: number[] = [];
    for (let ms = 0; ms < 240_000; ms += 100) if (countAdmitted(limiter, 1, start + ms)) times.push(ms);
    const maxPerMinute = Math.max(...times.map((from) => times.filter((t) => t >= from && t < from + 60_000).length));
    expect(maxPerMinute).toBeLessThanOrEqual(330);
    expect(times.length).toBeGreaterThan(600);
  });

  it('resets after two windows', () => {
    const limiter = new RateLimiter();
    countAdmitted(limiter, 400, start, onlyLong);
    expect(countAdmitted(limiter, 400, start + 120_000, onlyLong)).toBe(300);
  });
});

describe('the result of the rate limit', () => {
  it('contains the remaining requests and the end of the window', () => {
    const result = new RateLimiter().tryAcquire(peer, settings, start);
    expect(result).toEqual({
      allowed: true,
      detail: null,
      headers: {
        'X-RateLimit-Limit': '300',
        'X-RateLimit-Remaining': '299',
        'X-RateLimit-Reset': String(start / 1000 + 60),
        'X-RateLimit-Burst-Limit': '50',
        'X-RateLimit-Burst-Remaining': '49',
      },
    });
  });

  it('names the exceeded limit', () => {
    const burst = new RateLimiter();
    countAdmitted(burst, 50, start);
    expect(burst.tryAcquire(peer, settings, start)).toMatchObject({
      allowed: false,
      detail: 'Rate limit exceeded: 50 requests per 1 seconds (burst limit)',
      headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Burst-Remaining': '0' },
    });
    const long = new RateLimiter();
    countAdmitted(long, 300, start, onlyLong);
    expect(long.tryAcquire(peer, onlyLong, start)).toMatchObject({
      allowed: false,
      detail: 'Rate limit exceeded: 300 requests per 60 seconds',
    });
  });

  it.each([
    ['burst', settings, 0],
    ['burst', settings, 999],
    ['minute', onlyLong, 0],
    ['minute', onlyLong, 59_999],
    ['minute', { ...onlyLong, rateLimitRequests: 1 }, 30_000],
  ])('allows a request after the time of Retry-After (%s)', (_name, usedSettings, offset) => {
    const limiter = new RateLimiter();
    const now = start + offset;
    countAdmitted(limiter, 400, now, usedSettings);
    const refused = limiter.tryAcquire(peer, usedSettings, now);
    const seconds = Number(refused?.headers['Retry-After']);
    expect(refused?.allowed).toBe(false);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(2 * usedSettings.rateLimitWindow);
    expect(limiter.tryAcquire(peer, usedSettings, now + seconds * 1000)?.allowed).toBe(true);
  });
});

describe('the memory of the rate limit', () => {
  it('is constant and drops the longest inactive clients', () => {
    const limiter = new RateLimiter();
    countAdmitted(limiter, 60, start);
    for (let i = 0; i < 10_000; i += 1) {
      if (i % 1000 === 0) countAdmitted(limiter, 1, start);
      limiter.tryAcquire(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, settings, start);
    }
    expect(limiter.size).toBe(4096);
    expect(countAdmitted(limiter, 1, start)).toBe(0);
    expect(countAdmitted(limiter, 1, start, settings, '10.0.0.1')).toBe(1);
  });
});
