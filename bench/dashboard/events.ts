/**
 * The log on a page that stays open: 100,000 events pass through it, in full pages of 200. The heap is measured before
 * and after, the frames in between.
 */
import type { CDPSession, Route } from 'playwright';
import { speedUpTimers } from '../fasterTimers.ts';
import { openDashboard } from './browser.ts';
import type { Result } from './table.ts';
import { measureEmptyPage, smoothnessResult, printSmoothness, waitForRows } from './pageMeasurement.ts';
import { measureSmoothness } from './frames.ts';

const eventCount = 100_000;
/** The page size of the page's requests. */
const eventsPerPage = 200;
/** The factor by which the page's delays are divided; without it the run would take 40 minutes. */
const speedFactor = 25;
const measuredMs = 15_000;
const maxHeapGrowthMb = 50;

export async function benchEvents(): Promise<Result[]> {
  const { browser, demo, url, stop } = await openDashboard();
  try {
    await demo.post('simulation', { running: false });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(speedUpTimers, speedFactor);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const eventManager = new FakeEventManager();
    await page.route(/\/events\?/, (route) => eventManager.respond(route));
    await page.goto(`${url}events`);
    await waitForRows(page, eventsPerPage - 1);
    const heapBefore = await usedHeapMb(session);
    await eventManager.waitForCount(eventCount / 2);
    const measured = await measureSmoothness(browser, page, () => page.waitForTimeout(measuredMs));
    await eventManager.waitForCount(eventCount);
    const heapAfter = await usedHeapMb(session);
    const rows = await page.getByRole('grid').getAttribute('aria-rowcount');
    console.log(`events: ${eventManager.count} passed, ${rows} rows on the page`);
    const baseline = await measureEmptyPage(browser, page);
    printSmoothness('events', measured);
    return [
      {
        measurement: `Events: ${eventCount.toLocaleString('en')} through the log, heap afterwards`,
        value: `${heapAfter.toFixed(1)} MB`,
        baseline: `with the first ${eventsPerPage}, ${heapBefore.toFixed(1)} MB`,
        ratio: heapAfter / heapBefore,
        goal: `≤ ${maxHeapGrowthMb} MB more`,
        isMet: heapAfter - heapBefore <= maxHeapGrowthMb,
      },
      smoothnessResult(
        `Events: ${eventsPerPage} new ones with every response, ${speedFactor} times as often as usual`,
        measured,
        baseline,
      ),
    ];
  } finally {
    await stop();
  }
}

/** Responds in place of the event manager; every response consists of new events. */
class FakeEventManager {
  count = 0;
  #waiting: { readonly minCount: number; readonly done: () => void }[] = [];

  respond(route: Route): Promise<void> {
    const at = Date.now();
    const events = Array.from({ length: eventsPerPage }, (_, index) =>
      event(this.count + eventsPerPage - index, at - index),
    );
    this.count += eventsPerPage;
    for (const { done } of this.#waiting.filter(({ minCount }) => this.count >= minCount)) done();
    this.#waiting = this.#waiting.filter(({ minCount }) => this.count < minCount);
    return route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: Object.fromEntries(events.map((entry) => [entry['_id'], entry])),
    });
  }

  waitForCount(minCount: number): Promise<void> {
    return new Promise((done) => this.#waiting.push({ minCount, done }));
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
async function usedHeapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
