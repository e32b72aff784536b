/** A running app through Chromium's remote debugging, which the release build's fuses permit. */
import { chromium, type Browser } from 'playwright';
import { waitFor, type Program } from './program.ts';

export const debuggingSwitch = '--remote-debugging-port=0';

/** The timeout for attaching, in ms, and the number of attempts. */
const connectMs = 5000;
const connectAttempts = 6;

/** Attaches to the app once it has printed its address. @throws Error after the last attempt */
export async function attach(program: Program): Promise<Browser> {
  const address = await waitFor(program, "Chromium's debugging address", async () => {
    return /DevTools listening on (ws:\/\/\S+)/.exec(program.output())?.[1] ?? null;
  });
  // When Playwright attaches during a navigation, it can miss the end of that navigation, and would then delay every
  // action forever. Locators wait for the elements anyway.
  process.env['PLAYWRIGHT_SKIP_NAVIGATION_CHECK'] = '1';
  // Attaching hangs forever if a page is replaced meanwhile, so it is retried.
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await chromium.connectOverCDP(address, { timeout: connectMs });
    } catch (error) {
      if (attempt === connectAttempts) throw error;
    }
  }
}
