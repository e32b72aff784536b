import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{api,server,electron,dashboard,build,demo,e2e/network}/**/*.test.ts'],
    restoreMocks: true,
    // Service tests mostly wait: one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 20_000,
  },
});
