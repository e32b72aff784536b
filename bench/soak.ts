/**
 * Hours of use in minutes: Overview, Workcells, and a page that alternates between them, on the live demo lab, with the
 * pages' delays divided by twelve. Their memory is measured after a garbage collection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import { speedUpTimers } from './fasterTimers.ts';
import { openDashboard } from './dashboard/browser.ts';
import type { Result } from './dashboard/table.ts';

const faster = 12;
const everyMs = 10_000;
/** The pages load their parts and the lab begins to work before the first minute counts. */
const warmUpMs = 60_000;
const goal = 0.1;
/**
 * The engine optimizes scripts for as long as they run and counts the result as the page's memory: about 1 MB in ten
 * minutes, which is not a leak. These flags turn optimization and discarding of bytecode off.
 */
const engine = ['--no-opt', '--no-maglev', '--no-sparkplug', '--no-flush-bytecode'];

interface Weight {
  /** Minutes since the start. */
  readonly at: number;
  /** Heap in use, in MB. */
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}
const kinds = ['heap', 'nodes', 'listeners'] as const;
type Kind = (typeof kinds)[number];

export async function benchSoak(minutes: number): Promise<Result[]> {
  const { browser, url, stop } = await openDashboard(engine);
  const complaints: string[] = [];
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(speedUpTimers, faster);
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    context.on('weberror', (error) => complaints.push(error.error().message));
    const openedAt = performance.now();
    let requests = 0;
    context.on('request', () => (requests += 1));
    const soaked = await Promise.all(
      ['', 'workcells', 'workcells'].map(async (path, index) => {
        const page = await context.newPage();
        await page.goto(`${url}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const name = ['Overview', 'Workcells', 'alternating'][index] ?? path;
        return { name, page, session: await context.newCDPSession(page), weights: [] as Weight[] };
      }),
    );
    const measureFrom = performance.now() + warmUpMs;
    const minute = () => (performance.now() - measureFrom) / 60_000;
    for (let turn = 0; minute() < minutes; turn += 1) {
      const last = soaked.at(-1)?.page;
      if (last !== undefined) await openPanel(last, turn % 2 === 0 ? 'Overview' : 'Workcells');
      await sleep(everyMs);
      // Measured on the same page each time.
      if (turn % 2 === 0 || minute() < 0) continue;
      for (const { session, weights } of soaked) weights.push({ at: minute(), ...(await weigh(session)) });
    }
    console.log(
      `soak: ${Math.round((requests / (performance.now() - openedAt)) * 60_000)} requests a minute of all pages`,
    );
    for (const { name, weights } of soaked) {
      console.log(`  ${name}: ${weights.map(({ heap }) => heap.toFixed(2)).join(' ')} MB`);
      console.log(`    DOM nodes, listeners: ${weights.map((each) => `${each.nodes}, ${each.listeners}`).join('; ')}`);
    }
    for (const line of complaints.slice(0, 20)) console.log(`  complaint: ${line}`);
    return [
      ...soaked.flatMap(({ name, weights }) => growthResults(name, weights, minutes)),
      {
        measurement: `soak, ${minutes} min: errors and warnings in the console`,
        value: String(complaints.length),
        against: null,
        ratio: null,
        goal: 'none',
        isMet: complaints.length === 0,
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

async function weigh(session: CDPSession): Promise<Omit<Weight, 'at'>> {
  await session.send('HeapProfiler.enable');
  // The second collection frees what the first one's finalizers release.
  for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { heap: usedSize / 1024 / 1024, nodes, listeners: jsEventListeners };
}

/**
 * Compares the end with the start, and adds the trend over the whole time. Heap: the means of the first minute and of the
 * last two. Nodes and listeners vary with the lab's work (a workflow has dozens of nodes), and a leak raises their
 * minimum: so the minimum of the first and of the last third.
 */
function growthResults(name: string, weights: readonly Weight[], minutes: number): Result[] {
  const within = (from: number, to: number) => weights.filter(({ at }) => at >= from && at <= to);
  return kinds.map((kind) => {
    const isHeap = kind === 'heap';
    const weighed = isHeap ? mean : minWeight;
    const early = weighed(within(0, isHeap ? 1.05 : minutes / 3), kind);
    const late = weighed(within(isHeap ? minutes - 2 : (minutes * 2) / 3, Infinity), kind);
    const trend = (slope(weights, kind) * minutes) / early;
    const unit = kind === 'heap' ? ' MB' : '';
    const digits = kind === 'heap' ? 2 : 0;
    return {
      measurement: `soak, ${minutes} min, ${name}: ${kind === 'heap' ? 'heap' : kind === 'nodes' ? 'DOM nodes' : 'listeners'}`,
      value: `${late.toFixed(digits)}${unit} at the end, trend ${(trend * 100).toFixed(1)} %`,
      against: `${isHeap ? 'first minute' : 'first third'}, ${early.toFixed(digits)}${unit}`,
      ratio: late / early,
      goal: `< ${1 + goal}×`,
      isMet: late / early < 1 + goal,
    };
  });
}

function mean(weights: readonly Weight[], kind: Kind): number {
  return weights.reduce((sum, weight) => sum + weight[kind], 0) / weights.length;
}

function minWeight(weights: readonly Weight[], kind: Kind): number {
  return Math.min(...weights.map((weight) => weight[kind]));
}

/** The slope of the regression line, per minute. */
function slope(weights: readonly Weight[], kind: Kind): number {
  const middle = weights.reduce((sum, { at }) => sum + at, 0) / weights.length;
  const average = mean(weights, kind);
  const across = weights.reduce((sum, weight) => sum + (weight.at - middle) * (weight[kind] - average), 0);
  return across / weights.reduce((sum, { at }) => sum + (at - middle) ** 2, 0);
}
