/**
 * The rate limit of MADSci's lab manager (300 requests in 60 s and 50 in 1 s for each address, loopback exempt), in
 * constant memory: each window is a sliding counter of two numbers, and only the most recent addresses are kept.
 */
import { computed } from '@preact/signals-core';
import type { Request, RequestHandler, Response } from 'express';
import { clock } from '#api/time/clock.ts';
import type { LabSettings } from '../../settings/schema/types.ts';
import { identifyClient } from './client.ts';
import { isInNetworks } from '../../net/networks.ts';
import { addressGroup, isLoopbackAddress, plainAddress } from '../../net/peer.ts';

/** The maximum number of stored addresses; beyond it the least recently seen one is dropped. */
const maxAddresses = 4096;

export type RateLimitSettings = Pick<
  LabSettings,
  | 'rateLimitEnabled'
  | 'rateLimitRequests'
  | 'rateLimitWindow'
  | 'rateLimitShortRequests'
  | 'rateLimitShortWindow'
  | 'rateLimitExemptIps'
>;

/** A window's counter: requests of this slice and of the previous one, weighted by its overlap with the window. */
interface SlidingCount {
  slice: number;
  current: number;
  previous: number;
}

interface Window {
  readonly limit: number;
  readonly seconds: number;
}

/** Whether a request is allowed, and the headers of its response. */
export interface RateLimitResult {
  readonly allowed: boolean;
  readonly detail: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

interface Counts {
  readonly long: SlidingCount;
  readonly short: SlidingCount;
}

/**
 * An IPv6 host may use any address of its /64, and a whole network may share one: the limits apply to each address, and
 * multiplied by this factor to the /64.
 */
export const networkFactor = 16;

export class RateLimiter {
  readonly #addresses = new Map<string, Counts>();
  /** Separate from the addresses, so that a client with a new address for each request does not displace them. */
  readonly #networks = new Map<string, Counts>();
  /** Separate as well, so that unknown clients do not displace users. */
  readonly #users = new Map<string, Counts>();

