/**
 * Managers that respond immediately, the service with the relay in front of them, and simulated dashboards that read
 * through it.
 */
import type { ChildProcess } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { managerKeys, type ManagerKey } from '../api/managers.ts';
import { pollingSchedule, type ScheduleName } from '../dashboard/managers/transport/poll/pollingSchedule.ts';
import { pickFreePort } from '../e2e/support/managers.ts';
import { projectRoot, startNodeProgram } from './desktop/processes.ts';

/** The requests of the pages with the most frequent polling: manager, schedule, path, and the body of a POST. */
export const polledEndpoints: readonly (readonly [ManagerKey, ScheduleName, string, string?])[] = [
  ['workcell', 'workcellState', 'state'],
  ['workcell', 'activeWorkflows', 'workflows/active'],
  ['workcell', 'workflow', 'workflow/1'],
  ['event', 'eventLog', 'events?number=200'],
  ['experiment', 'experimentsShown', 'experiments?number=20'],
  ['resource', 'resources', 'resource/query', '{"multiple":true}'],
  ['resource', 'resource', 'resource/1'],
  ['data', 'dataShown', 'datapoints?number=100'],
  ['location', 'locationsShown', 'locations'],
];

/** A manager that responds to every request with about 20 KB, and counts the relayed requests. */
class CountingManager {
  relayedCount = 0;
  readonly #server = http.createServer((request, response) => {
    if (request.headers['accept-encoding'] === 'identity') this.relayedCount += 1;
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve()));
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
const body = JSON.stringify(Array.from({ length: 100 }, (_none, index) => ({ id: index, text: 'x'.repeat(180) })));

export type CountingManagers = Readonly<Record<ManagerKey, CountingManager>>;

export interface RelayedLab {
  readonly managers: CountingManagers;
  /** The process of the service. */
  readonly child: ChildProcess;
  /** The address of the relay. */
  readonly relay: string;
  stop(): Promise<void>;
}

/** @param access the value of LAB_REMOTE_ACCESS @param preloaded as for `startNodeProgram` */
export async function startRelayedLab(
  access: 'view' | 'operate',
  preloaded: string | null = null,
): Promise<RelayedLab> {
  const managers = Object.fromEntries(managerKeys.map((key) => [key, new CountingManager()])) as Record<
    ManagerKey,
    CountingManager
  >;
  await Promise.all(Object.values(managers).map((manager) => manager.start()));
  const port = await pickFreePort();
  const addresses = managerKeys.map((key) => `--${key}-server-url=${managers[key].url}`);
  const options = [`--lab-server-url=http://localhost:${port}`, `--lab-remote-access=${access}`, ...addresses];
  const program = join(projectRoot, 'dist/server/main.js');
  const service = await startNodeProgram(program, options, port, undefined, preloaded);
  return {
    managers,
    child: service.child,
    relay: `http://127.0.0.1:${port}/managers/`,
    stop: async () => {
      await service.stop();
      for (const manager of Object.values(managers)) manager.stop();
    },
  };
}

/** Reads as a page does until `signal` aborts: after a random delay, then one polling interval after each response. */
export async function poll(
  relay: string,
  [manager, name, path, content]: (typeof polledEndpoints)[number],
  signal: AbortSignal,
): Promise<void> {
  const interval = pollingSchedule[name];
  const headers = {
    'cache-control': `max-age=${Math.floor(interval / 1000)}`,
    ...(content !== undefined && { 'content-type': 'application/json' }),
  };
  try {
    await sleep(Math.random() * interval, undefined, { signal });
    for (;;) {
      const response = await fetch(`${relay}${manager}/${path}`, {
        method: content === undefined ? 'GET' : 'POST',
        headers,
        body: content ?? null,
        signal,
      });
      if (!response.ok) throw new Error(`${manager}/${path}: HTTP ${response.status}`);
      await response.arrayBuffer();
      await sleep(interval, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
