/**
 * Host names to addresses, for everything that asks others. `getaddrinfo` can't be cancelled and each call holds one of
 * the few threads that Node has for all of them, so a dead name server would take every name with it. Therefore: one
 * lookup for each host at a time, a few in all, the last good answer while a new one is sought, and none at all for
 * `localhost`. (Node asks nobody for IP literals.)
 */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { errorCode } from '../../api/errorText.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Answers that are asked for again only after … milliseconds. */
export const freshMs = 30_000;

/** How long one request waits for a name, in milliseconds: less than its own limit, so that the reason can be told. */
export const lookupTimeoutMs = 4000;

/** Lookups under way at the same time. */
export const maxLookups = 4;

/** Hosts remembered; beyond that the one that was asked for longest ago is forgotten. */
const maxHosts = 256;

/** Of `localhost` and its subdomains: always this machine (RFC 6761), so nobody needs to be asked. */
const loopback: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

interface Host {
  good: { readonly addresses: readonly Address[]; readonly at: number } | null;
  running: Promise<readonly Address[]> | null;
}

/** The name server didn't answer in time. */
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
  readonly #queue = new TaskQueue(maxLookups);
  readonly #resolve: (hostname: string) => Promise<readonly Address[]>;

  constructor(resolve: (hostname: string) => Promise<readonly Address[]> = resolveBySystem) {
    this.#resolve = resolve;
  }

  /**
   * The addresses of `hostname`, in the order in which they are to be tried.
   * @throws {LookupTimeoutError} when no answer comes within `timeoutMs` and there was none before; what `getaddrinfo` throws
   */
  async addresses(hostname: string, timeoutMs = lookupTimeoutMs): Promise<readonly Address[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    const host = this.#host(name);
    const isFresh = host.good !== null && performance.now() - host.good.at < freshMs;
    if (host.good && isFresh) return host.good.addresses;
    const running = (host.running ??= this.#start(name, host));
    // What was right half a minute ago is better than to wait; the answer under way is there for the next question.
    if (host.good) return host.good.addresses;
    return withTimeout(running, timeoutMs, () => {
      throw new LookupTimeoutError(name);
    });
  }

  /** In the form that Node's sockets take. @param timeoutMs how long one question may wait */
  forSockets(timeoutMs = lookupTimeoutMs): LookupFunction {
    return (hostname, options, done) => {
      const answer = async (): Promise<void> => {
        const found = await this.#addressesOfFamily(hostname, familyOf(options.family), timeoutMs);
        if (found instanceof Error) done(found, []);
        else if (options.all) done(null, [...found]);
        else done(null, found[0]?.address ?? '', found[0]?.family);
      };
      void answer();
    };
  }

  /** The addresses of one family (0 for both), or the error there is. */
  async #addressesOfFamily(hostname: string, family: number, timeoutMs: number): Promise<readonly Address[] | Error> {
    try {
      const addresses = await this.addresses(hostname, timeoutMs);
      const addressesOfFamily = addresses.filter((each) => family === 0 || each.family === family);
      if (addressesOfFamily.length > 0) return addressesOfFamily;
      return Object.assign(new Error(`host not found: ${hostname}`), { code: 'ENOTFOUND', hostname });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #host(name: string): Host {
    const host = this.#hosts.get(name) ?? { good: null, running: null };
    this.#hosts.delete(name);
    this.#hosts.set(name, host);
    // One whose lookup hangs stays: forgetting it would begin another one.
    for (const [oldest, { running }] of this.#hosts) {
      if (this.#hosts.size <= maxHosts) break;
      if (running === null) this.#hosts.delete(oldest);
    }
    return host;
  }

  #start(name: string, host: Host): Promise<readonly Address[]> {
    const started = performance.now();
    const running = this.#queue
      .run(() => this.#resolve(name))
      .then(
        (addresses) => {
          host.running = null;
          host.good = { addresses, at: performance.now() };
          return addresses;
        },
        (error: unknown) => {
          host.running = null;
          // Only a clear answer takes back the one before: a name server that fails says nothing about the host.
          if (isNoSuchHost(error)) host.good = null;
          // The C library gave up later than we did, on the same silence.
          throw performance.now() - started >= lookupTimeoutMs && errorCode(error) === 'EAI_AGAIN'
            ? new LookupTimeoutError(name)
            : error;
        },
      );
    // Who asked may have gone with the last good answer, or out of patience.
    running.catch(() => undefined);
    return running;
  }
}

/** The one for the whole process, as the threads are the whole process's. */
export const names = new NameLookup();

/** A family as Node's options may name it; 0 is any. */
function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  return family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0);
}

function isNoSuchHost(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOTFOUND' || code === 'EAI_NONAME';
}

function resolveBySystem(hostname: string): Promise<readonly Address[]> {
  return dns.promises.lookup(hostname, { all: true });
}
