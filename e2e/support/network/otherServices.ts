/** Other programs that can occupy the port: a copy of this service, another lab manager, a silent listener. */
import { spawn, type ChildProcess } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { labContext, type LabContext } from '#api/lab/lab.ts';
import { cleanEnvironment } from '../desktop/desktopApp.ts';

export interface OtherService {
  stop(): Promise<void>;
}

const project = join(import.meta.dirname, '../../..');

/** Starts another copy of this service, headless like a system service. */
export async function startServiceCopy(settingsDir: string, port: number): Promise<OtherService> {
  const child = spawn(process.execPath, [join(project, 'dist/server/main.js'), `--settings-dir=${settingsDir}`], {
    env: cleanEnvironment(),
    stdio: 'ignore',
  });
  await waitForResponse(`http://127.0.0.1:${port}/health`);
  return { stop: () => waitForExit(child) };
}

/** Starts a MADSci lab manager with the endpoints that identify it: `/context`, `/settings`, `/health`. */
export async function startForeignLabManager(port: number, context: LabContext): Promise<OtherService> {
  const bodies: Record<string, unknown> = {
    '/context': labContext.parse(context),
    '/settings': { settings: { manager_type: 'lab_manager', manager_name: 'Other Lab' } },
    '/health': { healthy: true, description: 'Manager is running normally.', version: '0.8.1' },
  };
  const server = http.createServer((request, response) => {
    const body = bodies[request.url ?? ''];
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { detail: 'Not Found' }));
  });
  return listen(server, port);
}

/** Starts a server that accepts connections and never responds. */
export async function startMuteListener(port: number): Promise<OtherService> {
  return listen(net.createServer(), port);
}

async function listen(server: net.Server, port: number): Promise<OtherService> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function waitForExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function waitForResponse(url: string): Promise<void> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const isResponding = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isResponding) return;
    if (Date.now() > deadline) throw new Error(`No response from ${url}`);
    await sleep(50);
  }
}
