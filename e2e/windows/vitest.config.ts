/** The built service on Windows' Node. The files run in sequence, because they share the profile of one Windows account. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['e2e/windows/*.test.ts'],
    globalSetup: 'e2e/windows/globalSetup.ts',
    fileParallelism: false,
    setupFiles: 'build/test/timeouts.ts',
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    chaiConfig: { truncateThreshold: 2000 },
  },
});
