import { EventEmitter } from 'node:events';
import type http from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Connections, maxRequests } from './connections.ts';

class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function createConnections(limit: number) {
  const connections = new Connections(limit);
  const open = (address: string): FakeSocket => {
    const socket = new FakeSocket(address);
    connections.add(socket as unknown as Socket);
    return socket;
  };
  /** Sends a request; the result can end it. */
  const request = (socket: FakeSocket): { readonly admitted: boolean; end(): void } => {
    const response = new EventEmitter();
    const incoming = { socket } as unknown as http.IncomingMessage;
    const admitted = connections.admit(incoming, response as unknown as http.ServerResponse);
    return { admitted, end: () => void response.emit('close') };
  };
  return { connections, open, request };
}

describe('a connection above the limit', () => {
  it('closes the longest idle one of the address with the most connections', () => {
    const { connections, open, request } = createConnections(4);
    const connection = open('10.0.0.1');
    const [first, second, third] = ['10.0.0.9', '10.0.0.9', '10.0.0.9'].map((address) => open(address));
    if (!first || !second || !third) throw new Error('no sockets');
    request(first);
    request(second).end();
    const newest = open('10.0.0.9');
    // The third sent no request; the second is idle since its request; the first is busy.
    expect([first, second, third, newest, connection].map(({ destroyed }) => destroyed)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    open('10.0.0.9');
    expect(second.destroyed).toBe(true);
    expect(connections.count).toBe(4);
    expect(connection.destroyed).toBe(false);
  });

  it('closes a busy one if none is idle, and itself if there is no other', () => {
    const { open, request } = createConnections(1);
    const busy = open('10.0.0.9');
    request(busy);
    const next = open('10.0.0.9');
    expect([busy.destroyed, next.destroyed]).toEqual([true, false]);
    const none = createConnections(0);
    expect(none.open('10.0.0.9').destroyed).toBe(true);
    expect(none.connections.count).toBe(0);
  });

  it('closes one of the address with the most connections in an IPv6 network', () => {
    const { open } = createConnections(3);
    const connection = open('2001:db8::1');
    const otherConnections = ['2001:db8::2', '2001:db8::2', '2001:db8::2'].map((address) => open(address));
    expect(connection.destroyed).toBe(false);
    expect(otherConnections.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });

  it('closes one of an IPv6 network with many addresses rather than one of a single address', () => {
    const { open } = createConnections(3);
    const connection = open('10.0.0.1');
    const theirs = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((address) => open(address));
    expect(connection.destroyed).toBe(false);
    expect(theirs.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });
});

describe('requests on one connection', () => {
  it('are accepted up to the limit and again as they end; one more closes the connection', () => {
    const { open, request } = createConnections(10);
    const socket = open('10.0.0.9');
    const running = Array.from({ length: maxRequests }, () => request(socket));
    expect(running.every(({ admitted }) => admitted)).toBe(true);
    running[0]?.end();
    expect(request(socket).admitted).toBe(true);
    expect(socket.destroyed).toBe(false);
    expect(request(socket).admitted).toBe(false);
    expect(socket.destroyed).toBe(true);
    // Other requests of the same packet get no response either.
    expect(request(socket).admitted).toBe(false);
  });

  it.each(['10.0.0.9', '2001:db8::1', '127.0.0.1'])(
    'above the limit close only this connection of the address %s',
    (address) => {
      const { open, request } = createConnections(10);
      const [first, second] = [open(address), open(address)];
      for (let i = 0; i <= maxRequests; i += 1) request(first);
      expect([first, second, open(address)].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    },
  );
});
