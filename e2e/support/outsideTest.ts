/** Fixture of the tests that look at the app from outside: apps that are ended whatever happens. */
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
    await Promise.all(apps.map((app) => app.close()));
  },
});

export { expect } from 'playwright/test';
