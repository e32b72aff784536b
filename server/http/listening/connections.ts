/**
 * How much of the service one client can hold: connections, and requests under way on one of them. Where there are too many
 * connections the address with the most loses its longest idle one, so the lab's own clients are served beside a flood.
 */
import type http from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup, plainAddress } from '../../net/peer.ts';

/**
 * One connection that pipelines too much is closed alone. An address with so many of them within `limitedMs` milliseconds is
 * refused for as long: reading what it sends costs more than to answer honest clients.
 */
const limitedMs = 10_000;
const maxOffences = 3;
/** Where this machine's own programs come from: they lose the one connection, not each other's. */
const ownAddresses: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);
/** Limited addresses remembered; beyond that the first one is forgotten. */
const maxLimited = 1024;

/** Connections open at the same time, well below what systems allow a process to open. */
export const maxConnections = 1000;

/**
 * Requests under way on one connection. Browsers send one at a time; a client that sends more without reading would have
 * every answer kept for it.
 */
export const maxRequests = 8;

interface Connection {
  readonly socket: Socket;
  /** What is counted with the address. */
  readonly group: string;
  readonly address: string;
  requests: number;
}

export class Connections {
  /** By address, the one that was busy longest ago first. */
  readonly #groups = new Map<string, Set<Connection>>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #most: number;
  #count = 0;
  /** Addresses that pipelined too much: until when that counts, by the steady clock, and on how many connections. */
  readonly #limited = new Map<string, { readonly until: number; readonly offences: number }>();

  constructor(limit = maxConnections) {
    this.#most = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes in a new connection; where there are too many another one is closed for it. */
  add(socket: Socket): void {
    if (this.#isOverLimit(socket.remoteAddress ?? '')) return void socket.destroy();
    const group = addressGroup(socket.remoteAddress ?? '');
    const connection: Connection = { socket, group, address: socket.remoteAddress ?? '', requests: 0 };
    this.#bySocket.set(socket, connection);
    this.#groupOf(connection).add(connection);
    this.#count += 1;
    socket.once('close', () => this.#remove(connection));
    if (this.#count > this.#most) this.#largest(connection)?.socket.destroy();
  }

  /** Whether a request may be answered; otherwise its connection is closed, and no other: an address may have many users. */
  admit(request: http.IncomingMessage, response: http.ServerResponse): boolean {
    const connection = this.#bySocket.get(request.socket);
    if (!connection || request.socket.destroyed) return false;
    if (connection.requests >= maxRequests) {
      request.socket.destroy();
      this.#limit(connection.address);
      return false;
    }
    connection.requests += 1;
    this.#touch(connection);
    response.once('close', () => {
      connection.requests -= 1;
      this.#touch(connection);
    });
    return true;
  }

  #limit(address: string): void {
    if (ownAddresses.has(plainAddress(address))) return;
    const offences = (this.#limited.get(address)?.offences ?? 0) + 1;
    this.#limited.delete(address);
    this.#limited.set(address, { until: performance.now() + limitedMs, offences });
    if (offences >= maxOffences)
      for (const other of this.#groups.get(addressGroup(address)) ?? [])
        if (other.address === address) other.socket.destroy();
    const [first] = this.#limited.keys();
    if (this.#limited.size > maxLimited && first !== undefined) this.#limited.delete(first);
  }

  #isOverLimit(address: string): boolean {
    const limited = this.#limited.get(address);
    if (limited === undefined) return false;
    if (performance.now() < limited.until) return limited.offences >= maxOffences;
    this.#limited.delete(address);
    return false;
  }

  /** Of the network, and in it the address, with the most connections the one that is idle longest, else busy longest. */
  #largest(newest: Connection): Connection | undefined {
    let group: ReadonlySet<Connection> = new Set();
    for (const each of this.#groups.values()) if (each.size > group.size) group = each;
    // Of IPv4 each address is a group of its own.
    const [first] = group;
    if (first?.address.includes(':') !== true) return idlest(group, newest);
    const byAddress = new Map<string, Connection[]>();
    for (const connection of group) {
      const own = byAddress.get(connection.address);
      if (own === undefined) byAddress.set(connection.address, [connection]);
      else own.push(connection);
    }
    return idlest(largestOf([...byAddress.values()]), newest);
  }

  #touch(connection: Connection): void {
    const group = this.#groups.get(connection.group);
    if (!group?.delete(connection)) return;
    group.add(connection);
  }

  #groupOf({ group }: Connection): Set<Connection> {
    let connections = this.#groups.get(group);
    if (!connections) this.#groups.set(group, (connections = new Set()));
    return connections;
  }

  #remove(connection: Connection): void {
    const group = this.#groups.get(connection.group);
    if (!group?.delete(connection)) return;
    this.#count -= 1;
    if (group.size === 0) this.#groups.delete(connection.group);
  }
}

/** The one that is idle longest, else busy longest; the newest only where there is no other. */
function idlest(connections: Iterable<Connection>, newest: Connection): Connection {
  let busy: Connection | null = null;
  for (const one of connections) {
    if (one === newest) continue;
    if (one.requests === 0) return one;
    busy ??= one;
  }
  return busy ?? newest;
}

function largestOf<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  return lists.reduce((largest, list) => (list.length > largest.length ? list : largest), []);
}
