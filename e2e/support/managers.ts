/** Small HTTP managers for tests: each responds, fails or hangs as configured, and counts its requests. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { managerKeys, managerTitle, type ManagerKey } from '../../api/managers.ts';

export type Behaviour = 'healthy' | 'unhealthy' | 'http-503' | 'hang' | 'slow' | 'busy' | 'garbage' | 'redirect';

/** The responses of the managers of a lab without nodes, workflows and experiments to the dashboard. */
const emptyLab: Readonly<Record<string, unknown>> = {
  '/state': {
    status: {
      paused: false,
      errored: false,
      errors: [],
      initializing: false,
      shutdown: false,
      locked: false,
      ok: true,
    },
    workflow_queue: [],
    workcell_info: { name: 'Test Workcell', nodes: {} },
    nodes: {},
  },
  '/nodes': {},
  '/workflows/active': {},
  '/workflows/archived': {},
  '/experiments': [],
  '/locations': [],
};

export class FakeManager {
  readonly key: ManagerKey;
  behaviour: Behaviour;
  /** The number of requests for `/health`. */
  requests = 0;
  /** The number of connections, for requests of any path. */
  connections = 0;
  /** The number of requests from pages of another origin. */
  crossOriginRequests = 0;
  #server: http.Server | null = null;
  #port = 0;

  constructor(key: ManagerKey, behaviour: Behaviour = 'healthy') {
    this.key = key;
    this.behaviour = behaviour;
  }

  get isUp(): boolean {
    return this.#server !== null;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Listens, on its former port if it had one. */
  async start(host = '127.0.0.1'): Promise<void> {
    const server = http.createServer((request, response) => {
      if (request.headers.origin !== undefined) this.crossOriginRequests += 1;
      this.#respond(request, response);
    });
    server.on('connection', () => (this.connections += 1));
    if (this.#port === 0) this.#port = await pickFreePort();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, host, resolve);
    });
    this.#server = server;
  }

  /** Stops: open connections are closed, and new ones refused. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  #respond(request: http.IncomingMessage, response: http.ServerResponse): void {
    const title = managerTitle(this.key);
    const json = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        .end(JSON.stringify(body));
    if (request.url !== '/health') {
      const path = new URL(request.url ?? '/', this.url).pathname;
      if (this.behaviour === 'hang') return undefined;
      if (this.behaviour === 'http-503') return void json(503, { detail: 'Service Unavailable' });
      const body = emptyLab[path];
      return void (body === undefined ? json(404, { detail: 'Not Found' }) : json(200, body));
    }
    this.requests += 1;
    const healthy = {
      healthy: true,
      description: `${title} is running normally`,
      version: '0.8.1',
      db_connected: true,
    };
    switch (this.behaviour) {
      case 'healthy':
        return void json(200, healthy);
      case 'unhealthy':
        return void json(200, { healthy: false, description: `${title} lost its database`, version: '0.8.1' });
      case 'http-503':
        return void json(503, { detail: 'Service Unavailable' });
      case 'slow':
        return void setTimeout(() => json(200, healthy), 1300);
      case 'busy':
        return void json(429, { detail: 'Rate limit exceeded: 50 requests per 1 seconds (burst limit)' });
      case 'garbage':
        return void response.writeHead(200).end('<html>hello</html>');
      case 'redirect':
        return void response.writeHead(307, { location: 'http://127.0.0.1:9/health' }).end();
      case 'hang':
        return undefined;
    }
  }
}

export interface FakeLab {
  readonly managers: Readonly<Record<ManagerKey, FakeManager>>;
  /** The settings with the managers' addresses, as YAML lines. */
  readonly settings: string;
  /** Stops all managers and releases their ports. */
  stop(): Promise<void>;
}

/** Starts six managers on free ports, healthy by default. */
export async function startLab(
  behaviours: Partial<Record<ManagerKey, Behaviour>> = {},
  host?: string,
): Promise<FakeLab> {
  const entries = managerKeys.map((key) => [key, new FakeManager(key, behaviours[key])] as const);
  await Promise.all(entries.map(([, manager]) => manager.start(host)));
  return {
    managers: Object.fromEntries(entries) as Record<ManagerKey, FakeManager>,
    settings: entries.map(([key, manager]) => `${key}_server_url: ${manager.url}`).join('\n'),
    stop: async () => {
      await Promise.all(entries.map(([, manager]) => manager.stop()));
      for (const [, manager] of entries) releasePort(manager.port);
    },
  };
}

/** Has a folder for each reserved port; other users cannot write to it, so that each user has one. */
const reservations = join(tmpdir(), `lab-manager-test-ports-${process.getuid?.() ?? 'user'}`);
/** After this time, in ms, a reservation that was not released has ended. */
const reservationMs = 60 * 60_000;

/**
 * Returns a free port and reserves it, so that tests in other processes do not get it too. It is outside the ephemeral
 * range, so that the system does not assign it to another server or connection.
 */
export async function pickFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (reservePort(port) && (await isFreePort(port))) return port;
  }
  throw new Error(`Every tried port is in use or reserved in ${reservations}`);
}

/** Returns whether this process reserved the port, by creating a folder for it. */
function reservePort(port: number): boolean {
  const reservation = join(reservations, String(port));
  mkdirSync(reservations, { recursive: true });
  const since = statSync(reservation, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
  if (Date.now() - since > reservationMs) releasePort(port);
  try {
    mkdirSync(reservation);
    return true;
  } catch {
    return false; // Another process has reserved it.
  }
}

function releasePort(port: number): void {
  rmSync(join(reservations, String(port)), { recursive: true, force: true });
}

function isFreePort(port: number): Promise<boolean> {
  const server = http.createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
