/** Browser tests of the dashboard and of the shell's pages, and tests of the packaged app. */
import { defineConfig } from 'playwright/test';
import { chromiumOptions } from './support/browser/chromium.ts';

const chromium = {
  browserName: 'chromium',
  viewport: { width: 1440, height: 900 },
  launchOptions: chromiumOptions,
} as const;

/** This test creates a network, which cuts all other connections of Chromium on the machine. */
const network = '**/otherMachine.spec.ts';
/** These tests start services on port 8000: they run one at a time, in parallel with the other tests. */
const usualPort = [
  'packaged-app/usualPort.spec.ts',
  'packaged-app/trayNodes.spec.ts',
  'packaged-app/trayPanels.spec.ts',
  'app-process/ends.spec.ts',
];

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  // On two cores: each test has its own services, home, session bus and ports, and mostly waits for them.
  workers: 5,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  // These limits only end tests that hang: they are far beyond the duration of a passing test on a busy machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['line']],
  // Traces would take a quarter of the run time; `--trace on` records them. Animations would take as much; only the
  // tests with `withMotion` and those of the app run them.
  use: { screenshot: 'only-on-failure', contextOptions: { reducedMotion: 'reduce' } },
  projects: [
    {
      name: 'browser',
      testMatch: ['browser/**/*.spec.ts', 'app-pages/**/*.spec.ts'],
      testIgnore: network,
      use: chromium,
    },
    // Never in parallel with another project.
    { name: 'network', testDir: './browser', testMatch: network, use: chromium },
    { name: 'usual-port', testMatch: usualPort, workers: 1, fullyParallel: false },
    { name: 'packaged-app', testMatch: 'packaged-app/**/*.spec.ts', testIgnore: usualPort },
    { name: 'app-process', testMatch: 'app-process/**/*.spec.ts', testIgnore: usualPort },
  ],
});
