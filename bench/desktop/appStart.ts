/**
 * The packaged app from the start of its process, as an ordinary user in its sandbox: the first text in its window and
 * its icon in the tray, in one start; the usable dashboard, in another one.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOutside, type OutsideApp } from '../../e2e/support/desktop/outsideApp.ts';
import { startLab } from '../../e2e/support/managers.ts';
import { firstPaintTime, dashboardReadyTime } from './desktop.ts';
import { median, type Result } from '../dashboard/table.ts';

const rounds = 5;
const iconTimeoutMs = 20_000;

export async function benchAppStart(): Promise<Result[]> {
  const lab = await startLab();
  const addresses = Object.fromEntries(
    Object.values(lab.managers).map(({ key, url }) => [`${key}_server_url`, url] as const),
  );
  const times = { window: [] as number[], tray: [] as number[], dashboard: [] as number[] };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      // An invalid setting keeps the first page open, so that its first paint can be read.
      const first = await measureStart({ lab_log_level: 'LOUD' }, async (app) => {
        const [icon, page] = await Promise.all([waitForIcon(app), app.page()]);
        return { tray: icon, window: await firstPaintTime(page) };
      });
      const dashboard = await measureStart(addresses, async (app) => ({
        dashboard: await dashboardReadyTime(await app.page()),
      }));
      if (round === 0) continue; // The first round warms the disk's cache.
      times.window.push(first.window);
      times.tray.push(first.tray);
      times.dashboard.push(dashboard.dashboard);
    }
  } finally {
    await lab.stop();
  }
  const [window, tray, dashboard] = [median(times.window), median(times.tray), median(times.dashboard)];
  return [
    startResult('packaged app: process start to first text in the window', window, null, 'none', true),
    startResult(
      'packaged app: process start to icon in the tray',
      tray,
      window,
      'with the window: ≤ 1.2×',
      tray / window <= 1.2,
    ),
    startResult('packaged app: process start to usable dashboard', dashboard, window, '≤ 2.0 s', dashboard <= 2000),
  ];
}

function startResult(measurement: string, ms: number, windowMs: number | null, goal: string, isMet: boolean): Result {
  const baseline = windowMs === null ? null : `its window, ${Math.round(windowMs)} ms`;
  return {
    measurement,
    value: `${Math.round(ms)} ms`,
    baseline,
    ratio: windowMs === null ? null : ms / windowMs,
    goal,
    isMet,
  };
}

/** @param readTimes resolves with times in ms since the epoch @returns these times in ms since the process started */
async function measureStart<Name extends string>(
  settings: Readonly<Record<string, string>>,
  readTimes: (app: OutsideApp) => Promise<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const app = await startOutside({ settings });
  try {
    const startedAt = processStartTime(app);
    const times = Object.entries<number>(await readTimes(app)).map(([name, at]) => [name, at - startedAt] as const);
    return Object.fromEntries(times) as Record<Name, number>;
  } finally {
    await app.close();
  }
}

/** @returns when the icon was registered, in ms since the epoch, with 5 ms resolution */
async function waitForIcon({ tray }: OutsideApp): Promise<number> {
  const deadline = Date.now() + iconTimeoutMs;
  while (tray.iconCount === 0) {
    if (Date.now() > deadline) throw new Error('The app registered no icon');
    await sleep(5);
  }
  return Date.now();
}

/** When the app's first process started, in ms since the epoch, with 10 ms resolution. Source: proc(5). */
function processStartTime(app: OutsideApp): number {
  const [first] = app.processes();
  if (first === undefined) throw new Error('The app has no process');
  const stat = readFileSync(`/proc/${first.pid}/stat`, 'latin1');
  // The 22nd field, in hundredths of a second since boot; the name in brackets is the second field.
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  const uptime = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
  return Date.now() - (uptime * 1000 - ticks * 10);
}
