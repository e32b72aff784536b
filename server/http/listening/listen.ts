/**
 * Listens on the configured port: an existing owner is detected first, loopback is always included, and stopping has a
 * timeout.
 */
import type { Express } from 'express';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { clock } from '#api/time/clock.ts';
import { errorCode, errorText } from '#api/errorText.ts';
import { names } from '../../net/nameLookup.ts';
import type { Log } from '../../logging/log.ts';
import type { Certificate } from './certificate.ts';
import { Connections, maxConnections } from './connections.ts';
import { detectProtocol } from './protocol.ts';
import { isLoopbackAddress } from '../../net/peer.ts';
import { identify, isPortInUse, type PortOwner } from '../../net/portOwner.ts';

/** Another program uses the port. The port is part of the contract, so it is never changed silently. */
export class PortInUseError extends Error {
  readonly port: number;
  readonly portOwner: PortOwner;
  constructor(port: number, portOwner: PortOwner) {
    super(`Port ${port} is already in use by ${describePortOwner(portOwner)}`);
    this.name = 'PortInUseError';
    this.port = port;
    this.portOwner = portOwner;
  }
}

/** Listening on the interface or port failed for another reason. */
class ListenError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ListenError';
  }
}

/** Describes the owner of the port for a sentence. */
export function describePortOwner(portOwner: PortOwner): string {
  const ownerLabel = {
    ours: 'another copy of this lab manager',
    madsci: 'another MADSci lab manager',
    unknown: 'another program',
  }[portOwner.kind];
  const details = [
    portOwner.version === null ? null : `version ${portOwner.version}`,
    portOwner.name === null ? null : `“${portOwner.name}”`,
    portOwner.process === null ? null : `process ${portOwner.process}`,
  ].filter((text) => text !== null);
  return details.length === 0 ? ownerLabel : `${ownerLabel} (${details.join(', ')})`;
}

export interface ListenTarget {
  /** `null` = every interface. */
  readonly host: string | null;
  /** 0 = any free port. */
  readonly port: number;
}

export interface ListeningServer {
  readonly port: number;
  /** The addresses of the sockets, such as `[::]:8000`. */
  readonly addresses: readonly string[];
  stop(): Promise<void>;
}

/** Time limits of requests, in milliseconds; the server checks them every two seconds. */
const serverLimits = {
  keepAlive: true,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // The dashboard polls every five seconds or so; this keeps its connection open.
  keepAliveTimeout: 15_000,
  connectionsCheckingInterval: 2000,
} as const;

export interface ListenLimits {
  readonly maxConnections: number;
  /** Idle time in milliseconds after which a connection with an unread response is closed. */
  readonly unreadTimeoutMs: number;
}

const defaultLimits: ListenLimits = { maxConnections, unreadTimeoutMs: 30_000 };

/** Time in which running requests may end after a stop, in milliseconds. */
const shutdownGraceMs = 1500;

/** The state shared by all sockets, such as the connection limit. */
interface ServeOptions {
  readonly app: Express;
  readonly connections: Connections;
  readonly unreadTimeoutMs: number;
  readonly certificate: Pick<Certificate, 'context'> | null;
}

/** Resolves when the sockets listen; rejects with `PortInUseError` or `ListenError`. */
export async function listen(
  app: Express,
  target: ListenTarget,
  log: Log,
  {
    limits = defaultLimits,
    certificate = null,
  }: { readonly limits?: ListenLimits; readonly certificate?: ServeOptions['certificate'] } = {},
): Promise<ListeningServer> {
  const connections = new Connections(limits.maxConnections);
  const options: ServeOptions = { app, connections, unreadTimeoutMs: limits.unreadTimeoutMs, certificate };
  if (target.port !== 0) await assertPortFree(target.port);
  const servers: http.Server[] = [];
  try {
    const first = await listenOnce(options, target.host, target.port);
    servers.push(first);
    const { port } = first.address() as AddressInfo;
    if (target.host !== null && !(await isPortInUse('127.0.0.1', port))) {
      servers.push(await listenOnce(options, '127.0.0.1', port));
    }
    for (const server of servers) server.on('error', (error) => log.error(`Listening: ${errorText(error)}`));
    return {
      port,
      addresses: servers.map((server) => formatAddress(server.address() as AddressInfo)),
      stop: () => Promise.all(servers.map(stopServer)).then(() => undefined),
    };
  } catch (error) {
    await Promise.all(servers.map(stopServer));
    throw await describeListenFailure(error, target);
  }
}

