/**
 * Resolves host names for all outgoing requests, with one lookup per host at a time and a small total limit:
 * `getaddrinfo` cannot be cancelled, and each call occupies one of the few threads of Node's pool.
 */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { clock } from '../../api/time/clock.ts';
import { errorCode } from '../../api/errorText.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Results are refreshed only after this time, in milliseconds. */
export const freshMs = 30_000;

/**
 * Timeout of a request's name lookup, in milliseconds: shorter than the request's own, so that the reason can be
 * reported.
 */
export const lookupTimeoutMs = 4000;

/** The maximum number of concurrent lookups. */
export const maxLookups = 4;

/** The maximum number of stored hosts; beyond it the least recently requested one is dropped. */
const maxHosts = 256;

export interface NameLookupLimits {
  readonly maxLookups?: number;
  readonly maxHosts?: number;
  /** Results are refreshed only after this time, in milliseconds. */
  readonly freshMs?: number;
}

/** The addresses of `localhost` and its subdomains: always this machine (RFC 6761), so no lookup is needed. */
const loopback: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

interface Host {
  lastSuccess: { readonly addresses: readonly Address[]; readonly at: number } | null;
  running: Promise<readonly Address[]> | null;
}

/** The name server did not respond in time. */
class LookupTimeoutError extends Error {
  readonly code = 'ELOOKUPTIMEOUT';
  readonly hostname: string;
  constructor(hostname: string) {
    super(`name lookup timed out: ${hostname}`);
    this.name = 'LookupTimeoutError';
    this.hostname = hostname;
  }
}

export class NameLookup {
  readonly #hosts = new Map<string, Host>();
  readonly #queue: TaskQueue;
  readonly #limits: Required<NameLookupLimits>;
  readonly #resolve: (hostname: string) => Promise<readonly Address[]>;

  constructor(
    resolve: (hostname: string) => Promise<readonly Address[]> = resolveBySystem,
    limits: NameLookupLimits = {},
  ) {
    this.#resolve = resolve;
    this.#limits = { maxLookups, maxHosts, freshMs, ...limits };
    this.#queue = new TaskQueue(this.#limits.maxLookups);
  }

  /**
   * The addresses of `hostname`, in the order of connection attempts.
   * @throws {LookupTimeoutError} when no result comes within `timeoutMs` and there was none before; also the errors of
   * `getaddrinfo`
   */
  async addresses(hostname: string, timeoutMs = lookupTimeoutMs): Promise<readonly Address[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    const host = this.#host(name);
    const isFresh = host.lastSuccess !== null && clock.monotonic() - host.lastSuccess.at < this.#limits.freshMs;
    if (host.lastSuccess && isFresh) return host.lastSuccess.addresses;
    const running = (host.running ??= this.#start(name, host));
    // Returns the last good result instead of waiting; later requests get the result of the running lookup.
    if (host.lastSuccess) return host.lastSuccess.addresses;
    return withTimeout(running, timeoutMs, () => {
      throw new LookupTimeoutError(name);
    });
  }

  /** A lookup function for Node's sockets. @param timeoutMs timeout of one request */
  forSockets(timeoutMs = lookupTimeoutMs): LookupFunction {
    return (hostname, options, done) => {
      const lookUp = async (): Promise<void> => {
        const addresses = await this.#addressesOfFamily(hostname, familyNumber(options.family), timeoutMs);
        if (addresses instanceof Error) done(addresses, []);
        else if (options.all) done(null, [...addresses]);
        else done(null, addresses[0]?.address ?? '', addresses[0]?.family);
      };
      void lookUp();
    };
  }

  /** The addresses of one family (0 for both), or the error. */
  async #addressesOfFamily(hostname: string, family: number, timeoutMs: number): Promise<readonly Address[] | Error> {
    try {
      const addresses = await this.addresses(hostname, timeoutMs);
      const addressesOfFamily = addresses.filter((address) => family === 0 || address.family === family);
      if (addressesOfFamily.length > 0) return addressesOfFamily;
      return Object.assign(new Error(`host not found: ${hostname}`), { code: 'ENOTFOUND', hostname });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #host(name: string): Host {
    const host = this.#hosts.get(name) ?? { lastSuccess: null, running: null };
    this.#hosts.delete(name);
    this.#hosts.set(name, host);
    // Keep hosts with a running lookup: dropping one would start another lookup.
    for (const [oldest, { running }] of this.#hosts) {
      if (this.#hosts.size <= this.#limits.maxHosts) break;
      if (running === null) this.#hosts.delete(oldest);
    }
    return host;
  }

  #start(name: string, host: Host): Promise<readonly Address[]> {
    const started = clock.monotonic();
    const running = this.#queue
      .run(() => this.#resolve(name))
      .then(
        (addresses) => {
          host.running = null;
          host.lastSuccess = { addresses, at: clock.monotonic() };
          return addresses;
        },
        (error: unknown) => {
          host.running = null;
          // Only a definite result replaces the previous one: the failure of a name server does not concern the host.
          if (isNoSuchHost(error)) host.lastSuccess = null;
          // The C library timed out later than our limit for the same missing response.
          throw clock.monotonic() - started >= lookupTimeoutMs && errorCode(error) === 'EAI_AGAIN'
            ? new LookupTimeoutError(name)
            : error;
        },
      );
    // Prevents an unhandled rejection: the caller may have received the last good result, or timed out.
    running.catch(() => undefined);
    return running;
  }
}

/** The shared instance of the process, because all lookups share its threads. */
export const names = new NameLookup();

/** An address family in the notation of Node's options; 0 is any. */
function familyNumber(family: number | 'IPv4' | 'IPv6' | undefined): number {
  return family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0);
}

function isNoSuchHost(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOTFOUND' || code === 'EAI_NONAME';
}

function resolveBySystem(hostname: string): Promise<readonly Address[]> {
  return dns.promises.lookup(hostname, { all: true });
}
