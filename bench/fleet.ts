/** The cost for the service of reading a thousand simulated labs, and the time until the page shows them. */
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { fleetLabs } from '../api/lab/fleet.ts';
import { chromiumOptions } from '../e2e/support/browser/chromium.ts';
import { pickFreePort } from '../e2e/support/managers.ts';
import { median, type Result } from './dashboard/table.ts';
import { projectRoot, readResidentMb, startNodeProgram } from './desktop/processes.ts';

const labCount = 1000;
const warmUpMs = 40_000;
const measuredMs = 120_000;
const rounds = 5;
/** How many of the kernel's units of processor time are one second. */
const ticksPerSecond = 100;

export async function benchFleet(): Promise<Result[]> {
  const simulator = fork(join(projectRoot, 'bench/simulatedLabs.mjs'));
  const base = await new Promise<string>((resolve) => simulator.once('message', (url) => resolve(String(url))));
  const idleService = await startService([]);
  const service = await startService([`--lab-fleet=${JSON.stringify(labAddresses(base))}`]);
  const browser = await chromium.launch(chromiumOptions);
  try {
    await sleep(warmUpMs);
    const readingCosts = await measureCosts(service.child.pid ?? 0, idleService.child.pid ?? 0);
    const fleet = fleetLabs.parse(await (await fetch(`${service.url}fleet/labs`)).json()).labs;
    const unreadCount = fleet.filter(({ answered }) => answered === null).length;
    if (unreadCount > 0) throw new Error(`${unreadCount} of ${labCount} labs were not read`);
    const cold: LoadTimes = { text: [], firstRows: [] };
    for (let round = 0; round < rounds; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await measureLoad(page, service.url, cold);
      await page.close();
    }
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const warm: LoadTimes = { text: [], firstRows: [] };
    await measureLoad(page, service.url, { text: [], firstRows: [] });
    for (let round = 0; round < rounds; round += 1) await measureLoad(page, service.url, warm);
    const viewingCosts = await measureCosts(service.child.pid ?? 0, idleService.child.pid ?? 0);
    const { growth, base: baseMb } = viewingCosts;
    return [
      shareResult(`${labCount} labs read every 15 s: processor time of the service`, readingCosts),
      shareResult('the same while a page shows them', viewingCosts),
      {
        measurement: `${labCount} labs: resident memory of the service, after a page was shown`,
        value: `${Math.round(growth + baseMb)} MB`,
        baseline: `the service without labs, ${Math.round(baseMb)} MB`,
        ratio: (growth + baseMb) / baseMb,
        goal: '≤ 150 MB',
        isMet: growth + baseMb <= 150,
      },
      firstRowsResult(`/fleet with ${labCount} labs, loaded cold to the first rows, median of ${rounds}`, cold),
      firstRowsResult('the same, with the files of the dashboard in the cache of the browser', warm),
    ];
  } finally {
    await browser.close();
    await Promise.all([service.stop(), idleService.stop()]);
    simulator.kill();
  }
}

/** Times of loading in ms: of a text page from the same service, and of the fleet's page to its first rows. */
interface LoadTimes {
  readonly text: number[];
  readonly firstRows: number[];
}

async function measureLoad(page: Page, url: string, { text, firstRows }: LoadTimes): Promise<void> {
  await page.goto('about:blank');
  const startedAt = performance.now();
  await page.goto(`${url}health`);
  text.push(performance.now() - startedAt);
  await page.goto('about:blank');
  const openedAt = performance.now();
  await page.goto(`${url}fleet`);
  await page.getByRole('grid').getByRole('link').first().waitFor();
  firstRows.push(performance.now() - openedAt);
}

function firstRowsResult(measurement: string, { text, firstRows }: LoadTimes): Result {
  return {
    measurement,
    value: `${Math.round(median(firstRows))} ms`,
    baseline: `a text page from the same service, ${Math.round(median(text))} ms`,
    ratio: median(firstRows) / median(text),
    goal: '≤ 1 s',
    isMet: median(firstRows) <= 1000,
  };
}

function labAddresses(base: string): string[] {
  return Array.from({ length: labCount }, (_none, index) => `${base}${index}/`);
}

async function startService(settings: readonly string[]) {
  const port = await pickFreePort();
  const managers = ['event', 'experiment', 'resource', 'data', 'workcell', 'location'];
  const disabledManagers = managers.map((manager) => `--${manager}-server-url=None`);
  const args = [
    `--lab-server-url=http://localhost:${port}`,
    '--lab-rate-limit-enabled=false',
    ...disabledManagers,
    ...settings,
  ];
  const service = await startNodeProgram(join(projectRoot, 'dist/server/main.js'), args, port);
  return { ...service, url: `http://localhost:${port}/` };
}

interface Costs {
  /** Processor time as a share of one core, of the service with labs and of the one without. */
  readonly share: number;
  readonly idle: number;
  /** Resident memory of the service without labs, and how much more the one with labs has, in MB. */
  readonly base: number;
  readonly growth: number;
}

async function measureCosts(pid: number, idlePid: number): Promise<Costs> {
  const ticksBefore = await Promise.all([readTicks(pid), readTicks(idlePid)]);
  await sleep(measuredMs);
  const ticksAfter = await Promise.all([readTicks(pid), readTicks(idlePid)]);
  const [usedShare, idle] = ticksAfter.map(
    (ticks, index) => (ticks - (ticksBefore[index] ?? 0)) / ticksPerSecond / (measuredMs / 1000),
  );
  const [memory, base] = await Promise.all([readResidentMb(pid), readResidentMb(idlePid)]);
  return { share: usedShare ?? 0, idle: idle ?? 0, base, growth: memory - base };
}

/** The processor time of a process and all its threads since its start, in the kernel's units. */
async function readTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function shareResult(measurement: string, { share, idle }: Costs): Result {
  return {
    measurement,
    value: `${(100 * share).toFixed(1)} % of a core`,
    baseline: `the service without labs, ${(100 * idle).toFixed(1)} %`,
    ratio: null,
    goal: '≤ 5 %',
    isMet: share <= 0.05,
  };
}
