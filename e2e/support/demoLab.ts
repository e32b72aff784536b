/** The demo lab with a service that serves the built dashboard; both are stopped even if the test fails. */
import { settingsLines, startDemoLab, type DemoLab, type DemoLabOptions } from '../../demo/lab/lab.ts';
import { test as base } from './browser/browserTest.ts';
import type { ServiceOptions, TestService } from './service.ts';

/** Short delays in real time: a step starts within half a second, and its end is detected in about a second. */
const shortDelays = { tick: 400, poll: 300, info: 2000, reconnect: 2000 } as const;

export interface Demo {
  readonly lab: DemoLab;
  readonly service: TestService;
  /** The address of the dashboard. */
  readonly url: string;
}

export interface DemoFixtures {
  /** By default a lab without simulated activity and without a past, with short delays. */
  demo: (options?: DemoLabOptions, env?: ServiceOptions['env']) => Promise<Demo>;
}

export const test = base.extend<DemoFixtures>({
  demo: async ({ guard, service }, use) => {
    const labs: DemoLab[] = [];
    await use(async (options = {}, env = {}) => {
      const lab = await startDemoLab({ simulation: false, past: false, timing: shortDelays, ...options });
      labs.push(lab);
      const running = await service({ files: { 'settings.yaml': settingsLines(lab) }, env });
      return { lab, service: running, url: running.url };
    });
    await guard.end();
    await Promise.all(labs.map((lab) => lab.stop()));
  },
});

export { expect } from './browser/browserTest.ts';
