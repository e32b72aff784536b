/** The relay: the requests that fifty dashboards cost each manager, against those of one, and the latency that it adds. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { managerKeys, managerTitle, type ManagerKey } from '../api/managers.ts';
import { median, type Result } from './dashboard/table.ts';
import { residentMb } from './desktop/processes.ts';
import { poll, polled, startRelayedLab, type CountingManagers } from './relayLoad.ts';

const viewers = 50;
const warmUpMs = 20_000;
const measuredMs = 120_000;
/** The first rounds meet code that is not compiled yet; a service runs for days. */
const warmUpRounds = 500;
const latencyRounds = 2000;

export async function benchRelay(): Promise<Result[]> {
  const { managers, child, relay, stop } = await startRelayedLab('view');
  try {
    const latency = await addedLatency(`${relay}workcell/state`, `${managers.workcell.url}state`);
    const one = await load(1, relay, managers);
    const before = await residentMb(child.pid ?? 0);
    const many = await load(viewers, relay, managers);
    const after = await residentMb(child.pid ?? 0);
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
    await stop();
  }
}

/** The number of requests that each manager receives while `count` dashboards poll. */
async function load(count: number, relay: string, managers: CountingManagers): Promise<Record<ManagerKey, number>> {
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

function counts(managers: CountingManagers): Record<ManagerKey, number> {
  return Object.fromEntries(managerKeys.map((key) => [key, managers[key].relayed])) as Record<ManagerKey, number>;
}

/** Medians of alternating reads, so that both meet the same load of the machine. */
async function addedLatency(relayed: string, direct: string): Promise<{ relayed: number; direct: number }> {
  const times = { relayed: [] as number[], direct: [] as number[] };
  for (let round = 0; round < warmUpRounds + latencyRounds; round += 1) {
    const [directMs, relayedMs] = [await timeOf(direct), await timeOf(relayed)];
    if (round < warmUpRounds) continue;
    times.direct.push(directMs);
    times.relayed.push(relayedMs);
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
