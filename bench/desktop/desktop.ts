/**
 * The desktop app compared with an empty Electron window: start page, usable dashboard, memory of the service process.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { pickFreePort, startLab } from '../../e2e/support/managers.ts';
import { emptyApp } from './emptyApp.ts';
import { projectRoot } from './processes.ts';
import { median, type Result } from '../dashboard/table.ts';

const rounds = 5;

interface Start {
  readonly ms: number;
  /** `null` if the app has no service: an empty window, or settings with an error. */
  readonly serviceMb: number | null;
}

export async function benchDesktop(executable: string): Promise<Result[]> {
  const empty = await mkdtemp(join(tmpdir(), 'bench-empty-'));
  for (const [name, text] of Object.entries(emptyApp)) await writeFile(join(empty, name), text);
  const lab = await startLab();
  const times = { empty: [] as number[], page: [] as number[], dashboard: [] as number[], memory: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const settings = `lab_server_url: http://localhost:${await pickFreePort()}\n${lab.settings}\n`;
    const emptyStart = await start(executable, empty, '', firstPaintTime);
    // An invalid setting, so that the shell's page stays and no dashboard is loaded.
    const page = await start(executable, projectRoot, 'lab_log_level: LOUD\n', firstPaintTime);
    const dashboard = await start(executable, projectRoot, settings, dashboardReadyTime);
    if (round === 0) continue; // The first round warms the disk's cache.
    times.empty.push(emptyStart.ms);
    times.page.push(page.ms);
    times.dashboard.push(dashboard.ms);
    if (dashboard.serviceMb === null) throw new Error('The service process was not found');
    times.memory.push(dashboard.serviceMb);
  }
  await lab.stop();
  await rm(empty, { recursive: true, force: true });
  const base = median(times.empty);
  const baseline = `empty Electron window, ${Math.round(base)} ms`;
  const memory = median(times.memory);
  const ratioToEmpty = (name: 'page' | 'dashboard') => median(times[name]) / base;
  return [
    {
      measurement: 'app start to start page',
      value: `${Math.round(median(times.page))} ms`,
      baseline,
      ratio: ratioToEmpty('page'),
      goal: '≤ 1.3×',
      isMet: ratioToEmpty('page') <= 1.3,
    },
    {
      measurement: 'app start to usable dashboard',
      value: `${Math.round(median(times.dashboard))} ms`,
      baseline,
      ratio: ratioToEmpty('dashboard'),
      goal: '≤ 2.5×',
      isMet: ratioToEmpty('dashboard') <= 2.5,
    },
    {
      measurement: 'service: resident memory, as utility process',
      value: `${Math.round(memory)} MB`,
      baseline: null,
      ratio: null,
      goal: '≤ 140 MB',
      isMet: memory <= 140,
    },
  ];
}

async function start(
  executable: string,
  directory: string,
  settings: string,
  measureShownAt: (page: Page) => Promise<number>,
): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-lab-'));
  await writeFile(join(folder, 'settings.yaml'), settings);
  const profile = await mkdtemp(join(tmpdir(), 'bench-profile-'));
  const startedAt = Date.now();
  const app = await _electron.launch({
    executablePath: executable,
    args: [directory, `--user-data-dir=${profile}`, `--settings-dir=${folder}`],
  });
  const page = await app.firstWindow();
  const ms = (await measureShownAt(page)) - startedAt;
  const serviceMb = await serviceMemory(app);
  await app.close();
  await Promise.all([folder, profile].map((path) => rm(path, { recursive: true, force: true })));
  return { ms, serviceMb };
}

/** The time of the first paint, in ms since the epoch. */
export function firstPaintTime(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const entry = list.getEntriesByName('first-contentful-paint')[0];
          if (entry) resolve(performance.timeOrigin + entry.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
}

/** The time at which the page showed the managers, from the dashboard's own performance mark, in ms since the epoch. */
export async function dashboardReadyTime(page: Page): Promise<number> {
  const time = await page.waitForFunction(() => {
    const mark = performance.getEntriesByName('managers-shown')[0];
    return mark ? performance.timeOrigin + mark.startTime : 0;
  });
  return time.jsonValue();
}

async function serviceMemory(app: ElectronApplication): Promise<number | null> {
  return app.evaluate(({ app: electron }) => {
    const service = electron.getAppMetrics().find((process) => process.name === 'Lab Manager service');
    return service ? service.memory.workingSetSize / 1024 : null;
  });
}
