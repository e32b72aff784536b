/** What `/context` answers to another machine, for which a loopback address is of no use. Pure. */
import { resolveContext } from '../../../api/hosts.ts';
import type { LabContext } from '../../../api/lab/lab.ts';
import { isLoopbackAddress, plainAddress } from '../../net/peer.ts';

export interface Requester {
  /** IP address of the machine that asks. */
  readonly peer: string;
  /** This machine's address on which it reached us. */
  readonly local: string;
}

/**
 * The context as `asker` can use it: loopback hosts are replaced by `advertisedHost` (`auto` = the address it reached),
 * ports and paths kept. Loopback peers get the plain values, and so does everybody while no host is set.
 */
export function contextFor(context: LabContext, advertisedHost: string | null, requester: Requester): LabContext {
  if (advertisedHost === null || isLoopbackAddress(requester.peer)) return context;
  const host = advertisedHost === 'auto' ? plainAddress(requester.local) : advertisedHost;
  return resolveContext(context, host).context;
}
