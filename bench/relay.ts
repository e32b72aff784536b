/**
 * The relay: the number of requests that each manager receives with fifty dashboards and with one, and the added latency.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { managerKeys, managerTitle, type ManagerKey } from '../api/managers.ts';
import { median, type Result } from './dashboard/table.ts';
import { readResidentMb } from './desktop/processes.ts';
import { poll, polledEndpoints, startRelayedLab, type CountingManagers } from './relayLoad.ts';

const viewers = 50;
const warmUpMs = 20_000;
const measuredMs = 120_000;
/** Rounds that are not counted, because the engine has not compiled the code yet. */
const warmUpRounds = 500;
const latencyRounds = 2000;

export async function benchRelay(): Promise<Result[]> {
  const { managers, child, relay, stop } = await startRelayedLab('view');
  try {
    const latency = await measureLatency(`${relay}workcell/state`, `${managers.workcell.url}state`);
    const oneViewer = await countRequests(1, relay, managers);
    const memoryBefore = await readResidentMb(child.pid ?? 0);
    const manyViewers = await countRequests(viewers, relay, managers);
    const memoryAfter = await readResidentMb(child.pid ?? 0);
    const ratios = managerKeys.map((key) => ({
      key,
      one: oneViewer[key],
      many: manyViewers[key],
      ratio: manyViewers[key] / oneViewer[key],
    }));
    const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0] ?? {
      key: 'event' as const,
      one: 0,
      many: 0,
      ratio: NaN,
    };
    console.log(ratios.map(({ key, one, many }) => `${key}: ${one} → ${many}`).join(', '));
    return [
      {
        measurement: `relay: requests received by the manager with the largest increase, ${viewers} dashboards, ${measuredMs / 1000} s`,
        value: `${worst.many} at the ${managerTitle(worst.key)}`,
        baseline: `one dashboard, ${worst.one}`,
        ratio: worst.ratio,
        goal: '≤ 1.2×',
        isMet: worst.ratio <= 1.2,
      },
      {
        measurement: 'relay: latency of an unshared read, median',
        value: `${latency.relayed.toFixed(2)} ms`,
        baseline: `direct, ${latency.direct.toFixed(2)} ms`,
        ratio: latency.relayed / latency.direct,
        goal: '≤ 3 ms more',
        isMet: latency.relayed - latency.direct <= 3,
      },
      {
        measurement: `relay: resident memory after ${viewers} dashboards`,
        value: `${Math.round(memoryAfter)} MB`,
        baseline: `after one, ${Math.round(memoryBefore)} MB`,
        ratio: memoryAfter / memoryBefore,
        goal: '≤ 60 MB more',
        isMet: memoryAfter - memoryBefore <= 60,
      },
    ];
  } finally {
    await stop();
  }
}

/** The number of requests that each manager receives while `count` dashboards poll. */
async function countRequests(
  count: number,
  relay: string,
  managers: CountingManagers,
): Promise<Record<ManagerKey, number>> {
  const stopPolling = new AbortController();
  setMaxListeners(0, stopPolling.signal);
  const polling = Array.from({ length: count }, () =>
    polledEndpoints.map((endpoint) => poll(relay, endpoint, stopPolling.signal)),
  ).flat();
  await sleep(warmUpMs);
  const countsBefore = relayedCounts(managers);
  await sleep(measuredMs);
  const countsAfter = relayedCounts(managers);
  stopPolling.abort();
  await Promise.all(polling);
  return Object.fromEntries(managerKeys.map((key) => [key, countsAfter[key] - countsBefore[key]])) as Record<
    ManagerKey,
    number
  >;
}

function relayedCounts(managers: CountingManagers): Record<ManagerKey, number> {
  return Object.fromEntries(managerKeys.map((key) => [key, managers[key].relayedCount])) as Record<ManagerKey, number>;
}

/** The medians in ms of relayed and direct reads, which alternate so that the load of the machine affects both. */
async function measureLatency(relayed: string, direct: string): Promise<{ relayed: number; direct: number }> {
  const times = { relayed: [] as number[], direct: [] as number[] };
  for (let round = 0; round < warmUpRounds + latencyRounds; round += 1) {
    const [directMs, relayedMs] = [await measureRead(direct), await measureRead(relayed)];
    if (round < warmUpRounds) continue;
    times.direct.push(directMs);
    times.relayed.push(relayedMs);
  }
  return { relayed: median(times.relayed), direct: median(times.direct) };
}

async function measureRead(url: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { 'cache-control': 'no-cache' } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  return performance.now() - startedAt;
}
