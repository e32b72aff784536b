/** Tests of the packages, from outside. One file after the other: they install, and they share a screen. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['e2e/installed-app/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 300_000,
  },
});
