/**
 * The idle packaged app: six healthy managers, five waiting nodes, the Overview in its window. No debugger is attached
 * to it during the measurement: a debugger has a cost, and a page under Playwright is never hidden.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { _electron } from 'playwright';
import { startOutside, type OutsideApp } from '../../e2e/support/desktop/outsideApp.ts';
import { readCosts, processTree } from './appCosts.ts';
import { startDemo } from '../demoProcess.ts';
import { emptyApp } from './emptyApp.ts';
import type { Result } from '../dashboard/table.ts';

/**
 * The delay before the measurement, in ms. By then all lazy parts are loaded, and no duration on the page shows
 * seconds.
 */
const settleMs = 75_000;
const measuredMs = 40_000;
const startTimeoutMs = 30_000;
const emptySettleMs = 10_000;

interface IdleCosts {
  /** Percent of one core. */
  readonly cpu: number;
  /** Wake-ups per second. */
  readonly wakeups: number;
  /** The sum of the processes' PSS. */
  readonly memoryMb: number;
}

/** @param executable the Electron runtime, for the app that is only a window */
export async function benchAppAtRest(executable: string): Promise<Result[]> {
  const demo = await startDemo();
  try {
    await demo.post('simulation', { running: false });
    const visible = await measureApp(demo.addresses, []);
    const hidden = await measureApp(demo.addresses, ['--hidden']);
    const empty = await measureEmptyWindow(executable);
    const comparison = (value: number, reference: number, unit: string): Pick<Result, 'baseline' | 'ratio'> => ({
      baseline: `empty Electron window, ${unit === 'MB' ? Math.round(reference) : reference.toFixed(1)} ${unit}`,
      ratio: value / reference,
    });
    const cores = '% of a core';
    return [
      {
        ...row(
          'app at rest, Overview in the window: processor',
          `${visible.cpu.toFixed(1)} ${cores}`,
          '≤ 1 %',
          visible.cpu <= 1,
        ),
        ...comparison(visible.cpu, empty.cpu, cores),
      },
      row('app at rest, Overview in the window: wake-ups', perSecond(visible), '≤ 40 a second', visible.wakeups <= 40),
      row(
        'app at rest, in the tray alone: processor',
        `${hidden.cpu.toFixed(1)} ${cores}`,
        '≤ 0.3 %',
        hidden.cpu <= 0.3,
      ),
      {
        ...row(
          'app at rest: memory (PSS) of all processes',
          `${Math.round(visible.memoryMb)} MB`,
          '≤ 250 MB',
          visible.memoryMb <= 250,
        ),
        ...comparison(visible.memoryMb, empty.memoryMb, 'MB'),
      },
    ];
  } finally {
    await demo.stop();
  }
}

function row(measurement: string, value: string, goal: string, isMet: boolean): Result {
  return { measurement, value, baseline: null, ratio: null, goal, isMet };
}

function perSecond({ wakeups }: IdleCosts): string {
  return `${Math.round(wakeups)} a second`;
}

/** @param args `--hidden`: starts in the tray only */
async function measureApp(addresses: Readonly<Record<string, string>>, args: readonly string[]): Promise<IdleCosts> {
  const app = await startOutside({ settings: { lab_manager_name: 'Bench Lab', ...addresses }, args: [...args] });
  try {
    await waitUntilHealthy(app);
    await sleep(settleMs);
    const costs = await measureAtRest(`at rest ${args.join(' ')}`, () => app.processes());
    // Checks that the measured page was the Overview.
    if (args.length === 0) await (await app.page()).getByText('Managers 6/6', { exact: true }).waitFor();
    return costs;
  } finally {
    await app.close();
  }
}

async function waitUntilHealthy({ tray }: OutsideApp): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(await tray.tooltip()).includes('Healthy')) {
    if (Date.now() > deadline)
      throw new Error(`The lab is not healthy; the tooltip of the tray icon is: ${await tray.tooltip()}`);
    await sleep(200);
  }
}

/** Measures an app that is only a window; Playwright's debugger is attached to it. */
async function measureEmptyWindow(executable: string): Promise<IdleCosts> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-empty-'));
  for (const [name, text] of Object.entries(emptyApp)) await writeFile(join(folder, name), text);
  const app = await _electron.launch({
    executablePath: executable,
    args: [folder, `--user-data-dir=${join(folder, 'profile')}`],
  });
  try {
    await (await app.firstWindow()).waitForLoadState();
    await sleep(emptySettleMs);
    const root = app.process().pid ?? 0;
    return await measureAtRest('empty window', () => processTree(root).map((pid) => ({ pid, kind: 'process' })));
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures processes for a while, prints the cost of each, and returns the sums. */
async function measureAtRest(
  name: string,
  processes: () => readonly { readonly pid: number; readonly kind: string }[],
): Promise<IdleCosts> {
  const costsBefore = new Map(processes().map(({ pid }) => [pid, readCosts([pid])]));
  const started = performance.now();
  await sleep(measuredMs);
  const seconds = (performance.now() - started) / 1000;
  const total = { cpu: 0, wakeups: 0, memoryMb: readCosts(processes().map(({ pid }) => pid)).pssMb };
  for (const { pid, kind } of processes()) {
    const previous = costsBefore.get(pid);
    const current = readCosts([pid]);
    const cpu = (current.cpuMs - (previous?.cpuMs ?? 0)) / seconds / 10;
    const wakeups = (current.wakeups - (previous?.wakeups ?? 0)) / seconds;
    total.cpu += cpu;
    total.wakeups += wakeups;
    const memory = current.pssMb.toFixed(0);
    console.log(`${name}: ${kind} ${cpu.toFixed(2)} %, ${wakeups.toFixed(1)} wake-ups a second, ${memory} MB`);
  }
  return total;
}
