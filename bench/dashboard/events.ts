/**
 * The log on a page that stays open: 100,000 events pass through it, in full pages of 200. The heap is measured before
 * and after, the frames halfway.
 */
import type { CDPSession, Route } from 'playwright';
import { speedUpTimers } from '../fasterTimers.ts';
import { openDashboard } from './browser.ts';
import type { Result } from './table.ts';
import { measureEmptyPage, smoothnessResult, printSmoothness, waitForRows } from './watching.ts';
import { smoothness } from './frames.ts';

const eventCount = 100_000;
/** The page size of the page's requests. */
const each = 200;
/** The factor by which the page's delays are divided; without it the run would take 40 minutes. */
const faster = 25;
const watchedMs = 15_000;
const maxGrown = 50;

export async function benchEvents(): Promise<Result[]> {
  const { browser, demo, url, stop } = await openDashboard();
  try {
    await demo.post('simulation', { running: false });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(speedUpTimers, faster);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const source = new Source();
    await page.route(/\/events\?/, (route) => source.answer(route));
    await page.goto(`${url}events`);
    await waitForRows(page, each - 1);
    const before = await heap(session);
    await source.until(eventCount / 2);
    const seen = await smoothness(browser, page, () => page.waitForTimeout(watchedMs));
    await source.until(eventCount);
    const after = await heap(session);
    const rows = await page.getByRole('grid').getAttribute('aria-rowcount');
    console.log(`events: ${source.count} passed, ${rows} rows on the page`);
    const baseline = await measureEmptyPage(browser, page);
    printSmoothness('events', seen);
    return [
      {
        measurement: `Events: ${eventCount.toLocaleString('en')} through the log, heap afterwards`,
        value: `${after.toFixed(1)} MB`,
        against: `with the first ${each}, ${before.toFixed(1)} MB`,
        ratio: after / before,
        goal: `≤ ${maxGrown} MB more`,
        isMet: after - before <= maxGrown,
      },
      smoothnessResult(`Events: ${each} new ones with every answer, ${faster} times as often as usual`, seen, baseline),
    ];
  } finally {
    await stop();
  }
}

/** Responds in place of the event manager; every response consists of new events. */
class Source {
  count = 0;
  #waiting: { readonly least: number; readonly done: () => void }[] = [];

  answer(route: Route): Promise<void> {
    const at = Date.now();
    const events = Array.from({ length: each }, (_, index) => event(this.count + each - index, at - index));
    this.count += each;
    for (const { done } of this.#waiting.filter(({ least }) => this.count >= least)) done();
    this.#waiting = this.#waiting.filter(({ least }) => this.count < least);
    return route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: Object.fromEntries(events.map((one) => [one['_id'], one])),
    });
  }

  until(least: number): Promise<void> {
    return new Promise((done) => this.#waiting.push({ least, done }));
  }
}

function event(number: number, at: number) {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return {
    _id: `01BENCH${String(number).padStart(19, '0')}`,
    event_type: 'log_info',
    log_level: number % 50 === 0 ? 40 : 20,
    alert: false,
    event_timestamp: `${local.toISOString().slice(0, -1)}000`,
    source: { node_id: '01JNODE0000000000000000000' },
    event_data: {
      message: `Action ${number} of the node is completed after ${number % 97} s`,
      event_type: 'action_complete',
      component_name: 'liquidhandler_1',
      workflow_id: `01FLOW${String(number % 400).padStart(20, '0')}`,
    },
    archived: false,
    archived_at: null,
  };
}

/** Heap in use after a garbage collection, in MB. */
async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
