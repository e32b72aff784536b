/** A running app seen through Chromium's remote debugging, which the release build's fuses leave alone. */
import { chromium, type Browser } from 'playwright';
import { until, type Program } from './program.ts';

export const debuggingSwitch = '--remote-debugging-port=0';

/** How long it may take to attach, in milliseconds, and how often it is tried. */
const connectMs = 5000;
const connectAttempts = 6;

/** Attaches to the app once it has said where. @throws Error when it can't */
export async function attach(program: Program): Promise<Browser> {
  const address = await until(program, "Chromium's debugging address", async () => {
    return /DevTools listening on (ws:\/\/\S+)/.exec(program.output())?.[1] ?? null;
  });
  // A page that is replaced while Playwright attaches to it leaves it waiting for ever: then once more.
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await chromium.connectOverCDP(address, { timeout: connectMs });
    } catch (error) {
      if (attempt === connectAttempts) throw error;
    }
  }
}