  /**
   * Counts a request from `address` at `now` (ms since the epoch), unless it is refused. `null` = not limited.
   * @param identifyUser returns the sender, whose requests are counted instead of those of the address; called only if
   * the address is limited
   */
  tryAcquire(
    address: string,
    settings: RateLimitSettings,
    now: number,
    identifyUser: () => string | null = () => null,
  ): RateLimitResult | null {
    if (!settings.rateLimitEnabled || isExempt(address, settings.rateLimitExemptIps)) return null;
    const user = identifyUser();
    const plain = plainAddress(address);
    const network = user === null ? addressGroup(plain) : plain;
    const counts = user === null ? getCounts(this.#addresses, plain) : getCounts(this.#users, user);
    const long: Window = { limit: settings.rateLimitRequests, seconds: settings.rateLimitWindow };
    const short = getShortWindow(settings);
    const refusal = refuseAboveLimit(counts, long, short, now);
    if (refusal !== null) return refusal;
    if (network !== plain) {
      const networkCounts = getCounts(this.#networks, network);
      const [longWindow, shortNetworkWindow] = [widenForNetwork(long), short && widenForNetwork(short)];
      const networkRefusal = refuseAboveLimit(networkCounts, longWindow, shortNetworkWindow, now);
      if (networkRefusal !== null) return networkRefusal;
      countRequest(networkCounts.long, longWindow, now);
      if (shortNetworkWindow) countRequest(networkCounts.short, shortNetworkWindow, now);
    }
    countRequest(counts.long, long, now);
    if (short) countRequest(counts.short, short, now);
    const headers: Record<string, string> = {
      'X-RateLimit-Limit': String(long.limit),
      'X-RateLimit-Remaining': String(countRemainingRequests(counts.long, long, now)),
      'X-RateLimit-Reset': String(getResetTime(counts.long, long)),
    };
    if (short) {
      headers['X-RateLimit-Burst-Limit'] = String(short.limit);
      headers['X-RateLimit-Burst-Remaining'] = String(countRemainingRequests(counts.short, short, now));
    }
    return { allowed: true, detail: null, headers };
  }

  get size(): number {
    return this.#addresses.size;
  }
}

function getCounts(all: Map<string, Counts>, key: string): Counts {
  const counts = all.get(key) ?? { long: createEmptyCount(), short: createEmptyCount() };
  all.delete(key);
  all.set(key, counts);
  const [oldest] = all.keys();
  if (all.size > maxAddresses && oldest !== undefined) all.delete(oldest);
  return counts;
}

const widenForNetwork = ({ limit, seconds }: Window): Window => ({ limit: limit * networkFactor, seconds });

/** Refuses a request above a limit; returns `null` if both windows allow it. */
function refuseAboveLimit(counts: Counts, long: Window, short: Window | null, now: number): RateLimitResult | null {
  if (short && countUsedRequests(counts.short, short, now) + 1 > short.limit) {
    const text = `${short.limit} requests per ${short.seconds} seconds (burst limit)`;
    return createRefusal(long, short, counts.short, now, text, true);
  }
  if (countUsedRequests(counts.long, long, now) + 1 > long.limit)
    return createRefusal(long, long, counts.long, now, `${long.limit} requests per ${long.seconds} seconds`, false);
  return null;
}

/**
 * The factor of the relay's limits, which are counted separately: a dashboard sends up to 90 requests a minute and 30 when
 * it opens, and several people may share an address or a user.
 */
const relayFactor = 4;

function multiplyLimits(settings: RateLimitSettings, factor: number): RateLimitSettings {
  const { rateLimitRequests, rateLimitShortRequests } = settings;
  return {
    ...settings,
    rateLimitRequests: factor * rateLimitRequests,
    rateLimitShortRequests: rateLimitShortRequests === null ? null : factor * rateLimitShortRequests,
  };
}

/** As `rateLimit`, for the relay. */
export function relayRateLimit(
  settings: { readonly value: RateLimitSettings },
  identifyUser: (request: Request) => string | null,
): RequestHandler {
  return rateLimit(
    computed(() => multiplyLimits(settings.value, relayFactor)),
    identifyUser,
  );
}

/** Refuses with 429, and adds the remaining quota to other responses. */
export function rateLimit(
  settings: { readonly value: RateLimitSettings },
  identifyUser: (request: Request) => string | null = () => null,
): RequestHandler {
  const limiter = new RateLimiter();
  return (request, response, next) => {
    const { address } = identifyClient(request);
    const result = limiter.tryAcquire(address, settings.value, clock.now(), () => identifyUser(request));
    if (result === null) return next();
    setHeaders(response, result.headers);
    if (result.allowed) return next();
    response.status(429).json({ detail: result.detail });
  };
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function isExempt(address: string, exempt: readonly string[] | null): boolean {
  return exempt === null ? isLoopbackAddress(address) : isInNetworks(address, exempt);
}

function getShortWindow(settings: RateLimitSettings): Window | null {
  const { rateLimitShortRequests: limit, rateLimitShortWindow: seconds } = settings;
  return limit === null || seconds === null ? null : { limit, seconds };
}

function createEmptyCount(): SlidingCount {
  return { slice: 0, current: 0, previous: 0 };
}

function advanceSlice(count: SlidingCount, window: Window, now: number): void {
  const slice = Math.floor(now / (window.seconds * 1000));
  if (slice === count.slice) return;
  count.previous = slice === count.slice + 1 ? count.current : 0;
  count.current = 0;
  count.slice = slice;
}

function countUsedRequests(count: SlidingCount, window: Window, now: number): number {
  advanceSlice(count, window, now);
  const lengthMs = window.seconds * 1000;
  const elapsedShare = (now - count.slice * lengthMs) / lengthMs;
  return count.current + count.previous * (1 - elapsedShare);
}

function countRequest(count: SlidingCount, window: Window, now: number): void {
  advanceSlice(count, window, now);
  count.current += 1;
}

function countRemainingRequests(count: SlidingCount, window: Window, now: number): number {
  return Math.max(0, Math.floor(window.limit - countUsedRequests(count, window, now)));
}

/** The end of the current slice, in unix seconds. */
function getResetTime(count: SlidingCount, window: Window): number {
  return (count.slice + 1) * window.seconds;
}

/**
 * Time until another request is allowed, in milliseconds: first the previous slice leaves the window, then the current
 * one.
 */
function getWaitMs(count: SlidingCount, window: Window, now: number): number {
  const lengthMs = window.seconds * 1000;
  const start = count.slice * lengthMs;
  const remaining = window.limit - 1;
  const fitsNow = count.current <= remaining;
  const share = fitsNow ? (remaining - count.current) / Math.max(count.previous, 1) : remaining / count.current;
  const elapsedShare = 1 - Math.min(1, share);
  return Math.max(0, start + (fitsNow ? elapsedShare : 1 + elapsedShare) * lengthMs - now);
}

function createRefusal(
  long: Window,
  window: Window,
  count: SlidingCount,
  now: number,
  limit: string,
  isBurst: boolean,
): RateLimitResult {
  const retryAfter = Math.max(1, Math.ceil(getWaitMs(count, window, now) / 1000));
  const headers: Record<string, string> = {
    'Retry-After': String(retryAfter),
    'X-RateLimit-Limit': String(long.limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(getResetTime(count, window)),
  };
  if (isBurst) {
    headers['X-RateLimit-Burst-Limit'] = String(window.limit);
    headers['X-RateLimit-Burst-Remaining'] = '0';
  }
  return { allowed: false, detail: `Rate limit exceeded: ${limit}`, headers };
}
