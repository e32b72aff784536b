/** The headless service: start, memory, responses under load, `/lab_health` with healthy and with hung managers. */
import autocannon from 'autocannon';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pickFreePort, startLab } from '../e2e/support/managers.ts';
import { managerKeys } from '../api/managers.ts';
import { projectRoot, readResidentMb, startNodeProgram } from './desktop/processes.ts';
import { median, type Result } from './dashboard/table.ts';

export const serviceScript = join(projectRoot, 'dist/server/main.js');
const rounds = 3;
const loadSeconds = 4;

export async function benchStart(): Promise<Result[]> {
  const starts: number[] = [];
  const emptyStarts: number[] = [];
  const memory: number[] = [];
  const emptyMemory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const emptyPort = await pickFreePort();
    const empty = await startNodeProgram(join(projectRoot, 'bench/emptyServer.mjs'), [String(emptyPort)], emptyPort);
    const port = await pickFreePort();
    const service = await startNodeProgram(serviceScript, [`--lab-server-url=http://localhost:${port}`], port);
    await sleep(3000);
    starts.push(service.startMs);
    emptyStarts.push(empty.startMs);
    memory.push(await readResidentMb(service.child.pid ?? 0));
    emptyMemory.push(await readResidentMb(empty.child.pid ?? 0));
    await Promise.all([service.stop(), empty.stop()]);
  }
  const [start, emptyStart, rss, emptyRss] = [median(starts), median(emptyStarts), median(memory), median(emptyMemory)];
  return [
    {
      measurement: 'service: process start to listening',
      value: `${Math.round(start)} ms`,
      baseline: `empty node:http server, ${Math.round(emptyStart)} ms`,
      ratio: start / emptyStart,
      goal: '≤ 400 ms',
      isMet: start <= 400,
    },
    {
      measurement: 'service: resident memory, headless',
      value: `${Math.round(rss)} MB`,
      baseline: `empty node:http server, ${Math.round(emptyRss)} MB`,
      ratio: rss / emptyRss,
      goal: '≤ 80 MB',
      isMet: rss <= 80,
    },
  ];
}

/** The service of a healthy lab, and bare Express with the same response. */
export async function startWithBareExpress() {
  const lab = await startLab();
  const port = await pickFreePort();
  const addresses = managerKeys.map((key) => `--${key}-server-url=${lab.managers[key].url}`);
  const service = await startNodeProgram(
    serviceScript,
    [`--lab-server-url=http://localhost:${port}`, ...addresses],
    port,
  );
  const context = await fetch(`http://127.0.0.1:${port}/context`).then((response) => response.text());
  const barePort = await pickFreePort();
  const bare = await startNodeProgram(
    join(projectRoot, 'bench/bareExpress.mjs'),
    [String(barePort), context],
    barePort,
  );
  const stop = () => Promise.all([service.stop(), bare.stop(), lab.stop()]);
  return { service, bare, port, barePort, stop };
}

export async function benchLoad(): Promise<Result[]> {
  const { port, barePort, stop } = await startWithBareExpress();
  const rates = { context: [] as number[], health: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const bareRate = await measureRate(`http://127.0.0.1:${barePort}/context`);
    const contextRate = await measureRate(`http://127.0.0.1:${port}/context`);
    const healthRate = await measureRate(`http://127.0.0.1:${port}/health`);
    if (round === 0) continue; // The first round warms both up.
    rates.bare.push(bareRate);
    rates.context.push(contextRate);
    rates.health.push(healthRate);
  }
  await stop();
  const bareRate = median(rates.bare);
  return (['context', 'health'] as const).map((name) => {
    const rate = median(rates[name]);
    return {
      measurement: `/${name} under load (32 connections)`,
      value: `${Math.round(rate)} requests/s`,
      baseline: `bare Express with helmet and cors, ${Math.round(bareRate)} requests/s`,
      ratio: rate / bareRate,
      goal: '≥ 1.0×',
      isMet: rate / bareRate >= 1,
    };
  });
}

async function measureRate(url: string): Promise<number> {
  const result = await autocannon({ url, connections: 32, duration: loadSeconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

export async function benchLabHealth(): Promise<Result[]> {
  const healthy = await labHealthTimes('healthy', 8);
  const hung = await labHealthTimes('hang', 1);
  return [
    {
      measurement: '/lab_health, six healthy managers',
      value: `${median(healthy).toFixed(1)} ms`,
      baseline: 'the Python service, 48 ms (measured on another machine)',
      ratio: null,
      goal: '≤ 8 ms',
      isMet: median(healthy) <= 8,
    },
    {
      measurement: '/lab_health, six hung managers',
      value: `${(median(hung) / 1000).toFixed(2)} s`,
      baseline: 'the limit of one probe, 5 s',
      ratio: median(hung) / 5000,
      goal: '≤ 5.3 s',
      isMet: median(hung) <= 5300,
    },
  ];
}

async function labHealthTimes(behaviour: 'healthy' | 'hang', count: number): Promise<number[]> {
  const lab = await startLab(Object.fromEntries(managerKeys.map((key) => [key, behaviour])));
  const port = await pickFreePort();
  const addresses = managerKeys.map((key) => `--${key}-server-url=${lab.managers[key].url}`);
  const interval = '--lab-watch-interval=3600';
  const service = await startNodeProgram(
    serviceScript,
    [`--lab-server-url=http://localhost:${port}`, interval, ...addresses],
    port,
  );
  // Otherwise the first request would share the result of the watch's first round of checks.
  await sleep(behaviour === 'hang' ? 6000 : 1000);
  const durations: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const started = performance.now();
    await fetch(`http://127.0.0.1:${port}/lab_health`).then((response) => response.json());
    durations.push(performance.now() - started);
  }
  await Promise.all([service.stop(), lab.stop()]);
  return durations;
}
