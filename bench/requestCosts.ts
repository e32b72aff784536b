/** The time of the service's event loop for the most expensive requests that anybody may send, and for those it refuses. */
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pickFreePort } from '../e2e/support/managers.ts';
import type { Result } from './dashboard/table.ts';
import { projectRoot, startNodeProgram } from './desktop/processes.ts';

/** Node refuses requests with more than 16 KiB of headers and target. */
const segments = (text: string) => text.repeat(Math.floor(15_000 / text.length));

/** Targets and headers that made handlers expensive, or that have as many parts as fit. */
const targets: readonly string[] = [
  `/managers/workcell/${segments('%25z/')}`,
  `/managers/workcell/${segments('%zz/')}`,
  `/managers/workcell/workflows?${segments('a=%zz&')}`,
  `/managers/workcell/${segments('%f0%9f%98%80/')}`,
  `/${segments('%25z/')}`,
  `/${segments('../')}`,
  `/assets/${segments('%25z/')}`,
  `/docs/${segments('%25z/')}`,
  `/docs/${segments('../')}`,
  `/guide/${segments('../')}`,
  `/guide/${segments('%25z/')}`,
  `/lab_health/history?${segments('a=1&')}`,
  `/lab_health/history?since=${segments('9')}`,
  `/context?${segments('a[a]=1&')}`,
  // Checks six managers, which are unreachable here.
  '/lab_health',
  '/lab_health/history',
  '/lab/status',
  '/fleet/labs',
  '/openapi.json',
  '/safety_stop',
  '/session',
  '/settings',
  '/summary',
  '/metrics',
  '/',
];
const headers: readonly string[] = [
  `Accept-Encoding: ${segments('gzip;q=0.1,')}`,
  `Authorization: Bearer ${segments('a')}`,
  `Cookie: ${segments('a=b; ')}`,
  `Forwarded: ${segments('for=1;')}`,
  `If-None-Match: ${segments('"a",')}`,
  `Origin: http://${segments('a.')}`,
  `Range: bytes=${segments('0-1,')}`,
  `X-Forwarded-For: ${segments('1.2.3.4, ')}`,
];
type RawRequest = readonly [request: string, header: string];
const health: RawRequest = ['GET /health', ''];
const requests: readonly RawRequest[] = [
  ...targets.map((target): RawRequest => [`GET ${target}`, '']),
  // Each of them is recorded and stored.
  ['POST /safety_stop', 'Content-Length: 0\r\n'],
  ...['/', '/health'].flatMap((target) => headers.map((header): RawRequest => [`GET ${target}`, `${header}\r\n`])),
];
const repetitions = 60;
/** `/lab_health` checks at most once a second, whatever the number of requests. */
const slowRepetitions = 8;
const idleMs = 5000;

export async function benchRequestCosts(): Promise<Result[]> {
  const allowed = await measureHighest(['--lab-rate-limit-enabled=false'], null);
  const refused = await measureHighest(['--lab-rate-limit-exempt-ips=[]', '--lab-rate-limit-requests=1'], 429);
  return [
    describe('the most expensive request of anybody', allowed, 5),
    describe('the same above the rate limit', refused, 0.5),
  ];
}

interface Highest {
  readonly ms: number;
  /** `GET /health`, in the same run. */
  readonly baselineMs: number;
  readonly name: string;
}

function describe(measurement: string, { ms, baselineMs, name }: Highest, limitMs: number): Result {
  const moreMs = Math.max(0, ms - baselineMs);
  return {
    measurement: `service: ${measurement}, event-loop time beyond that of /health`,
    value: `${moreMs.toFixed(1)} ms: ${name}`,
    baseline: `/health, ${baselineMs.toFixed(1)} ms`,
    ratio: ms / baselineMs,
    goal: `≤ ${limitMs} ms`,
    isMet: moreMs <= limitMs,
  };
}

/** @param status measures only the requests with this status; `null`: all */
async function measureHighest(settings: readonly string[], status: number | null): Promise<Highest> {
  const port = await pickFreePort();
  const args = [`--lab-server-url=http://localhost:${port}`, ...settings];
  const service = await startNodeProgram(join(projectRoot, 'dist/server/main.js'), args, port);
  const pid = service.child.pid ?? 0;
  for (let round = 0; round < 500; round += 1) await send(port, health);
  const before = await readLoopMs(pid);
  await setTimeout(idleMs);
  const idleShare = ((await readLoopMs(pid)) - before) / idleMs;
  const baselineMs = await measure(pid, port, health, idleShare);
  let highest: Highest = { ms: baselineMs, baselineMs, name: health[0] };
  for (const request of requests) {
    if (status !== null && (await send(port, request)) !== status) continue;
    const ms = await measure(pid, port, request, idleShare);
    const [line, header] = request;
    if (ms > highest.ms) highest = { ms, baselineMs, name: `${line.slice(0, 34)} ${header.slice(0, 20)}`.trim() };
  }
  await service.stop();
  return highest;
}

/** The processor time of the event loop per request, in ms, without what it needs while it is idle. */
async function measure(pid: number, port: number, request: RawRequest, idleShare: number): Promise<number> {
  await send(port, request);
  const count = request[0] === 'GET /lab_health' ? slowRepetitions : repetitions;
  const [started, before] = [performance.now(), await readLoopMs(pid)];
  for (let round = 0; round < count; round += 1) await send(port, request);
  const usedMs = (await readLoopMs(pid)) - before;
  return Math.max(0, usedMs - idleShare * (performance.now() - started)) / count;
}

/** The processor time of the main thread, in ms: unlike the time of its turns, independent of the load of the machine. */
export async function readLoopMs(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'latin1')).split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Sends a raw request, because `fetch` would change its target. @returns the status */
function send(port: number, [line, header]: RawRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let head = '';
    socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${header}Connection: close\r\n\r\n`);
    socket.on('data', (chunk: Buffer) => {
      if (head.length < 12) head += chunk.toString('latin1');
    });
    socket.once('close', () => resolve(Number(head.slice(9, 12))));
    socket.once('error', reject);
  });
}
