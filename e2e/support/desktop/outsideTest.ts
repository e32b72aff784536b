/** Fixture of the tests that run the app from outside: apps, which are closed even if the test fails. */
import { test as base } from 'playwright/test';
import { startOutside, type OutsideApp, type OutsideOptions } from './outsideApp.ts';

export interface OutsideFixtures {
  outside: (options?: OutsideOptions) => Promise<OutsideApp>;
}

export const test = base.extend<OutsideFixtures>({
  outside: async ({}, use) => {
    const apps: OutsideApp[] = [];
    await use(async (options) => {
      const app = await startOutside(options);
      apps.push(app);
      return app;
    });
    // The last app first: it may use the home of an earlier one, which is removed with that one.
    const failures: unknown[] = [];
    for (const app of apps.toReversed()) await app.close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  },
});

export { expect } from 'playwright/test';