async function assertPortFree(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    if (await isPortInUse(host, port)) throw new PortInUseError(port, await identify(host, port));
  }
}

/** Resolves a host name before listening on it: a name server that hangs must not block the start. */
async function resolveInterface(host: string): Promise<string> {
  if (net.isIP(host) !== 0) return host;
  const [first] = await names.addresses(host);
  return first?.address ?? host;
}

/** All interfaces means IPv6 and IPv4 in one socket if the machine has IPv6. */
async function listenOnce(serve: ServeOptions, host: string | null, port: number): Promise<http.Server> {
  if (host !== null) return listenOn(serve, await resolveInterface(host), port);
  try {
    return await listenOn(serve, '::', port);
  } catch (error) {
    if (errorCode(error) === 'EAFNOSUPPORT' || errorCode(error) === 'EADDRNOTAVAIL')
      return listenOn(serve, '0.0.0.0', port);
    throw error;
  }
}

/** Closes the connections that are not yet assigned to a server. */
const closePendingByServer = new WeakMap<http.Server, () => void>();

function listenOn(
  { app, connections, unreadTimeoutMs, certificate }: ServeOptions,
  host: string,
  port: number,
): Promise<http.Server> {
  return new Promise((resolve, reject) => {
    const server = http.createServer(serverLimits, (request, response) => {
      if (connections.admit(request, response)) app(request, response);
    });
    const closePending = detectProtocol(server, { certificate, connections });
    closePendingByServer.set(server, closePending);
    server.timeout = unreadTimeoutMs;
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function stopServer(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => server.closeAllConnections(), shutdownGraceMs);
    server.close(() => {
      clock.clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
    closePendingByServer.get(server)?.();
  });
}

async function describeListenFailure(error: unknown, target: ListenTarget): Promise<Error> {
  const location = `${target.host ?? 'all interfaces'}, port ${target.port}`;
  switch (errorCode(error)) {
    case 'EADDRINUSE': {
      const host = target.host === null || isLoopbackAddress(target.host) ? '127.0.0.1' : target.host;
      return new PortInUseError(target.port, await identify(host, target.port));
    }
    case 'EACCES':
      return new ListenError(
        `This account may not listen on ${location}: set LAB_LISTEN_PORT to a port above 1023, or give the account the right`,
      );
    case 'ELOOKUPTIMEOUT':
      return new ListenError(`The name server did not answer for ${target.host}: set LAB_LISTEN_HOST to an IP address`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenError(`This machine has no interface ${target.host}: correct LAB_LISTEN_HOST`);
    default:
      return new ListenError(`Cannot listen on ${location}: ${errorText(error)}`);
  }
}

const lastPort = 65_535;

/** Lower ports require privileges that a lab manager does not have. */
const firstPort = 1024;

/** The maximum number of tried ports. */
const maxTriedPorts = 200;

/** The ports to try from `start` on; after the last port the search continues with the first unprivileged ones. */
export function listPortsFrom(start: number): number[] {
  const count = lastPort - firstPort + 1;
  const first = start > lastPort ? firstPort : start;
  return Array.from({ length: maxTriedPorts }, (_, index) =>
    first + index > lastPort ? first + index - count : first + index,
  );
}

/** The first free port from `start` on. @throws ListenError if too many are taken */
export async function findFreePort(start: number): Promise<number> {
  for (const port of listPortsFrom(start)) {
    const isFree = await new Promise<boolean>((resolve) => {
      const server = net.createServer();
      server.once('error', () => resolve(false));
      server.listen({ port }, () => server.close(() => resolve(true)));
    });
    if (isFree && !(await isPortInUse('127.0.0.1', port))) return port;
  }
  throw new ListenError(`None of the ${maxTriedPorts} ports from ${start} on is free`);
}

function formatAddress({ address, port }: AddressInfo): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
