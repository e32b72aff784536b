/**
 * Compares costs with their rows in `guard.json`. Each is a ratio to a baseline of the same run, by the processor time of the
 * event loop, which other programs of the machine affect far less than the duration.
 */
import autocannon from 'autocannon';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pickFreePort } from '../e2e/support/managers.ts';
import { measureParts } from '../dashboard/bundling/size.ts';
import { median, type Result } from './dashboard/table.ts';
import { projectRoot, readResidentMb, startNodeProgram } from './desktop/processes.ts';
import { hours, startWithLongHistory } from './history.ts';
import { readLoopMs } from './requestCosts.ts';
import { serviceScript, startWithBareExpress } from './service.ts';
import rows from './guard.json' with { type: 'json' };

type Name = keyof typeof rows;
/** The ratios of each measurement, one for each round. */
type Ratios = Readonly<Partial<Record<Name, readonly number[]>>>;

const rounds = 5;
const requestsPerRound = 3000;
/** The time after which a started program is idle, in ms. */
const settleMs = 2500;

export async function benchGuard(): Promise<Result[]> {
  const ratios: Ratios = {
    ...(await measureStarts()),
    ...(await measureRequests()),
    ...(await measureHistory()),
    'bytes of the first page': [await measurePage()],
  };
  return (Object.entries(rows) as [Name, { ratio: number; tolerance: number; baseline: string }][]).map(
    ([measurement, { ratio: expected, tolerance, baseline }]) => {
      const ratio = median(ratios[measurement] ?? []);
      return {
        measurement,
        value: `${ratio.toFixed(2)}×`,
        baseline,
        ratio,
        goal: `≤ ${expected}× + ${Math.round(100 * tolerance)} %`,
        isMet: ratio <= expected * (1 + tolerance),
      };
    },
  );
}

async function measureStarts(): Promise<Ratios> {
  const [start, memory]: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const [port, emptyPort] = [await pickFreePort(), await pickFreePort()];
    const programs = [
      await startNodeProgram(serviceScript, [`--lab-server-url=http://localhost:${port}`], port),
      await startNodeProgram(join(projectRoot, 'bench/emptyServer.mjs'), [String(emptyPort)], emptyPort),
    ];
    await sleep(settleMs);
    const pids = programs.map(({ child }) => child.pid ?? 0);
    const [loopMs = 0, emptyLoopMs = 1] = await Promise.all(pids.map(readLoopMs));
    const [residentMb = 0, emptyResidentMb = 1] = await Promise.all(pids.map(readResidentMb));
    start?.push(loopMs / emptyLoopMs);
    memory?.push(residentMb / emptyResidentMb);
    await Promise.all(programs.map(({ stop }) => stop()));
  }
  return { 'start of the service': start ?? [], 'resident memory of the service': memory ?? [] };
}

async function measureRequests(): Promise<Ratios> {
  const { service, bare, port, barePort, stop } = await startWithBareExpress();
  const [context, health]: number[][] = [[], []];
  // The first round warms both up.
  for (let round = 0; round <= rounds; round += 1) {
    const bareMs = await measureLoad(bare.child.pid ?? 0, `http://127.0.0.1:${barePort}/context`);
    const contextMs = await measureLoad(service.child.pid ?? 0, `http://127.0.0.1:${port}/context`);
    const healthMs = await measureLoad(service.child.pid ?? 0, `http://127.0.0.1:${port}/health`);
    if (round === 0) continue;
    context?.push(contextMs / bareMs);
    health?.push(healthMs / bareMs);
  }
  await stop();
  return { 'a request for /context': context ?? [], 'a request for /health': health ?? [] };
}

async function measureLoad(pid: number, url: string): Promise<number> {
  const before = await readLoopMs(pid);
  const { non2xx, errors } = await autocannon({ url, connections: 32, amount: requestsPerRound });
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`);
  return (await readLoopMs(pid)) - before;
}

async function measureHistory(): Promise<Ratios> {
  const { service, port, stop } = await startWithLongHistory();
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const workMs = measureFixedWork();
    const before = await readLoopMs(service.child.pid ?? 0);
    // A different window each round, so that no response is cached.
    await (await fetch(`http://127.0.0.1:${port}/lab_health/history?hours=${hours - round}`)).arrayBuffer();
    ratios.push(((await readLoopMs(service.child.pid ?? 0)) - before) / workMs);
  }
  await stop();
  return { 'first response of 90 days of history': ratios };
}

/** Sorts numbers. @returns the processor time in ms */
function measureFixedWork(): number {
  const before = process.cpuUsage();
  Array.from({ length: 100_000 }, (_, index) => (index * 2_654_435_761) % 4_294_967_296).sort((a, b) => a - b);
  return process.cpuUsage(before).user / 1000;
}

/** The size of the first page over the wire, relative to 100 KB. */
async function measurePage(): Promise<number> {
  const parts = await measureParts(join(projectRoot, 'dist/dashboard'));
  return (parts.find(({ kind }) => kind === 'first page')?.wire ?? 0) / 100_000;
}
