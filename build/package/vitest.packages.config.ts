/**
 * Black-box tests of the installed packages. Files run sequentially because they install packages and share one display.
 */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['e2e/installed-app/*.test.ts'],
    fileParallelism: false,
    setupFiles: 'build/test/timeouts.ts',
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
  },
});
