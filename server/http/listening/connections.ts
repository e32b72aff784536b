/**
 * How much of the service one client can hold: connections, and requests under way on one of them. Where there are too many
 * connections the address with the most loses its longest idle one, so the lab's own clients are served beside a flood.
 */
import type http from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../callers/peer.ts';

/** Connections open at the same time, well below what systems allow a process to open. */
export const mostConnections = 1000;

/**
 * Requests under way on one connection. Browsers send one at a time; a client that sends more without reading would have
 * every answer kept for it.
 */
export const mostRequests = 8;

/**
 * How long an address is refused that sent more, in milliseconds: reading what it pipelined costs more than to answer
 * honest clients.
 */
export const refusedMs = 10_000;

/** Refused addresses remembered; beyond that the first one is forgotten. */
const mostRefused = 1024;

/** Where this machine's own programs come from (`::1` as a group): they lose the one connection, not each other's. */
const ownAddresses: ReadonlySet<string> = new Set(['127.0.0.1', addressGroup('::1')]);

interface Connection {
  readonly socket: Socket;
  readonly group: string;
  requests: number;
}

export class Connections {
  /** By address, the one that was busy longest ago first. */
  readonly #groups = new Map<string, Set<Connection>>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** When an address may connect again, by the steady clock. */
  readonly #refused = new Map<string, number>();
  readonly #most: number;
  #count = 0;

  constructor(most = mostConnections) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes in a new connection, unless its address is refused; where there are too many another one is closed for it. */
  add(socket: Socket): void {
    const group = addressGroup(socket.remoteAddress ?? '');
    if (this.#isRefused(group)) return void socket.destroy();
    const connection: Connection = { socket, group, requests: 0 };
    this.#bySocket.set(socket, connection);
    this.#groupOf(connection).add(connection);
    this.#count += 1;
    socket.once('close', () => this.#remove(connection));
    if (this.#count > this.#most) this.#largest(connection)?.socket.destroy();
  }

  /** Whether a request may be answered; otherwise its connection is closed. */
  admit(request: http.IncomingMessage, response: http.ServerResponse): boolean {
    const connection = this.#bySocket.get(request.socket);
    if (!connection || request.socket.destroyed) return false;
    if (connection.requests >= mostRequests) {
      this.#refuse(connection);
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

  #refuse({ socket, group }: Connection): void {
    socket.destroy();
    if (ownAddresses.has(group)) return;
    this.#refused.set(group, performance.now() + refusedMs);
    const [first] = this.#refused.keys();
    if (this.#refused.size > mostRefused && first !== undefined) this.#refused.delete(first);
    for (const other of this.#groups.get(group) ?? []) other.socket.destroy();
  }

  #isRefused(group: string): boolean {
    const until = this.#refused.get(group);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#refused.delete(group);
    return false;
  }

  /** Of the address with the most connections the one that is idle longest, else the one that is busy longest. */
  #largest(newest: Connection): Connection | undefined {
    const groups = [...this.#groups.values()];
    const size = Math.max(...groups.map((group) => group.size));
    const candidates = [...(groups.find((group) => group.size === size) ?? [])].filter((one) => one !== newest);
    return candidates.find(({ requests }) => requests === 0) ?? candidates[0] ?? newest;
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
