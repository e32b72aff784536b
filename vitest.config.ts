import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{api,server,electron,dashboard,build,demo,e2e/network}/**/*.test.ts'],
    restoreMocks: true,
    // Service tests mostly wait; a core less than there are would make two cores one.
    maxWorkers: '100%',
    testTimeout: 20_000,
  },
});
