/** The relay: the requests that fifty dashboards cost each manager, against those of one, and the latency that it adds. */
import { setMaxListeners } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { managerKeys, managerTitle, type ManagerKey } from '../api/managers.ts';
import { pollingSchedule, type PolledName } from '../dashboard/managers/transport/poll/pollingSchedule.ts';
import { freePort } from '../e2e/support/managers.ts';
import { median, type Result } from './dashboard/table.ts';
import { project, residentMb, startNode } from './desktop/processes.ts';

const viewers = 50;
const warmUpMs = 20_000;
const measuredMs = 120_000;
const latencyRounds = 400;

/** What a dashboard reads on the pages that poll most. */
const polled: readonly (readonly [ManagerKey, PolledName, string, string?])[] = [
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

/** A manager that answers everything with about 20 KB and counts the relayed requests. */
class CountingManager {
  relayed = 0;
  readonly #server = http.createServer((request, response) => {
    if (request.headers['accept-encoding'] === 'identity') this.relayed += 1;
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

export async function benchRelay(): Promise<Result[]> {
  const managers = Object.fromEntries(managerKeys.map((key) => [key, new CountingManager()])) as Record<
    ManagerKey,
    CountingManager
  >;
  await Promise.all(Object.values(managers).map((manager) => manager.start()));
  const port = await freePort();
  const addresses = managerKeys.map((key) => `--${key}-server-url=${managers[key].url}`);
  const options = [`--lab-server-url=http://localhost:${port}`, '--lab-remote-access=view', ...addresses];
  const service = await startNode(join(project, 'dist/server/main.js'), options, port);
  const relay = `http://127.0.0.1:${port}/managers/`;
  try {
    const latency = await addedLatency(`${relay}workcell/state`, `${managers.workcell.url}state`);
    const one = await load(1, relay, managers);
    const before = await residentMb(service.child.pid ?? 0);
    const many = await load(viewers, relay, managers);
    const after = await residentMb(service.child.pid ?? 0);
    const ratios = managerKeys.map((key) => ({ key, one: one[key], many: many[key], ratio: many[key] / one[key] }));
    const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0] ?? {
      key: 'event' as const,
      one: 0,
      many: 0,
      ratio: NaN,
    };
    console.log(ratios.map(({ key, one: few, many: all }) => `${key}: ${few} → ${all}`).join(', '));
    return [
      {
        measurement: `relay: requests at the manager with the worst ratio, ${viewers} dashboards, ${measuredMs / 1000} s`,
        value: `${worst.many} at the ${managerTitle(worst.key)}`,
        against: `one dashboard, ${worst.one}`,
        ratio: worst.ratio,
        goal: '≤ 1.2×',
        isMet: worst.ratio <= 1.2,
      },
      {
        measurement: 'relay: latency of an unshared read, median',
        value: `${latency.relayed.toFixed(2)} ms`,
        against: `direct, ${latency.direct.toFixed(2)} ms`,
        ratio: latency.relayed / latency.direct,
        goal: '≤ 3 ms more',
        isMet: latency.relayed - latency.direct <= 3,
      },
      {
        measurement: `relay: resident memory after ${viewers} dashboards`,
        value: `${Math.round(after)} MB`,
        against: `after one, ${Math.round(before)} MB`,
        ratio: after / before,
        goal: '≤ 60 MB more',
        isMet: after - before <= 60,
      },
    ];
  } finally {
    await service.stop();
    for (const manager of Object.values(managers)) manager.stop();
  }
}

/** The number of requests that each manager receives while `count` dashboards poll. */
async function load(
  count: number,
  relay: string,
  managers: Readonly<Record<ManagerKey, CountingManager>>,
): Promise<Record<ManagerKey, number>> {
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const polling = Array.from({ length: count }, () => polled.map((each) => poll(relay, each, ended.signal))).flat();
  await sleep(warmUpMs);
  const before = counts(managers);
  await sleep(measuredMs);
  const after = counts(managers);
  ended.abort();
  await Promise.all(polling);
  return Object.fromEntries(managerKeys.map((key) => [key, after[key] - before[key]])) as Record<ManagerKey, number>;
}

function counts(managers: Readonly<Record<ManagerKey, CountingManager>>): Record<ManagerKey, number> {
  return Object.fromEntries(managerKeys.map((key) => [key, managers[key].relayed])) as Record<ManagerKey, number>;
}

/** Reads as a page does: from any moment on, one interval after each answer. */
async function poll(
  relay: string,
  [manager, name, path, content]: (typeof polled)[number],
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
      const answer = await fetch(`${relay}${manager}/${path}`, {
        method: content === undefined ? 'GET' : 'POST',
        headers,
        body: content ?? null,
        signal,
      });
      if (!answer.ok) throw new Error(`${manager}/${path}: HTTP ${answer.status}`);
      await answer.arrayBuffer();
      await sleep(interval, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Medians of alternating reads, so that both meet the same load of the machine. */
async function addedLatency(relayed: string, direct: string): Promise<{ relayed: number; direct: number }> {
  const times = { relayed: [] as number[], direct: [] as number[] };
  for (let round = 0; round < latencyRounds; round += 1) {
    times.direct.push(await timeOf(direct));
    times.relayed.push(await timeOf(relayed));
  }
  return { relayed: median(times.relayed), direct: median(times.direct) };
}

async function timeOf(url: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { headers: { 'cache-control': 'no-cache' } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`);
  return performance.now() - began;
}
