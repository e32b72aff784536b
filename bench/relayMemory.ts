/**
 * The memory of the relay over minutes of use: dashboards that poll, reads that are never repeated, files, commands
 * that invalidate cached responses, and clients that disconnect before the end of a response.
 */
import type { ChildProcess } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Result } from './dashboard/table.ts';
import { projectRoot, readResidentMb } from './desktop/processes.ts';
import { poll, polledEndpoints, startRelayedLab } from './relayLoad.ts';

const dashboards = 20;
const sampleIntervalMs = 5000;
/** The heap of the service grows until its first large garbage collections. */
const warmUpMs = 120_000;
const usedMemorySamples = 10;
/** The number of parts of the measured time; the first and the last part are compared. */
const partCount = 4;
const maxGrowth = 1.1;

interface ExtraRequest {
  readonly everyMs: number;
  readonly path: (round: number) => string;
  readonly method?: 'POST';
  /** Whether the client disconnects after the response headers. */
  readonly disconnects?: true;
}

/** The requests of programs other than the dashboards. */
const extraRequests: readonly ExtraRequest[] = [
  // Each query differs, so the relay caches and discards one response after the other.
  { everyMs: 100, path: (round) => `event/events?number=${(round % 100_000) + 1}` },
  { everyMs: 500, path: () => 'data/datapoint/01JAR5ZV1XJ6W3C1V5T0F2N8QY/value' },
  { everyMs: 2000, path: () => 'workcell/workflow/01JAR5ZV1XJ6W3C1V5T0F2N8QY/pause', method: 'POST' },
  { everyMs: 500, path: (round) => `experiment/experiments?number=${round + 1}`, disconnects: true },
];

export async function benchRelayMemory(minutes: number): Promise<Result[]> {
  const { managers, child, relay, stop } = await startRelayedLab('operate', join(projectRoot, 'bench/usedMemory.mjs'));
  const stopClients = new AbortController();
  setMaxListeners(0, stopClients.signal);
  try {
    const clients = [
      ...Array.from({ length: dashboards }, () =>
        polledEndpoints.map((endpoint) => poll(relay, endpoint, stopClients.signal)),
      ).flat(),
      ...extraRequests.map((request) => sendRepeatedly(relay, request, stopClients.signal)),
    ];
    await sleep(warmUpMs);
    const measured: MemoryUse[] = [];
    for (let part = 0; part < partCount; part += 1)
      measured.push(await measurePart(child, (minutes * 60_000) / partCount));
    stopClients.abort();
    await Promise.all(clients);
    const requests = Object.values(managers).reduce((sum, { relayedCount }) => sum + relayedCount, 0);
    console.log(`relay, ${minutes} min: ${requests} requests to the managers; each part:`);
    for (const { residentMb, usedMb } of measured)
      console.log(`  resident ${residentMb.toFixed(1)} MB, in use ${usedMb.toFixed(1)} MB`);
    return (['usedMb', 'residentMb'] as const).map((key) => compareParts(minutes, key, measured));
  } finally {
    stopClients.abort();
    await stop();
  }
}

interface MemoryUse {
  /** The median. */
  readonly residentMb: number;
  /** The minimum at the end of the part, after garbage collections. */
  readonly usedMb: number;
}

async function measurePart(child: ChildProcess, ms: number): Promise<MemoryUse> {
  const resident: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    await sleep(sampleIntervalMs);
    resident.push(await readResidentMb(child.pid ?? 0));
  }
  // The responses in progress occupy several MB, so the minimum of several samples is used.
  const used: number[] = [];
  for (let sample = 0; sample < usedMemorySamples; sample += 1) {
    child.send('measure');
    const [bytes] = (await once(child, 'message')) as [number];
    used.push(bytes / 1e6);
    await sleep(1000);
  }
  return { residentMb: median(resident), usedMb: Math.min(...used) };
}

const names = { usedMb: 'memory in use after garbage collection', residentMb: 'resident memory' } as const;

function compareParts(minutes: number, key: keyof MemoryUse, measured: readonly MemoryUse[]): Result {
  const [first = NaN, last = NaN] = [measured[0]?.[key], measured.at(-1)?.[key]];
  return {
    measurement: `relay: ${names[key]} in the last part of ${minutes} min, ${dashboards} dashboards and ${extraRequests.length} other clients`,
    value: `${last.toFixed(1)} MB`,
    baseline: `first part, ${first.toFixed(1)} MB`,
    ratio: last / first,
    goal: `< ${maxGrowth}×`,
    isMet: last / first < maxGrowth,
  };
}

async function sendRepeatedly(
  relay: string,
  { everyMs, path, method, disconnects }: ExtraRequest,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let round = 0; ; round += 1) {
      const disconnect = new AbortController();
      const response = await fetch(`${relay}${path(round)}`, {
        method: method ?? 'GET',
        signal: AbortSignal.any([signal, disconnect.signal]),
      });
      if (!response.ok) throw new Error(`${path(round)}: HTTP ${response.status}`);
      if (disconnects) disconnect.abort();
      else await response.arrayBuffer();
      await sleep(everyMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
