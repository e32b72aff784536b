/** Data with 5,000 datapoints: first rows, scrolling, and the download of all of them as one archive. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { openDashboard } from './browser.ts';
import { measureSmoothness } from './frames.ts';
import { median, type Result } from './table.ts';
import { measureEmptyPage, smoothnessResult, printSmoothness, waitForRows, wheel } from './pageMeasurement.ts';

const datapoints = 5000;
const rounds = 3;
/** The number of datapoints that are stored concurrently. */
const concurrency = 50;

export async function benchData(): Promise<Result[]> {
  const { browser, demo, url, stop } = await openDashboard();
  try {
    await demo.post('simulation', { running: false });
    await storeDatapoints(demo.addresses.data_server_url ?? '');
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const firstRowsMs = await measureFirstRows(browser, url);
    await page.goto(`${url}data?read=5000`);
    await waitForRows(page, datapoints - 1);
    const scrolling = await measureSmoothness(browser, page, async () => {
      await wheel(page, page.getByRole('grid'), 600, 40);
      await wheel(page, page.getByRole('grid'), 200, -90);
      await sleep(5000);
    });
    const { durationMs, size, smoothness: archiving } = await measureArchive(browser, page);
    const baseline = await measureEmptyPage(browser, page);
    for (const [name, measured] of Object.entries({ scrolling, archiving, baseline })) printSmoothness(name, measured);
    const rows = median(firstRowsMs);
    return [
      {
        measurement: 'Data: 5,000, from the end of the response to first rows',
        value: `${Math.round(rows)} ms`,
        baseline: null,
        ratio: null,
        goal: '≤ 1 s',
        isMet: rows <= 1000,
      },
      smoothnessResult('Data: 5,000 scrolled', scrolling, baseline),
      {
        measurement: 'Data: 5,000 as one archive, from click to saved file',
        value: `${Math.round(durationMs)} ms, ${(size / 1e6).toFixed(1)} MB`,
        baseline: null,
        ratio: null,
        goal: '≤ 10 s',
        isMet: durationMs <= 10_000,
      },
      smoothnessResult('Data: the page meanwhile', archiving, baseline),
    ];
  } finally {
    await stop();
  }
}

/** Stores numbers, lists of numbers and small tables in turn. */
async function storeDatapoints(address: string): Promise<void> {
  const values = [
    (at: number) => Math.sin(at / 50),
    (at: number) => Array.from({ length: 60 }, (_, index) => Math.sin((index + at) / 9)),
    (at: number) => Array.from({ length: 8 }, (_, index) => ({ well: `A${index + 1}`, od: (at % 17) / 10 })),
  ];
  for (let from = 0; from < datapoints; from += concurrency)
    await Promise.all(
      Array.from({ length: concurrency }, async (_, index) => {
        const number = from + index;
        const body = new FormData();
        const value = values[number % values.length]?.(number) ?? number;
        body.append('datapoint', JSON.stringify({ data_type: 'json', label: `reading ${number % 40}`, value }));
        const response = await fetch(`${address}datapoint`, { method: 'POST', body });
        if (!response.ok) throw new Error(`The data manager answered HTTP ${response.status}`);
      }),
    );
}

/**
 * Milliseconds from the end of the manager's response to the frame with the first rows, each in a browser with an empty
 * cache.
 */
async function measureFirstRows(browser: Browser, url: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const responded = page
      .waitForResponse((response) => response.url().includes('/datapoints?'), { timeout: 60_000 })
      .then(async (response) => {
        await response.finished();
        return performance.now();
      });
    const drawn = page
      .goto(`${url}data?read=5000`)
      .then(() => waitForRows(page, datapoints - 1))
      .then(() => performance.now());
    times.push((await drawn) - (await responded));
    await context.close();
  }
  return times;
}

async function measureArchive(browser: Browser, page: Page) {
  await page.getByRole('grid').getByRole('checkbox').first().check();
  let [durationMs, size] = [0, 0];
  const measured = await measureSmoothness(browser, page, async () => {
    const startedAt = performance.now();
    const download = page.waitForEvent('download', { timeout: 60_000 });
    await page.getByRole('button', { name: 'Download as ZIP' }).click();
    const file = await (await download).path();
    durationMs = performance.now() - startedAt;
    size = (await readFile(file)).byteLength;
  });
  return { durationMs, size, smoothness: measured };
}
