/**
 * The memory of the relay over minutes of use: dashboards that poll, reads that are never repeated, files, commands that
 * outdate what was read, and clients that leave before the end of an answer.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Result } from './dashboard/table.ts';
import { residentMb } from './desktop/processes.ts';
import { poll, polled, startRelayedLab } from './relayLoad.ts';

const dashboards = 20;
const measureMs = 5000;
/** The heap of the service grows until its first large garbage collections. */
const warmUpMs = 120_000;
/** The parts of the measured time whose medians are compared. */
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
  const { managers, pid, relay, stop } = await startRelayedLab('operate');
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  try {
    const clients = [
      ...Array.from({ length: dashboards }, () => polled.map((each) => poll(relay, each, ended.signal))).flat(),
      ...kinds.map((kind) => repeat(relay, kind, ended.signal)),
    ];
    await sleep(warmUpMs);
    const measured: number[] = [];
    for (let left = (minutes * 60_000) / measureMs; left > 0; left -= 1) {
      await sleep(measureMs);
      measured.push(await residentMb(pid));
    }
    ended.abort();
    await Promise.all(clients);
    const perPart = Math.ceil(measured.length / parts);
    const medians = Array.from({ length: parts }, (_none, part) =>
      median(measured.slice(part * perPart, (part + 1) * perPart)),
    );
    const [first = NaN] = medians;
    const last = medians.at(-1) ?? NaN;
    const requests = Object.values(managers).reduce((sum, { relayed }) => sum + relayed, 0);
    console.log(`relay, ${minutes} min: ${requests} requests to the managers; resident memory, medians of quarters:`);
    console.log(
      `  ${medians.map((each) => each.toFixed(1)).join(', ')} MB; greatest ${Math.max(...measured).toFixed(1)} MB`,
    );
    return [
      {
        measurement: `relay: resident memory in the last quarter of ${minutes} min, ${dashboards} dashboards and programs`,
        value: `${last.toFixed(0)} MB, greatest ${Math.max(...measured).toFixed(0)} MB`,
        against: `first quarter, ${first.toFixed(0)} MB`,
        ratio: last / first,
        goal: `< ${goal}×`,
        isMet: last / first < goal,
      },
    ];
  } finally {
    ended.abort();
    await stop();
  }
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
