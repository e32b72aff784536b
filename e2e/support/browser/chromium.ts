/** The browser of the tests: the system's own, or the one that `CHROMIUM` names. */
import { join } from 'node:path';
import type { LaunchOptions } from 'playwright';

export const chromiumOptions: LaunchOptions = {
  executablePath: join(import.meta.dirname, 'chromium.sh'),
  // Its own calls home would be refused one by one, and count as leaving the machine.
  args: [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
  ],
};
