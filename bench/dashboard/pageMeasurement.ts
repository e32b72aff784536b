/**
 * Shared by all measurements of a page: when its rows are drawn, how smoothly it runs, and how the results are
 * reported.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { maxTaskMs, measureSmoothness, type Smoothness } from './frames.ts';
import type { Result } from './table.ts';

export function smoothnessResult(measurement: string, measured: Smoothness, baseline: Smoothness): Result {
  const lateFramesText = ({ lateFrames, frameIntervals }: Smoothness) =>
    `${lateFrames} of ${frameIntervals.length} frames over ${maxTaskMs} ms`;
  return {
    measurement,
    value: `${measured.busyTasks.length} tasks of over ${maxTaskMs} ms, longest ${measured.longestCpuMs.toFixed(0)} ms; ${lateFramesText(measured)}`,
    baseline: `an empty page, ${lateFramesText(baseline)}`,
    ratio: null,
    goal: 'no such task',
    isMet: measured.busyTasks.length === 0,
  };
}

/** Prints where the time was spent, for debugging. */
export function printSmoothness(name: string, { seconds, longTasks, lateFrames, frameIntervals }: Smoothness): void {
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${name}: ${seconds.toFixed(0)} s, ${lateFrames} late frames of ${frameIntervals.length}, load ${load}`);
  for (const task of longTasks.slice(0, 8)) {
    console.log(
      `  task of ${task.wallMs.toFixed(0)} ms, ${task.cpuMs.toFixed(0)} ms on the processor: ${task.longestEvents.join('; ')}`,
    );
  }
}

/** Waits until a table with more than `count` rows is drawn. Returns the time, in ms of the page's clock. */
export function waitForRows(page: Page, count: number, timeout = 60_000): Promise<number> {
  return page
    .waitForFunction(
      (minCount) => {
        const rows = Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') ?? 0);
        const drawn = document.querySelectorAll('[role="grid"] [role="row"]').length;
        // Polled before each frame: rows that are present now are on the screen after it.
        return rows > minCount && drawn > 10 ? performance.now() : false;
      },
      count,
      { polling: 'raf', timeout },
    )
    .then((handle) => handle.jsonValue() as Promise<number>);
}

/** Turns the wheel `turns` times, once per frame, by the given number of pixels. */
export async function wheel(
  page: Page,
  target: ReturnType<Page['locator']>,
  turns: number,
  pixels: number,
): Promise<void> {
  await target.hover();
  for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, pixels);
}

/** The baseline: how this machine draws a page that does nothing. */
export async function measureEmptyPage(browser: Browser, page: Page): Promise<Smoothness> {
  await page.goto('about:blank');
  return measureSmoothness(browser, page, () => sleep(15_000).then(() => undefined));
}
