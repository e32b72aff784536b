/**
 * The browser of the tests: Debian's headless Chromium shell, or the program in `CHROMIUM`. The full browser in headless
 * mode renders an address bar for each page, which no test uses, and takes a fifth more time.
 */
import type { LaunchOptions } from 'playwright';

export const browserProgram = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

export const chromiumOptions: LaunchOptions = {
  executablePath: browserProgram,
  // Chromium's background requests would be refused one by one, and count as leaving the machine.
  args: [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
  ],
};
