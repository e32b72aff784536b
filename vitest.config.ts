import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{api,server,electron,dashboard,build,demo,e2e/network}/**/*.test.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
  },
});
