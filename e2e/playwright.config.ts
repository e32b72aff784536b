/** Browser tests of the dashboard and of the shell's pages, and tests of the packaged app. */
import { defineConfig } from 'playwright/test';
import { chromiumOptions } from './support/browser/chromium.ts';

const chromium = {
  browserName: 'chromium',
  viewport: { width: 1440, height: 900 },
  launchOptions: chromiumOptions,
} as const;

/** Makes a network of its own, which cuts every connection that Chromium has elsewhere on the machine. */
const network = '**/otherMachine.spec.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  workers: 3,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['line']],
  // Recording every test takes a quarter of their time; `--trace on` shows what happened in one.
  use: { screenshot: 'only-on-failure' },
  projects: [
    {
      name: 'browser',
      testMatch: ['dashboard/**/*.spec.ts', 'shell/**/*.spec.ts'],
      testIgnore: network,
      // Each test has its own services on free ports, and mostly waits for them: three on two cores.
      workers: 3,
      use: chromium,
    },
    // Never at the same time as another one.
    { name: 'network', testDir: './dashboard', testMatch: network, use: chromium },
    // Each worker has a session bus of its own, each test its ports; they mostly wait for what an app does after seconds.
    { name: 'desktop', testDir: './desktop', workers: 2, fullyParallel: true },
    // Each has a home, a session bus and a port of its own.
    { name: 'outside', testDir: './outside', workers: 2, fullyParallel: true },
  ],
});
