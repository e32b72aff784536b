/** Simulates a computer with a wrong clock. */
import type { Page } from 'playwright';

/** From the next navigation on, the page's clock is ahead by `aheadMs`; negative: behind. */
export async function shiftClock(page: Page, aheadMs: number): Promise<void> {
  await page.addInitScript((ms) => {
    const RealDate = Date;
    const shiftedNow = () => RealDate.now() + ms;
    globalThis.Date = class extends RealDate {
      constructor(...input: [] | [number]) {
        if (input.length === 0) super(shiftedNow());
        else super(...input);
      }
      static override now = shiftedNow;
    } as DateConstructor;
  }, aheadMs);
}
