/** Tests with programs of other projects that a lab's IT department operates. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['e2e/engines/*.test.ts'],
    // Most tests wait for other programs.
    maxWorkers: 2,
    setupFiles: 'build/test/timeouts.ts',
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 60_000,
  },
});
