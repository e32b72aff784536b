/** Browser tests of the dashboard, and desktop tests of the packaged app. One worker: there is one port 8000, one screen. */
import { defineConfig } from 'playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['line']],
  use: { trace: 'retain-on-failure' },
  projects: [
    {
      name: 'browser',
      testDir: './dashboard',
      use: {
        browserName: 'chromium',
        viewport: { width: 1440, height: 900 },
        launchOptions: {
          executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
          // Its own calls home would be refused one by one, and count as leaving the machine.
          args: [
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            '--no-first-run',
            '--disable-quic',
          ],
        },
      },
    },
    { name: 'desktop', testDir: './desktop' },
  ],
});
