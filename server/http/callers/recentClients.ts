/** Addresses of other machines with recent requests, to warn a user who quits the service. In constant memory. */
import type { RequestHandler } from 'express';
import { clock } from '#api/time/clock.ts';
import { identifyClient } from './client.ts';
import { machineAddresses } from '../../net/interfaces.ts';
import { isLoopbackAddress } from '../../net/peer.ts';

/** The maximum number of stored addresses; beyond it the least recently seen one is dropped. */
const maxAddresses = 256;

export class RecentClients {
  /** Time of each address's last request, ms since the epoch; the oldest first. */
  readonly #lastSeen = new Map<string, number>();

  readonly handler: RequestHandler = (request, _response, next) => {
    this.record(identifyClient(request).address, clock.now());
    next();
  };

  record(address: string, now: number): void {
    if (address === '' || isLoopbackAddress(address)) return;
    this.#lastSeen.delete(address);
    this.#lastSeen.set(address, now);
    const [oldest] = this.#lastSeen.keys();
    if (this.#lastSeen.size > maxAddresses && oldest !== undefined) this.#lastSeen.delete(oldest);
  }

  /** Addresses of other machines with requests since `time` (ms since the epoch), the latest first. */
  listAddressesSince(time: number, ownAddresses: ReadonlySet<string> = machineAddresses()): readonly string[] {
    return [...this.#lastSeen]
      .filter(([address, at]) => at >= time && !ownAddresses.has(address))
      .map(([address]) => address)
      .toReversed();
  }
}
