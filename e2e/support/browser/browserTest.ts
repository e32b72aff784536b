/**
 * Fixtures of the browser tests: labs and services, which are stopped even if the test fails, and a guard on every page:
 * no request leaves the machine, and the console has no errors or warnings.
 */
import { test as base, type Page } from 'playwright/test';
import type { ManagerKey } from '#api/managers.ts';
import { Guard } from './guard.ts';
import { startLab, type Behaviour, type FakeLab } from '../managers.ts';
import { startService, type ServiceOptions, type TestService } from '../service.ts';

export interface BrowserFixtures {
  guard: Guard;
  lab: (behaviours?: Partial<Record<ManagerKey, Behaviour>>, host?: string) => Promise<FakeLab>;
  /** A service with the built dashboard. */
  service: (options?: ServiceOptions) => Promise<TestService>;
}

/** Returns the page's address with its accessibility tree, or with the reason that it cannot be read. */
async function describePage(page: Page): Promise<string> {
  const pageContent = await page.ariaSnapshot({ timeout: 5000 }).catch((error: unknown) => String(error));
  return `${page.url()}\n${pageContent}`;
}

export const test = base.extend<BrowserFixtures>({
  guard: [
    async ({ context }, use, { errors }) => {
      const guard = new Guard();
      guard.watch(context);
      await use(guard);
      // In CI only the printed output remains.
      if (errors.length > 0) for (const page of context.pages()) console.log(await describePage(page));
      if (guard.offences.length > 0) throw new Error(`The page broke the rules:\n${guard.offences.join('\n')}`);
    },
    { auto: true },
  ],
  lab: async ({ guard }, use) => {
    const labs: FakeLab[] = [];
    await use(async (behaviours, host) => {
      const lab = await startLab(behaviours, host);
      labs.push(lab);
      return lab;
    });
    await guard.end();
    await Promise.all(labs.map((lab) => lab.stop()));
  },
  service: async ({ guard }, use) => {
    const services: TestService[] = [];
    await use(async (options = {}) => {
      const service = await startService({ dashboard: 'built', ...options });
      services.push(service);
      return service;
    });
    await guard.end();
    await Promise.all(services.map((service) => service.stop()));
  },
});

export { expect } from 'playwright/test';
export { Guard } from './guard.ts';
