/**
 * TLS and plain HTTP on one port: the port is part of the lab's contract, programs on this machine use it without TLS,
 * and browsers on other machines with it.
 */
import type http from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './certificate.ts';
import type { Connections } from './connections.ts';

/** The first byte of a TLS handshake (RFC 8446); no HTTP method begins with it. */
const handshakeByte = 0x16;
/** Time within which a client must send its first byte, in ms. */
const firstByteTimeoutMs = 10_000;

export interface ProtocolOptions {
  /** Its context is `null` while there is no certificate: then every connection is plain HTTP. */
  readonly certificate: Pick<Certificate, 'context'> | null;
  /** Receives each new connection, and each that uses TLS before its first request. */
  readonly connections: Connections;
}

/**
 * Makes a server detect the protocol of each connection. The server remains the one that listens, so that its limits and
 * its end apply to all connections.
 * @returns closes the connections that have sent nothing yet, which are not yet assigned to the server
 */
export function detectProtocol(server: http.Server, options: ProtocolOptions): () => void {
  const { certificate, connections } = options;
  const secureContext = () => certificate?.context ?? null;
  const httpListeners = server.listeners('connection') as ((socket: Socket) => void)[];
  const serveHttp = (socket: Socket) => {
    for (const listener of httpListeners) listener.call(server, socket);
  };
  const pending = new Set<Socket>();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    if (socket.destroyed) return;
    if (secureContext() === null) return serveHttp(socket);
    pending.add(socket);
    onFirstByte(socket, (first) => {
      pending.delete(socket);
      const context = first === handshakeByte ? secureContext() : null;
      if (first === null) return void socket.destroy();
      if (context === null) return serveHttp(socket);
      const secure = new TLSSocket(socket, { isServer: true, secureContext: context });
      connections.addSecure(secure, socket);
      serveHttp(secure);
    });
  });
  return () => {
    for (const socket of pending) socket.destroy();
  };
}

/** Calls `decide` once, with the first byte, which remains unread; with `null` if none arrives. */
function onFirstByte(socket: Socket, decide: (first: number | null) => void): void {
  const settle = (first: number | null) => {
    socket.off('readable', onReadable).off('timeout', onFailure).off('error', onFailure).off('close', onFailure);
    socket.setTimeout(0);
    decide(first);
  };
  const onFailure = () => settle(null);
  const onReadable = () => {
    const chunk = socket.read(1) as Buffer | null;
    if (chunk === null) return socket.readableEnded ? settle(null) : undefined;
    socket.unshift(chunk);
    settle(chunk[0] ?? null);
  };
  socket.setTimeout(firstByteTimeoutMs);
  socket.on('readable', onReadable).once('timeout', onFailure).once('error', onFailure).once('close', onFailure);
}
