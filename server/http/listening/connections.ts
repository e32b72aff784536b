/**
 * Limits the resources of one client: connections, and pending requests per connection. Above the connection limit, the
 * address with the most connections loses its longest idle one, so that the lab's own clients are served during a flood.
 */
import type http from 'node:http';
import type { Socket } from 'node:net';
import { clock } from '#api/time/clock.ts';
import { addressGroup, plainAddress } from '../../net/peer.ts';

/**
 * A connection with too many pipelined requests is closed. After `maxOffences` such connections within `penaltyMs`, their
 * address is refused for the same time: reading its data costs more than serving other clients.
 */
const penaltyMs = 10_000;
const maxOffences = 3;
/** Addresses of this machine's own programs: they lose only the one connection. */
const loopbackAddresses: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);
/** The maximum number of stored offenders; beyond it the oldest is dropped. */
const maxOffenders = 1024;

/** The maximum number of open connections, well below the systems' limit for a process. */
export const maxConnections = 1000;

/**
 * The maximum number of pending requests on one connection. Browsers send one at a time; the responses of a client that
 * sends more without reading would occupy memory.
 */
export const maxRequests = 8;

interface Connection {
  readonly socket: Socket;
  /** The group whose connections are counted together. */
  readonly group: string;
  readonly address: string;
  requests: number;
}

export class Connections {
  /** By group of addresses, the least recently busy connection first. */
  readonly #groups = new Map<string, Set<Connection>>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #capacity: number;
  #count = 0;
  /** Addresses that pipelined too much: expiry by the monotonic clock, and number of connections. */
  readonly #offenders = new Map<string, { readonly until: number; readonly offences: number }>();

  constructor(limit = maxConnections) {
    this.#capacity = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a new connection; above the limit another one is closed. */
  add(socket: Socket): void {
    if (this.#isPenalized(socket.remoteAddress ?? '')) return void socket.destroy();
    const group = addressGroup(socket.remoteAddress ?? '');
    const connection: Connection = { socket, group, address: socket.remoteAddress ?? '', requests: 0 };
    this.#bySocket.set(socket, connection);
    this.#getGroup(connection).add(connection);
    this.#count += 1;
    socket.once('close', () => this.#remove(connection));
    if (this.#count > this.#capacity) this.#findVictim(connection)?.socket.destroy();
  }

  /** Requests over TLS have another socket than the connection that was added. */
  addSecure(secure: Socket, socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (connection) this.#bySocket.set(secure, connection);
  }

  /** Whether a request is admitted; otherwise its connection is closed, and after repeated offences the whole address. */
  admit(request: http.IncomingMessage, response: http.ServerResponse): boolean {
    const connection = this.#bySocket.get(request.socket);
    if (!connection || request.socket.destroyed) return false;
    if (connection.requests >= maxRequests) {
      request.socket.destroy();
      this.#penalize(connection.address);
      return false;
    }
    connection.requests += 1;
    this.#moveToEnd(connection);
    response.once('close', () => {
      connection.requests -= 1;
      this.#moveToEnd(connection);
    });
    return true;
  }

  #penalize(address: string): void {
    if (loopbackAddresses.has(plainAddress(address))) return;
    const offences = (this.#offenders.get(address)?.offences ?? 0) + 1;
    this.#offenders.delete(address);
    this.#offenders.set(address, { until: clock.monotonic() + penaltyMs, offences });
    if (offences >= maxOffences)
      for (const connection of this.#groups.get(addressGroup(address)) ?? [])
        if (connection.address === address) connection.socket.destroy();
    const [first] = this.#offenders.keys();
    if (this.#offenders.size > maxOffenders && first !== undefined) this.#offenders.delete(first);
  }

  #isPenalized(address: string): boolean {
    const offender = this.#offenders.get(address);
    if (offender === undefined) return false;
    if (clock.monotonic() < offender.until) return offender.offences >= maxOffences;
    this.#offenders.delete(address);
    return false;
  }

  /**
   * Returns the connection to close: the longest idle one, or else the longest busy one, of the address with the most
   * connections in the largest network.
   */
  #findVictim(newest: Connection): Connection | undefined {
    let group: ReadonlySet<Connection> = new Set();
    for (const candidate of this.#groups.values()) if (candidate.size > group.size) group = candidate;
    // For IPv4 each address is a separate group.
    const [first] = group;
    if (first?.address.includes(':') !== true) return findLongestIdle(group, newest);
    const byAddress = new Map<string, Connection[]>();
    for (const connection of group) {
      const sameAddress = byAddress.get(connection.address);
      if (sameAddress === undefined) byAddress.set(connection.address, [connection]);
      else sameAddress.push(connection);
    }
    return findLongestIdle(findLongestList([...byAddress.values()]), newest);
  }

  #moveToEnd(connection: Connection): void {
    const group = this.#groups.get(connection.group);
    if (!group?.delete(connection)) return;
    group.add(connection);
  }

  #getGroup({ group }: Connection): Set<Connection> {
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

/** The longest idle connection, or else the longest busy one; the newest only if it is the only one. */
function findLongestIdle(connections: Iterable<Connection>, newest: Connection): Connection {
  let busy: Connection | null = null;
  for (const connection of connections) {
    if (connection === newest) continue;
    if (connection.requests === 0) return connection;
    busy ??= connection;
  }
  return busy ?? newest;
}

function findLongestList<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  return lists.reduce((largest, list) => (list.length > largest.length ? list : largest), []);
}
