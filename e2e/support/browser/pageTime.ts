/** A page's clock under the control of a test: a minute of it takes seconds, with exactly the events of a minute. */
import type { Page } from 'playwright';

/** Milliseconds; a response counts as received at the end of the step in which it was requested. */
const step = 200;

export interface PageTime {
  /** The page's clock in ms since the epoch; accurate to a few ms while it runs. */
  now(): number;
  /** Advances the clock by `ms` and waits for all responses that the page requests meanwhile. */
  pass(ms: number): Promise<void>;
  /** From now on the clock runs in real time. */
  release(): Promise<void>;
}

/** Call before the page is opened; its clock runs in real time until `pass` is called. */
export async function freezeTime(page: Page): Promise<PageTime> {
  let openRequests = 0;
  let onAllFinished = (): void => undefined;
  page.on('request', () => (openRequests += 1));
  const onEnd = () => {
    openRequests -= 1;
    if (openRequests === 0) onAllFinished();
  };
  page.on('requestfinished', onEnd);
  page.on('requestfailed', onEnd);
  const allFinished = () =>
    openRequests === 0 ? undefined : new Promise<void>((resolve) => (onAllFinished = resolve));
  await page.clock.install();
  let frozenAt: number | null = null;
  let ahead = 0;
  return {
    now: () => frozenAt ?? Date.now() + ahead,
    pass: async (ms) => {
      if (frozenAt === null) {
        // The clock can only be paused at a future time.
        frozenAt = (await page.evaluate(() => Date.now())) + 1000;
        await page.clock.pauseAt(frozenAt);
      }
      for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += step) {
        await page.clock.runFor(step);
        frozenAt += step;
        await allFinished();
      }
    },
    release: async () => {
      ahead += frozenAt === null ? 0 : frozenAt - (Date.now() + ahead);
      frozenAt = null;
      await page.clock.resume();
    },
  };
}
