/**
 * The packaged app with nothing to do: six healthy managers, five nodes that wait, the Overview in the window; then
 * without the window, in the tray. Nobody looks through the debugger meanwhile, for that costs too.
 */
import { managerKeys } from '../api/managers.ts';
import { startOutside, type OutsideApp } from '../e2e/support/outsideApp.ts';
import { costsOf, type Costs } from './appCosts.ts';
import { startDemo } from './demoProcess.ts';
import { pause } from './processes.ts';
import type { Result } from './table.ts';

/** What is loaded once is loaded by then, and the first garbage collected, in ms. */
const settleMs = 20_000;
const watchMs = 40_000;
const startMs = 30_000;

interface Rest {
  /** Of one core, in percent. */
  readonly cpu: number;
  /** A second. */
  readonly wakeups: number;
}

export async function benchAppAtRest(): Promise<Result[]> {
  const demo = await startDemo();
  await demo.ask('life', { living: false });
  const addresses = Object.fromEntries(managerKeys.map((key) => [`${key}_server_url`, demo.addresses[key]]));
  const app = await startOutside({ settings: { lab_manager_name: 'Bench Lab', ...addresses } });
  try {
    await untilHealthy(app);
    await pause(settleMs);
    const seen = await rest(app, 'window visible');
    const memory = tellMemory(app);
    const page = await app.page();
    await page.getByText('Healthy 6/6', { exact: true }).waitFor();
    await page.evaluate(() => window.close());
    await app.forgetPages();
    await pause(settleMs);
    const hidden = await rest(app, 'window hidden');
    return [
      result('app at rest, Overview visible: processor', `${seen.cpu.toFixed(1)} % of a core`, '≤ 1 %', seen.cpu <= 1),
      result(
        'app at rest, Overview visible: wake-ups',
        `${Math.round(seen.wakeups)} a second`,
        '≤ 40',
        seen.wakeups <= 40,
      ),
      result(
        'app at rest, in the tray: processor',
        `${hidden.cpu.toFixed(1)} % of a core`,
        '≤ 0.6 %',
        hidden.cpu <= 0.6,
      ),
      result(
        'app at rest, in the tray: wake-ups',
        `${Math.round(hidden.wakeups)} a second`,
        '≤ 40',
        hidden.wakeups <= 40,
      ),
      result('app at rest: memory (PSS) of all processes', `${Math.round(memory)} MB`, '≤ 250 MB', memory <= 250),
    ];
  } finally {
    await app.close();
    await demo.stop();
  }
}

function result(what: string, value: string, goal: string, met: boolean): Result {
  return { what, value, against: null, ratio: null, goal, met };
}

async function untilHealthy({ tray }: OutsideApp): Promise<void> {
  const deadline = Date.now() + startMs;
  while (!(await tray.tooltip()).includes('Healthy')) {
    if (Date.now() > deadline)
      throw new Error(`The lab did not become healthy; the tray says: ${await tray.tooltip()}`);
    await pause(200);
  }
}

/** Watches all processes for a while; which of them cost what is printed. */
async function rest(app: OutsideApp, what: string): Promise<Rest> {
  const pids = app.processes().map(({ pid }) => pid);
  const before = new Map(pids.map((pid) => [pid, costsOf([pid])]));
  const started = performance.now();
  await pause(watchMs);
  const ms = performance.now() - started;
  let [cpuMs, wakeups] = [0, 0];
  for (const { pid, kind, commandLine } of app.processes()) {
    const old: Costs = before.get(pid) ?? { cpuMs: 0, wakeups: 0, pssMb: 0 };
    const now = costsOf([pid]);
    const own = { cpuMs: now.cpuMs - old.cpuMs, wakeups: now.wakeups - old.wakeups };
    cpuMs += own.cpuMs;
    wakeups += own.wakeups;
    const share = ((own.cpuMs / ms) * 100).toFixed(2);
    console.log(
      `${what}: ${kind} ${subtype(commandLine)} ${share} %, ${((own.wakeups / ms) * 1000).toFixed(1)} wake-ups/s`,
    );
  }
  return { cpu: (cpuMs / ms) * 100, wakeups: (wakeups / ms) * 1000 };
}

/** In MB; by process it is printed. */
function tellMemory(app: OutsideApp): number {
  let sum = 0;
  for (const { pid, kind, commandLine } of app.processes()) {
    const { pssMb } = costsOf([pid]);
    sum += pssMb;
    console.log(`memory: ${kind} ${subtype(commandLine)} ${pssMb.toFixed(0)} MB`);
  }
  return sum;
}

function subtype(commandLine: readonly string[]): string {
  const text = commandLine.join(' ');
  return /--utility-sub-type=(\S+)/.exec(text)?.[1] ?? /--type=(\S+)/.exec(text)?.[1] ?? '';
}
