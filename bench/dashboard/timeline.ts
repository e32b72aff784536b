/** The timeline of a large lab: 5,000 workflows with 50,000 steps, opened, panned and zoomed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { timelineTexts as texts } from '../../dashboard/panels/timeline/texts.ts';
import { timelineTitle } from '../../dashboard/panels/titles.ts';
import { openDashboard } from './browser.ts';
import { measureSmoothness, type Smoothness } from './frames.ts';
import { median, type Result } from './table.ts';
import { measureEmptyPage, smoothnessResult, printSmoothness } from './pageMeasurement.ts';

const scale = { workflows: 5000, steps: 10 };
/** The query string requests a span and an archive that make the page load all workflows. */
const address = 'timeline?span=30d&archive=5000';
const rounds = 3;

export async function benchTimeline(): Promise<Result[]> {
  const { browser, demo, url, stop } = await openDashboard();
  try {
    await demo.post('simulation', { running: false });
    await demo.post('scale', scale);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const openTimes: number[] = [];
    for (let round = 0; round < rounds; round += 1) openTimes.push(await measureOpening(page, url));
    await page.goto(`${url}lab`);
    const opening = await measureSmoothness(browser, page, async () => {
      await page.getByRole('link', { name: timelineTitle }).click();
      await page.getByRole('button', { name: texts.spans['30d'], exact: true }).click();
      for (const count of [2000, 5000]) {
        const more = page.getByRole('button', { name: texts.scope.older(count) });
        await more.click({ timeout: 60_000 });
      }
      await waitForSteps(page);
      await sleep(3000);
    });
    const panning = await measurePanning(browser, page);
    const zooming = await measureZooming(browser, page);
    const baseline = await measureEmptyPage(browser, page);
    for (const [name, measured] of Object.entries({ opening, panning, zooming, baseline }))
      printSmoothness(name, measured);
    return [
      {
        measurement: 'timeline: 5,000 workflows with 50,000 steps, opened cold, to all of them drawn',
        value: `${(median(openTimes) / 1000).toFixed(1)} s`,
        baseline: null,
        ratio: null,
        goal: 'none: most of it is the manager’s response',
        isMet: true,
      },
      smoothnessResult('timeline: the same, opened', opening, baseline),
      smoothnessResult('timeline: 50,000 steps dragged, by wheel and by keys', panning, baseline),
      smoothnessResult('timeline: 50,000 steps zoomed, from 30 days to 10 minutes and back', zooming, baseline),
    ];
  } finally {
    await stop();
  }
}

/** The number of steps in the visible span that shows that all workflows are loaded. */
const minSteps = 20_000;

async function waitForSteps(page: Page): Promise<void> {
  await page.waitForFunction(
    (minCount) => {
      const label =
        document.querySelector('[role="group"][aria-label^="Timeline, "]')?.getAttribute('aria-label') ?? '';
      const steps = /: ([\d,]+) steps? in/.exec(label)?.[1]?.replaceAll(',', '');
      return Number(steps ?? 0) > minCount;
    },
    minSteps,
    { polling: 'raf', timeout: 120_000 },
  );
}

async function measureOpening(page: Page, url: string): Promise<number> {
  await page.goto('about:blank');
  const startedAt = performance.now();
  await page.goto(`${url}${address}`);
  await waitForSteps(page);
  return performance.now() - startedAt;
}

const timelineDrawing = (page: Page) => page.getByRole('group', { name: /^Timeline, / });

async function measurePanning(browser: Browser, page: Page): Promise<Smoothness> {
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('The timeline is not drawn');
  const at = (across: number) => [box.x + box.width * across, box.y + box.height / 2] as const;
  return measureSmoothness(browser, page, async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await page.mouse.move(...at(0.2));
      await page.mouse.down();
      for (let step = 0; step < 100; step += 1) await page.mouse.move(...at(0.2 + step * 0.006));
      await page.mouse.up();
    }
    await page.keyboard.down('Shift');
    for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, turn % 30 < 15 ? 90 : -90);
    await page.keyboard.up('Shift');
    await timelineDrawing(page).focus();
    for (let press = 0; press < 40; press += 1) await page.keyboard.press(press % 20 < 10 ? 'ArrowLeft' : 'ArrowRight');
    // After the last input the page updates address, table and summary.
    await sleep(3000);
  });
}

async function measureZooming(browser: Browser, page: Page): Promise<Smoothness> {
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('The timeline is not drawn');
  return measureSmoothness(browser, page, async () => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.keyboard.down('Control');
    for (let turn = 0; turn < 120; turn += 1) await page.mouse.wheel(0, turn % 60 < 30 ? -60 : 60);
    await page.keyboard.up('Control');
    await timelineDrawing(page).focus();
    for (const key of ['+', '+', '+', '-', '-', '-', 'End']) {
      await page.keyboard.press(key);
      await sleep(400);
    }
    await sleep(3000);
  });
}
