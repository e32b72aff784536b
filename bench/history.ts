/**
 * Requests for the longest window of a long history: how long one stalls the service, and the response time of
 * `/health` under many of them.
 */
import type { ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { labHistory } from '../api/lab/lab.ts';
import { managerKeys } from '../api/managers.ts';
import { pickFreePort, startLab } from '../e2e/support/managers.ts';
import { serializeRecord, type HistoryRecord } from '../server/history/record.ts';
import { projectRoot, startNodeProgram } from './desktop/processes.ts';
import { median, type Result } from './dashboard/table.ts';

const records = 100_000;
export const hours = 2160;
const rounds = 5;
const connections = 12;

/** Records over 90 days: of managers that fail, with a reason, and recover, and of watched times. */
function createLongHistory(): string {
  const end = Date.now() - 60_000;
  const step = (hours * 3_600_000) / records;
  return Array.from({ length: records }, (_, index): HistoryRecord => {
    const at = new Date(end - (records - index) * step).toISOString();
    const manager = managerKeys[index % managerKeys.length] ?? 'event';
    const isDown = Math.floor(index / managerKeys.length) % 2 === 1;
    if (index % 20 === 0) return { kind: 'watched', at, since: new Date(Date.parse(at) - 19 * step).toISOString() };
    const reason = isDown ? `Failed to connect: connection refused (127.0.0.1:${8000 + (index % 100)})` : null;
    return { kind: 'state', at, manager, state: isDown ? 'unreachable' : 'healthy', reason };
  })
    .map(serializeRecord)
    .join('');
}

/** The service of a healthy lab with that history. */
export async function startWithLongHistory() {
  const lab = await startLab();
  const port = await pickFreePort();
  const addresses = managerKeys.map((key) => `--${key}-server-url=${lab.managers[key].url}`);
  const args = [`--lab-server-url=http://localhost:${port}`, '--lab-rate-limit-enabled=false', ...addresses];
  const prepare = async (home: string): Promise<void> => {
    const folder = join(home, '.local/state/lab-manager');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `history-${port}.jsonl`), createLongHistory());
  };
  const delayMonitor = join(projectRoot, 'bench/eventLoop.mjs');
  const service = await startNodeProgram(join(projectRoot, 'dist/server/main.js'), args, port, prepare, delayMonitor);
  // The service reads the history after it listens.
  for (let attempt = 0; !(await hasIncidents(port)); attempt += 1) {
    if (attempt === 100) throw new Error('The service has not read its history');
    await sleep(200);
  }
  await sleep(2000);
  return { service, port, stop: () => Promise.all([service.stop(), lab.stop()]) };
}

async function hasIncidents(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/lab_health/history?hours=${hours / 2}`);
  return (labHistory.parse(await response.json()).incidents ?? []).length > 0;
}

export async function benchHistory(): Promise<Result[]> {
  const { service, port, stop } = await startWithLongHistory();
  const base = `http://127.0.0.1:${port}`;
  const [first, repeated, health]: number[][] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    // A different window each round, so that its first response is not cached.
    first?.push(await measureLoopDelay(service.child, `${base}/lab_health/history?hours=${hours - round}`));
    repeated?.push(await measureLoopDelay(service.child, `${base}/lab_health/history?hours=${hours - round}`));
    health?.push(await measureLoopDelay(service.child, `${base}/health`));
  }
  const bytes = await transferredBytes(port);
  const load = autocannon({ url: `${base}/lab_health/history?hours=${hours}`, connections, duration: 4 });
  const timesUnderLoad: number[] = [];
  const until = performance.now() + 3500;
  while (performance.now() < until) timesUnderLoad.push(await measureResponse(`${base}/health`));
  await load;
  await stop();
  const idle = median(health ?? []);
  const measurement = `/lab_health/history?hours=${hours}, 100,000 records`;
  const row = (name: string, ms: number, limit: number): Result => ({
    measurement: name,
    value: `${ms.toFixed(1)} ms`,
    baseline: `/health, ${idle.toFixed(1)} ms`,
    ratio: ms / idle,
    goal: `≤ ${limit} ms`,
    isMet: ms <= limit,
  });
  return [
    row(`${measurement}: event loop of the first response`, median(first ?? []), 20),
    row(`${measurement}: event loop of the same response again`, median(repeated ?? []), 20),
    {
      measurement: `/health while ${connections} clients request it, longest`,
      value: `${Math.max(...timesUnderLoad).toFixed(1)} ms`,
      baseline: null,
      ratio: null,
      goal: '≤ 250 ms',
      isMet: Math.max(...timesUnderLoad) <= 250,
    },
    {
      measurement: `${measurement}, compressed`,
      value: `${Math.round(bytes / 1000)} KB`,
      baseline: null,
      ratio: null,
      goal: '≤ 300 KB',
      isMet: bytes <= 300_000,
    },
  ];
}

/** The longest time for which a request blocks the event loop, in ms. */
async function measureLoopDelay(service: ChildProcess, url: string): Promise<number> {
  await longestDelay(service);
  await (await fetch(url)).arrayBuffer();
  return longestDelay(service);
}

/** The longest event-loop delay since the last call, in ms. */
function longestDelay(service: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    service.once('message', (ms) => resolve(Number(ms)));
    service.send('longest delay');
  });
}

async function measureResponse(url: string): Promise<number> {
  const started = performance.now();
  await (await fetch(url)).arrayBuffer();
  return performance.now() - started;
}

/** The size of one compressed response, in bytes. */
function transferredBytes(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `/lab_health/history?hours=${hours}`;
    request({ port, host: '127.0.0.1', path, headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
    })
      .on('error', reject)
      .end();
  });
}
