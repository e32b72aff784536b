/** The browser of the tests: the system's own. */
import type { LaunchOptions } from 'playwright';

export const chromiumOptions: LaunchOptions = {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  // Its own calls home would be refused one by one, and count as leaving the machine.
  args: [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
  ],
};
