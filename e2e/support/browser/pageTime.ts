/** The page's own time in a test's hand: a minute of it takes seconds, and holds exactly what a minute holds. */
import type { Page } from 'playwright';

/** ms; an answer counts as come at the end of the step in which it was asked for. */
const step = 200;

export interface PageTime {
  /** What the page's clock says, in ms since the epoch; while it is not held, to a few ms. */
  now(): number;
  /** Time goes by, in ms, and whatever the page asks for meanwhile is answered. */
  pass(ms: number): Promise<void>;
  /** From now on it goes by as it does. */
  release(): Promise<void>;
}

/** To be called before the page is opened; its time goes by as it does until `pass` is called. */
export async function holdTime(page: Page): Promise<PageTime> {
  let open = 0;
  let answered = (): void => undefined;
  page.on('request', () => (open += 1));
  const ended = () => {
    open -= 1;
    if (open === 0) answered();
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  const allAnswered = () => (open === 0 ? undefined : new Promise<void>((resolve) => (answered = resolve)));
  await page.clock.install();
  let held: number | null = null;
  let ahead = 0;
  return {
    now: () => held ?? Date.now() + ahead,
    pass: async (ms) => {
      if (held === null) {
        // It can only be stopped at a moment that is still to come.
        held = (await page.evaluate(() => Date.now())) + 1000;
        await page.clock.pauseAt(held);
      }
      for (let passed = 0; passed < ms; passed += step) {
        await page.clock.runFor(step);
        held += step;
        await allAnswered();
      }
    },
    release: async () => {
      ahead += held === null ? 0 : held - (Date.now() + ahead);
      held = null;
      await page.clock.resume();
    },
  };
}
