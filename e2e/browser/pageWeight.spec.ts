/**
 * The requests of a browser that opens a page of the dashboard for the first time, with the transfer sizes that the
 * browser counts.
 */
import type { Page } from 'playwright';
import { expect, test } from '../support/demoLab.ts';

/** The time on the page's clock in ms, after which requests do not count. */
const measuredMs = 5000;
/** Bytes of all responses including headers: page, scripts, styles, font, and the data read meanwhile. */
const maxBytes = 176 * 1024;

/**
 * Returns the addresses that the page requests in its first seconds, without its own address. On a busy machine the page
 * is still open when it requests more.
 */
async function earlyRequests(page: Page): Promise<ReadonlySet<string>> {
  await page.waitForFunction((until) => performance.now() >= until, measuredMs);
  const names = await page.evaluate(
    (until) =>
      performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime < until)
        .map(({ name }) => name),
    measuredMs,
  );
  return new Set(names);
}

test('the Overview loads at most 176 KB', async ({ page, demo }) => {
  const { url } = await demo();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const addresses = new Map<string, string>();
  const fetched = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => addresses.set(requestId, request.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    // Only the first request for an address counts; the number of repetitions depends on the machine.
    const address = addresses.get(requestId) ?? requestId;
    if (!fetched.has(address)) fetched.set(address, encodedDataLength);
  });

  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const early = await earlyRequests(page);
  const sameOrigin = [...fetched].filter(
    ([address]) => address === url || (early.has(address) && address.startsWith(url)),
  );
  const total = sameOrigin.reduce((sum, [, bytes]) => sum + bytes, 0);
  const largest = sameOrigin
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([address, bytes]) => `${(bytes / 1024).toFixed(1)} KB ${address}`);
  const message = `${(total / 1024).toFixed(1)} KB in ${sameOrigin.length} requests, the largest:\n${largest.join('\n')}`;
  expect(total, message).toBeGreaterThan(0);
  expect(total, message).toBeLessThanOrEqual(maxBytes);
});

/** Requests for the page's own files: document, scripts, styles and font. */
const maxRequests = 16;

test('each panel opens with at most 16 requests for files of the page', async ({ browser, demo }) => {
  const { url } = await demo();
  // Three at once: nine pages take longer to appear on a busy machine than a test may wait.
  const groups = [
    ['workcells', 'workflows', 'experiments'],
    ['timeline', 'events', 'resources'],
    ['locations', 'data', 'lab'],
  ];
  const open = async (panel: string) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const files: string[] = [];
    page.on('request', (request) => {
      const isFile = ['document', 'script', 'stylesheet', 'font'].includes(request.resourceType());
      if (isFile && request.url().startsWith(url)) files.push(request.url());
    });
    await page.goto(url + panel);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const early = await earlyRequests(page);
    await context.close();
    const counted = files.filter((file) => file === url + panel || early.has(file));
    expect(counted.length, `${panel}:\n${counted.join('\n')}`).toBeGreaterThan(5);
    expect(counted.length, `${panel}:\n${counted.join('\n')}`).toBeLessThanOrEqual(maxRequests);
  };
  for (const panels of groups) await Promise.all(panels.map(open));
});
