/**
 * The packaged app with nothing to do: six healthy managers, five nodes that wait, the Overview in its window. Nobody
 * looks through the debugger meanwhile: that costs too, and a page under Playwright is never hidden.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright';
import { startOutside, type OutsideApp } from '../../e2e/support/desktop/outsideApp.ts';
import { costsOf, withChildren } from './appCosts.ts';
import { startDemo } from '../demoProcess.ts';
import { emptyApp } from './emptyApp.ts';
import { pause } from './processes.ts';
import type { Result } from '../dashboard/table.ts';

/** What is loaded once is loaded by then, and no age on the page is under a minute and ticks, in ms. */
const settleMs = 75_000;
const watchMs = 40_000;
const startMs = 30_000;
const emptySettleMs = 10_000;

interface Rest {
  /** Of one core, in percent. */
  readonly cpu: number;
  /** A second. */
  readonly wakeups: number;
}

/** @param executable the runtime, for the app that is nothing but a window */
export async function benchAppAtRest(executable: string): Promise<Result[]> {
  const demo = await startDemo();
  try {
    await demo.ask('life', { living: false });
    const addresses = demo.addresses;
    const { rest: seen, memoryMb } = await visible(addresses);
    const empty = await emptyWindowMb(executable);
    return [
      row(
        'app at rest, Overview in the window: processor',
        `${seen.cpu.toFixed(1)} % of a core`,
        '≤ 1 %',
        seen.cpu <= 1,
      ),
      row('app at rest, Overview in the window: wake-ups', perSecond(seen), '≤ 40 a second', seen.wakeups <= 40),
      {
        ...row('app at rest: memory (PSS) of all processes', `${Math.round(memoryMb)} MB`, '≤ 250 MB', memoryMb <= 250),
        against: `empty Electron window, ${Math.round(empty)} MB`,
        ratio: memoryMb / empty,
      },
    ];
  } finally {
    await demo.stop();
  }
}

function row(what: string, value: string, goal: string, met: boolean): Result {
  return { what, value, against: null, ratio: null, goal, met };
}

function perSecond({ wakeups }: Rest): string {
  return `${Math.round(wakeups)} a second`;
}

async function visible(addresses: Readonly<Record<string, string>>): Promise<{ rest: Rest; memoryMb: number }> {
  const app = await startOutside({ settings: { lab_manager_name: 'Bench Lab', ...addresses } });
  try {
    await untilHealthy(app);
    await pause(settleMs);
    const rest = await watched(() => app.processes());
    const pids = app.processes().map(({ pid }) => pid);
    const memoryMb = costsOf(pids).pssMb;
    // What was measured must have been the Overview.
    await (await app.page()).getByText('Healthy 6/6', { exact: true }).waitFor();
    return { rest, memoryMb };
  } finally {
    await app.close();
  }
}

async function untilHealthy({ tray }: OutsideApp): Promise<void> {
  const deadline = Date.now() + startMs;
  while (!(await tray.tooltip()).includes('Healthy')) {
    if (Date.now() > deadline) throw new Error(`The lab is not healthy; the tray says: ${await tray.tooltip()}`);
    await pause(200);
  }
}

/** Memory (PSS) of an app that is nothing but a window, in MB. */
async function emptyWindowMb(executable: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-empty-'));
  for (const [name, text] of Object.entries(emptyApp)) await writeFile(join(folder, name), text);
  const app = await _electron.launch({
    executablePath: executable,
    args: [folder, `--user-data-dir=${join(folder, 'profile')}`],
  });
  try {
    await (await app.firstWindow()).waitForLoadState();
    await pause(emptySettleMs);
    return costsOf(withChildren(app.process().pid ?? 0)).pssMb;
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Watches processes for a while; what each of them cost is printed. */
async function watched(processes: () => readonly { readonly pid: number; readonly kind: string }[]): Promise<Rest> {
  const before = new Map(processes().map(({ pid }) => [pid, costsOf([pid])]));
  const started = performance.now();
  await pause(watchMs);
  const seconds = (performance.now() - started) / 1000;
  let [cpu, wakeups] = [0, 0];
  for (const { pid, kind } of processes()) {
    const old = before.get(pid);
    const now = costsOf([pid]);
    const ownCpu = (now.cpuMs - (old?.cpuMs ?? 0)) / seconds / 10;
    const ownWakeups = (now.wakeups - (old?.wakeups ?? 0)) / seconds;
    cpu += ownCpu;
    wakeups += ownWakeups;
    console.log(
      `at rest: ${kind} ${ownCpu.toFixed(2)} %, ${ownWakeups.toFixed(1)} wake-ups a second, ${now.pssMb.toFixed(0)} MB`,
    );
  }
  return { cpu, wakeups };
}
