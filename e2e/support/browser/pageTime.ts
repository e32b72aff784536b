/** A page's clock under the control of a test: a minute of the page takes seconds, with all events of a minute. */
import type { Page } from 'playwright';

/** A response counts as received at the end of the step in which it was requested. */
const stepMs = 200;

export interface PageTime {
  /** The page's clock in ms since the epoch; accurate to a few ms while it runs. */
  now(): number;
  /** Advances the clock by `ms` and waits for all responses that the page requests meanwhile. */
  advance(ms: number): Promise<void>;
  /** Makes the clock run in real time from now on. */
  runInRealTime(): Promise<void>;
}

/** Call this before the page is opened; its clock runs in real time until `advance` is called. */
export async function controlTime(page: Page): Promise<PageTime> {
  let openRequests = 0;
  let onAllFinished = (): void => undefined;
  page.on('request', () => (openRequests += 1));
  const countFinished = () => {
    openRequests -= 1;
    if (openRequests === 0) onAllFinished();
  };
  page.on('requestfinished', countFinished);
  page.on('requestfailed', countFinished);
  const waitForResponses = () =>
    openRequests === 0 ? undefined : new Promise<void>((resolve) => (onAllFinished = resolve));
  await page.clock.install();
  // The clock can only be paused at a future time.
  const pauseSoon = async (): Promise<number> => {
    const at = (await page.evaluate(() => Date.now())) + 1000;
    await page.clock.pauseAt(at);
    return at;
  };
  let frozenAt: number | null = null;
  let offsetMs = 0;
  return {
    now: () => frozenAt ?? Date.now() + offsetMs,
    advance: async (ms) => {
      // If more than a second passed meanwhile, the first attempt fails, but it stops the clock.
      frozenAt ??= await pauseSoon().catch((error: unknown) => {
        if (!String(error).includes('to the past')) throw error;
        return pauseSoon();
      });
      for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += stepMs) {
        await page.clock.runFor(stepMs);
        frozenAt += stepMs;
        await waitForResponses();
      }
    },
    runInRealTime: async () => {
      offsetMs += frozenAt === null ? 0 : frozenAt - (Date.now() + offsetMs);
      frozenAt = null;
      await page.clock.resume();
    },
  };
}
