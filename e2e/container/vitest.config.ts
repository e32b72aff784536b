/** Tests of the container image, and of the files with which it is deployed. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['e2e/container/*.test.ts'],
    fileParallelism: false,
    setupFiles: 'build/test/timeouts.ts',
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
  },
});
