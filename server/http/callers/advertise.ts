/** The `/context` for another machine, for which a loopback address is useless. */
import { resolveContext } from '#api/hosts.ts';
import type { LabContext } from '#api/lab/lab.ts';
import { isLoopbackAddress, plainAddress } from '../../net/peer.ts';

export interface Requester {
  /** IP address of the requesting machine. */
  readonly peer: string;
  /** This machine's address that the client reached. */
  readonly local: string;
}

/**
 * The context in a form that the requester can use: loopback hosts are replaced by `advertisedHost` (`auto` = the address
 * it reached), ports and paths kept. Loopback peers, and all peers while no host is set, get the unchanged values.
 */
export function adaptContext(context: LabContext, advertisedHost: string | null, requester: Requester): LabContext {
  if (advertisedHost === null || isLoopbackAddress(requester.peer)) return context;
  const host = advertisedHost === 'auto' ? plainAddress(requester.local) : advertisedHost;
  return resolveContext(context, host).context;
}
