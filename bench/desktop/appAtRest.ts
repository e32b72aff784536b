/**
 * The idle packaged app: six healthy managers, five waiting nodes, the Overview in its window. No debugger is attached
 * during the measurement: it has a cost, and a page under Playwright is never hidden.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { _electron } from 'playwright';
import { startOutside, type OutsideApp } from '../../e2e/support/desktop/outsideApp.ts';
import { costsOf, withChildren } from './appCosts.ts';
import { startDemo } from '../demoProcess.ts';
import { emptyApp } from './emptyApp.ts';
import type { Result } from '../dashboard/table.ts';

/** After this time, in ms, all lazy parts are loaded, and every age on the page is over a minute: it has no seconds. */
const settleMs = 75_000;
const watchMs = 40_000;
const startMs = 30_000;
const emptySettleMs = 10_000;

interface Rest {
  /** Percent of one core. */
  readonly cpu: number;
  /** Wake-ups per second. */
  readonly wakeups: number;
  /** PSS. */
  readonly memoryMb: number;
}

/** @param executable the runtime, for the app that is only a window */
export async function benchAppAtRest(executable: string): Promise<Result[]> {
  const demo = await startDemo();
  try {
    await demo.post('simulation', { running: false });
    const seen = await appAtRest(demo.addresses, []);
    const hidden = await appAtRest(demo.addresses, ['--hidden']);
    const empty = await emptyWindowAtRest(executable);
    const against = (value: number, reference: number, unit: string): Pick<Result, 'against' | 'ratio'> => ({
      against: `empty Electron window, ${unit === 'MB' ? Math.round(reference) : reference.toFixed(1)} ${unit}`,
      ratio: value / reference,
    });
    const cores = '% of a core';
    return [
      {
        ...row(
          'app at rest, Overview in the window: processor',
          `${seen.cpu.toFixed(1)} ${cores}`,
          '≤ 1 %',
          seen.cpu <= 1,
        ),
        ...against(seen.cpu, empty.cpu, cores),
      },
      row('app at rest, Overview in the window: wake-ups', perSecond(seen), '≤ 40 a second', seen.wakeups <= 40),
      row(
        'app at rest, in the tray alone: processor',
        `${hidden.cpu.toFixed(1)} ${cores}`,
        '≤ 0.3 %',
        hidden.cpu <= 0.3,
      ),
      {
        ...row(
          'app at rest: memory (PSS) of all processes',
          `${Math.round(seen.memoryMb)} MB`,
          '≤ 250 MB',
          seen.memoryMb <= 250,
        ),
        ...against(seen.memoryMb, empty.memoryMb, 'MB'),
      },
    ];
  } finally {
    await demo.stop();
  }
}

function row(what: string, value: string, goal: string, isMet: boolean): Result {
  return { measurement: what, value, against: null, ratio: null, goal, isMet };
}

function perSecond({ wakeups }: Rest): string {
  return `${Math.round(wakeups)} a second`;
}

/** @param args `--hidden`: starts in the tray only */
async function appAtRest(addresses: Readonly<Record<string, string>>, args: readonly string[]): Promise<Rest> {
  const app = await startOutside({ settings: { lab_manager_name: 'Bench Lab', ...addresses }, args: [...args] });
  try {
    await untilHealthy(app);
    await sleep(settleMs);
    const rest = await measureAtRest(`at rest ${args.join(' ')}`, () => app.processes());
    // Checks that the measured page was the Overview.
    if (args.length === 0) await (await app.page()).getByText('Healthy 6/6', { exact: true }).waitFor();
    return rest;
  } finally {
    await app.close();
  }
}

async function untilHealthy({ tray }: OutsideApp): Promise<void> {
  const deadline = Date.now() + startMs;
  while (!(await tray.tooltip()).includes('Healthy')) {
    if (Date.now() > deadline) throw new Error(`The lab is not healthy; the tray says: ${await tray.tooltip()}`);
    await sleep(200);
  }
}

/** An app that is only a window. */
async function emptyWindowAtRest(executable: string): Promise<Rest> {
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
    return await measureAtRest('empty window', () => withChildren(root).map((pid) => ({ pid, kind: 'process' })));
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures processes for a while and prints the cost of each. */
async function measureAtRest(
  name: string,
  processes: () => readonly { readonly pid: number; readonly kind: string }[],
): Promise<Rest> {
  const before = new Map(processes().map(({ pid }) => [pid, costsOf([pid])]));
  const started = performance.now();
  await sleep(watchMs);
  const seconds = (performance.now() - started) / 1000;
  const total = { cpu: 0, wakeups: 0, memoryMb: costsOf(processes().map(({ pid }) => pid)).pssMb };
  for (const { pid, kind } of processes()) {
    const old = before.get(pid);
    const now = costsOf([pid]);
    const cpu = (now.cpuMs - (old?.cpuMs ?? 0)) / seconds / 10;
    const wakeups = (now.wakeups - (old?.wakeups ?? 0)) / seconds;
    total.cpu += cpu;
    total.wakeups += wakeups;
    const memory = now.pssMb.toFixed(0);
    console.log(`${name}: ${kind} ${cpu.toFixed(2)} %, ${wakeups.toFixed(1)} wake-ups a second, ${memory} MB`);
  }
  return total;
}
