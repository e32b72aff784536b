/**
 * The memory of the relay over minutes of use: dashboards that poll, reads that are never repeated, files, commands that
 * outdate what was read, and clients that leave before the end of an answer.
 */
import type { ChildProcess } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Result } from './dashboard/table.ts';
import { project, residentMb } from './desktop/processes.ts';
import { poll, polled, startRelayedLab } from './relayLoad.ts';

const dashboards = 20;
const measureMs = 5000;
/** The heap of the service grows until its first large garbage collections. */
const warmUpMs = 120_000;
const usedSamples = 10;
/** The measured time has so many parts, of which the first and the last one are compared. */
const parts = 4;
const goal = 1.1;

interface Kind {
  readonly everyMs: number;
  readonly path: (round: number) => string;
  readonly method?: 'POST';
  /** Whether the client leaves at the head of the answer. */
  readonly leaves?: true;
}

/** What programs send besides the dashboards. */
const kinds: readonly Kind[] = [
  // Each is another query, so the relay keeps and drops one answer after the other.
  { everyMs: 100, path: (round) => `event/events?number=${(round % 100_000) + 1}` },
  { everyMs: 500, path: () => 'data/datapoint/01JAR5ZV1XJ6W3C1V5T0F2N8QY/value' },
  { everyMs: 2000, path: () => 'workcell/workflow/01JAR5ZV1XJ6W3C1V5T0F2N8QY/pause', method: 'POST' },
  { everyMs: 500, path: (round) => `experiment/experiments?number=${round + 1}`, leaves: true },
];

export async function benchRelayMemory(minutes: number): Promise<Result[]> {
  const { managers, child, relay, stop } = await startRelayedLab('operate', join(project, 'bench/usedMemory.mjs'));
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  try {
    const clients = [
      ...Array.from({ length: dashboards }, () => polled.map((each) => poll(relay, each, ended.signal))).flat(),
      ...kinds.map((kind) => repeat(relay, kind, ended.signal)),
    ];
    await sleep(warmUpMs);
    const measured: Measured[] = [];
    for (let part = 0; part < parts; part += 1) measured.push(await measurePart(child, (minutes * 60_000) / parts));
    ended.abort();
    await Promise.all(clients);
    const requests = Object.values(managers).reduce((sum, { relayed }) => sum + relayed, 0);
    console.log(`relay, ${minutes} min: ${requests} requests to the managers; quarters:`);
    for (const { residentMb: resident, usedMb: used } of measured)
      console.log(`  resident ${resident.toFixed(1)} MB, in use ${used.toFixed(1)} MB`);
    return (['usedMb', 'residentMb'] as const).map((key) => comparison(minutes, key, measured));
  } finally {
    ended.abort();
    await stop();
  }
}

interface Measured {
  /** The median. */
  readonly residentMb: number;
  /** The least at the end, after garbage collections. */
  readonly usedMb: number;
}

async function measurePart(child: ChildProcess, ms: number): Promise<Measured> {
  const resident: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    await sleep(measureMs);
    resident.push(await residentMb(child.pid ?? 0));
  }
  // The answers under way at a moment are several MB.
  const used: number[] = [];
  for (let sample = 0; sample < usedSamples; sample += 1) {
    child.send('measure');
    const [bytes] = (await once(child, 'message')) as [number];
    used.push(bytes / 1e6);
    await sleep(1000);
  }
  return { residentMb: median(resident), usedMb: Math.min(...used) };
}

const names = { usedMb: 'memory in use after garbage collection', residentMb: 'resident memory' } as const;

function comparison(minutes: number, key: keyof Measured, measured: readonly Measured[]): Result {
  const [first = NaN, last = NaN] = [measured[0]?.[key], measured.at(-1)?.[key]];
  return {
    measurement: `relay: ${names[key]} in the last quarter of ${minutes} min, ${dashboards} dashboards and programs`,
    value: `${last.toFixed(1)} MB`,
    against: `first quarter, ${first.toFixed(1)} MB`,
    ratio: last / first,
    goal: `< ${goal}×`,
    isMet: last / first < goal,
  };
}

async function repeat(relay: string, { everyMs, path, method, leaves }: Kind, signal: AbortSignal): Promise<void> {
  try {
    for (let round = 0; ; round += 1) {
      const left = new AbortController();
      const answer = await fetch(`${relay}${path(round)}`, {
        method: method ?? 'GET',
        signal: AbortSignal.any([signal, left.signal]),
      });
      if (!answer.ok) throw new Error(`${path(round)}: HTTP ${answer.status}`);
      if (leaves) left.abort();
      else await answer.arrayBuffer();
      await sleep(everyMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
