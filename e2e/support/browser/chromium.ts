/**
 * The browser of the tests: Debian's Chromium without windows of its own, or the program that `CHROMIUM` names. The whole
 * browser, run headless, draws an address field for each page that no test sees, and takes a fifth more time.
 */
import type { LaunchOptions } from 'playwright';

export const browserProgram = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

export const chromiumOptions: LaunchOptions = {
  executablePath: browserProgram,
  // Its own calls home would be refused one by one, and count as leaving the machine.
  args: [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
  ],
};
