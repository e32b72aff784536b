/** A running app through Chromium's remote debugging, which the release build's fuses permit. */
import { chromium, type Browser } from 'playwright';
import { until, type Program } from './program.ts';

export const debuggingSwitch = '--remote-debugging-port=0';

/** The timeout for attaching, in ms, and the number of attempts. */
const connectMs = 5000;
const connectAttempts = 6;

/** Attaches to the app once it has printed its address. @throws Error after the last attempt */
export async function attach(program: Program): Promise<Browser> {
  const address = await until(program, "Chromium's debugging address", async () => {
    return /DevTools listening on (ws:\/\/\S+)/.exec(program.output())?.[1] ?? null;
  });
  // Playwright delays each action and each `expect` while it considers a navigation unfinished. When it attaches while
  // the app replaces its starting page by the dashboard, it can receive the request of that navigation after the commit,
  // and then waits forever at a loaded page. Locators wait for the elements anyway.
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
