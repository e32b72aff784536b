/** The managers' rate limiter: two sliding windows for each client; what it rejects it doesn't count. */
import type { DemoClock } from '../life/clock.ts';

export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
  readonly burstRequests: number;
  readonly burstWindowSeconds: number;
  /** Clients that aren't counted and get no headers. The real default, loopback, exempts everyone here. */
  readonly exempt: readonly string[];
}

export const usualRateLimit: RateLimit = {
  requests: 300,
  windowSeconds: 60,
  burstRequests: 50,
  burstWindowSeconds: 1,
  exempt: ['127.0.0.1', '::1'],
};

export interface Verdict {
  readonly headers: Readonly<Record<string, string>>;
  /** Where the request is refused: the reason. */
  readonly detail?: string;
}

/** Answers for one request of a client whether it may pass; null where the client isn't counted. */
export function rateLimiter(limit: RateLimit, clock: DemoClock): (client: string) => Verdict | null {
  const seen = new Map<string, number[]>();

  function refused(oldest: number, seconds: number, now: number, text: string, more: object): Verdict {
    const headers = {
      'Retry-After': String(Math.max(1, Math.floor(oldest + seconds - now) + 1)),
      'X-RateLimit-Limit': String(limit.requests),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Math.floor(oldest + seconds)),
      ...more,
    };
    return { headers, detail: `Rate limit exceeded: ${text}` };
  }

  return (client) => {
    if (limit.exempt.includes(client)) return null;
    const now = clock.now() / 1000;
    const times = (seen.get(client) ?? []).filter((time) => time > now - limit.windowSeconds);
    seen.set(client, times);
    const burst = times.filter((time) => time > now - limit.burstWindowSeconds);
    const burstHeaders = (left: number) => ({
      'X-RateLimit-Burst-Limit': String(limit.burstRequests),
      'X-RateLimit-Burst-Remaining': String(left),
    });
    if (burst.length >= limit.burstRequests) {
      const text = `${limit.burstRequests} requests per ${limit.burstWindowSeconds} seconds (burst limit)`;
      return refused(burst[0] ?? now, limit.burstWindowSeconds, now, text, burstHeaders(0));
    }
    if (times.length >= limit.requests) {
      const text = `${limit.requests} requests per ${limit.windowSeconds} seconds`;
      return refused(times[0] ?? now, limit.windowSeconds, now, text, {});
    }
    times.push(now);
    return {
      headers: {
        'X-RateLimit-Limit': String(limit.requests),
        'X-RateLimit-Remaining': String(limit.requests - times.length),
        'X-RateLimit-Reset': String(Math.floor((times[0] ?? now) + limit.windowSeconds)),
        ...burstHeaders(limit.burstRequests - burst.length - 1),
      },
    };
  };
}
