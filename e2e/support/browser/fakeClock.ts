/**
 * A demo lab and a service that run through an afternoon in a minute: the same seed and the same clock give the same lab.
 * The clock applies to the whole process, so that the service's history and the lab's past agree.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '#demo/base/clock.ts';
import { type DemoLab, settingsLines, startDemoLab } from '#demo/lab/lab.ts';
import { findInstallation } from '#server/storage/installation.ts';
import { LabManager } from '#server/labManager.ts';
import { silentLog } from '#server/logging/log.ts';

/** The clock jumps by this step. With a jump of more than 10 s, the service would detect a sleep of the machine. */
const stepMs = 8000;
const liveStepMs = 200;

export interface TimeLapseLab {
  readonly lab: DemoLab;
  /** The address of the dashboard. */
  readonly url: string;
  /** The difference between the lab's clock and this machine's, in ms. */
  getOffsetMs(): number;
  /** Advances the clock by `ms` and checks all managers meanwhile. */
  advance(ms: number): Promise<void>;
  /** Makes the clock run in real time from now on. */
  runInRealTime(): void;
  stop(): Promise<void>;
}

export async function startTimeLapseLab(seed: number, start: number): Promise<TimeLapseLab> {
  const clock = new ManualClock(start);
  replaceGlobalDate(clock);
  const lab = await startDemoLab({ seed, clock });
  const folder = await mkdtemp(join(tmpdir(), 'lapse-'));
  await writeFile(join(folder, 'settings.yaml'), `lab_manager_name: Example Lab\n${settingsLines(lab)}\n`);
  const installation = findInstallation(import.meta.dirname);
  const manager = new LabManager({
    inputs: { argv: [], env: {}, cwd: folder, homeDir: folder, userConfigDir: folder, commandLine: 'headless' },
    version: installation.version,
    bundled: installation,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
  });
  const status = await manager.start();
  if (status.phase !== 'running') throw new Error(`The service did not start: ${status.phase}`);
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    lab,
    url: status.loopbackUrl,
    // The real time, independent of the replaced `Date`.
    getOffsetMs: () => clock.now() - (performance.timeOrigin + performance.now()),
    advance: async (ms) => {
      for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += stepMs) {
        clock.advance(stepMs);
        await waitForCheck(manager, clock.now());
      }
    },
    runInRealTime: () => {
      let last = performance.now();
      timer = setInterval(() => {
        const now = performance.now();
        clock.advance(now - last);
        last = now;
      }, liveStepMs);
    },
    stop: async () => {
      clearInterval(timer);
      await manager.stop();
      await lab.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes every `new Date()` of this process return the lab's time. */
function replaceGlobalDate(clock: ManualClock): void {
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, input: ConstructorParameters<DateConstructor> | [], newTarget) =>
      Reflect.construct(target, input.length === 0 ? [clock.now()] : input, newTarget) as object,
    get: (target, name) => (name === 'now' ? () => clock.now() : (Reflect.get(target, name) as unknown)),
  });
}

/** Resolves when every manager was checked at `now` or later. */
function waitForCheck(manager: LabManager, now: number): Promise<void> {
  const { watches } = manager;
  if (watches === null) throw new Error('The service has no watch');
  return new Promise((resolve) => {
    const { lab, watch } = watches;
    const unsubscribe = lab.checks.subscribe(({ managers }) => {
      if (!managers.every(({ lastChecked: at }) => at !== null && at >= now)) return;
      queueMicrotask(() => unsubscribe());
      resolve();
    });
    watch.checkNow();
  });
}
