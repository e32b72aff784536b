/**
 * Hours of use in minutes: Overview, Workcells, and a page that alternates between them, on the live demo lab, with the
 * pages' delays divided by twelve. Their memory is measured after a garbage collection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import { speedUpTimers } from './fasterTimers.ts';
import { openDashboard } from './dashboard/browser.ts';
import type { Result } from './dashboard/table.ts';

const speedFactor = 12;
const sampleIntervalMs = 10_000;
/** The pages load their parts and the lab begins to work before the first minute counts. */
const warmUpMs = 60_000;
const maxGrowth = 0.1;
/**
 * The engine optimizes scripts for as long as they run and counts the result as the page's memory: about 1 MiB in ten
 * minutes, which is not a leak. These flags turn optimization and discarding of bytecode off.
 */
const engineFlags = ['--no-opt', '--no-maglev', '--no-sparkplug', '--no-flush-bytecode'];

interface MemorySample {
  /** Minutes since the end of the warm-up. */
  readonly at: number;
  /** Heap in use, in MiB. */
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}
const kinds = ['heap', 'nodes', 'listeners'] as const;
type Kind = (typeof kinds)[number];

export async function benchSoak(minutes: number): Promise<Result[]> {
  const { browser, url, stop } = await openDashboard(engineFlags);
  const pageErrors: string[] = [];
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(speedUpTimers, speedFactor);
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) pageErrors.push(message.text());
    });
    context.on('weberror', (error) => pageErrors.push(error.error().message));
    const openedAt = performance.now();
    let requests = 0;
    context.on('request', () => (requests += 1));
    const sessions = await Promise.all(
      ['', 'workcells', 'workcells'].map(async (path, index) => {
        const page = await context.newPage();
        await page.goto(`${url}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const name = ['Overview', 'Workcells', 'alternating'][index] ?? path;
        return { name, page, session: await context.newCDPSession(page), samples: [] as MemorySample[] };
      }),
    );
    const measureFrom = performance.now() + warmUpMs;
    const minute = () => (performance.now() - measureFrom) / 60_000;
    for (let round = 0; minute() < minutes; round += 1) {
      const alternatingPage = sessions.at(-1)?.page;
      if (alternatingPage !== undefined) await openPanel(alternatingPage, round % 2 === 0 ? 'Overview' : 'Workcells');
      await sleep(sampleIntervalMs);
      // The alternating page is measured on the same panel each time.
      if (round % 2 === 0 || minute() < 0) continue;
      for (const { session, samples } of sessions) samples.push({ at: minute(), ...(await measureMemory(session)) });
    }
    console.log(
      `soak: ${Math.round((requests / (performance.now() - openedAt)) * 60_000)} requests a minute of all pages`,
    );
    for (const { name, samples } of sessions) {
      console.log(`  ${name}: ${samples.map(({ heap }) => heap.toFixed(2)).join(' ')} MiB`);
      console.log(
        `    DOM nodes, listeners: ${samples.map((sample) => `${sample.nodes}, ${sample.listeners}`).join('; ')}`,
      );
    }
    for (const line of pageErrors.slice(0, 20)) console.log(`  console error: ${line}`);
    return [
      ...sessions.flatMap(({ name, samples }) => growthResults(name, samples, minutes)),
      {
        measurement: `soak, ${minutes} min: errors and warnings in the console`,
        value: String(pageErrors.length),
        baseline: null,
        ratio: null,
        goal: 'none',
        isMet: pageErrors.length === 0,
      },
    ];
  } finally {
    await stop();
  }
}

async function openPanel(page: Page, panel: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: panel }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

async function measureMemory(session: CDPSession): Promise<Omit<MemorySample, 'at'>> {
  await session.send('HeapProfiler.enable');
  // The second collection frees objects that finalizers of the first one released.
  for (let pass = 0; pass < 2; pass += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { heap: usedSize / 1024 / 1024, nodes, listeners: jsEventListeners };
}

/**
 * Compares the end with the start, and adds the trend over the whole time. Heap: the means of the first minute and of
 * the last two. Nodes and listeners vary with the lab's work (a workflow has dozens of nodes), and a leak raises their
 * minimum, so their minima over the first and the last third are compared.
 */
function growthResults(name: string, samples: readonly MemorySample[], minutes: number): Result[] {
  const within = (from: number, to: number) => samples.filter(({ at }) => at >= from && at <= to);
  return kinds.map((kind) => {
    const isHeap = kind === 'heap';
    const aggregate = isHeap ? mean : minimum;
    const early = aggregate(within(0, isHeap ? 1.05 : minutes / 3), kind);
    const late = aggregate(within(isHeap ? minutes - 2 : (minutes * 2) / 3, Infinity), kind);
    const trend = (slope(samples, kind) * minutes) / early;
    const unit = kind === 'heap' ? ' MiB' : '';
    const digits = kind === 'heap' ? 2 : 0;
    return {
      measurement: `soak, ${minutes} min, ${name}: ${kind === 'heap' ? 'heap' : kind === 'nodes' ? 'DOM nodes' : 'listeners'}`,
      value: `${late.toFixed(digits)}${unit} at the end, trend ${(trend * 100).toFixed(1)} %`,
      baseline: `${isHeap ? 'first minute' : 'first third'}, ${early.toFixed(digits)}${unit}`,
      ratio: late / early,
      goal: `< ${1 + maxGrowth}×`,
      isMet: late / early < 1 + maxGrowth,
    };
  });
}

function mean(samples: readonly MemorySample[], kind: Kind): number {
  return samples.reduce((sum, sample) => sum + sample[kind], 0) / samples.length;
}

function minimum(samples: readonly MemorySample[], kind: Kind): number {
  return Math.min(...samples.map((sample) => sample[kind]));
}

/** The slope of the regression line, per minute. */
function slope(samples: readonly MemorySample[], kind: Kind): number {
  const meanMinute = samples.reduce((sum, { at }) => sum + at, 0) / samples.length;
  const average = mean(samples, kind);
  const covariance = samples.reduce((sum, sample) => sum + (sample.at - meanMinute) * (sample[kind] - average), 0);
  return covariance / samples.reduce((sum, { at }) => sum + (at - meanMinute) ** 2, 0);
}
