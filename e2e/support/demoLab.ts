/** The demo lab with a service in front of it that serves the built dashboard; both are ended whatever happens. */
import { settingsLines, startDemoLab, type DemoLab, type DemoLabOptions } from '../../demo/lab/lab.ts';
import { test as base } from './browser/browserTest.ts';
import type { TestService } from './service.ts';

/** Everything happens soon, in real time: a step starts within half a second, its end is seen in about a second. */
const quick = { tick: 400, poll: 300, info: 2000, reconnect: 2000 } as const;

export interface Demo {
  readonly lab: DemoLab;
  readonly service: TestService;
  /** Of the dashboard. */
  readonly url: string;
}

export interface DemoFixtures {
  /** A still lab without a past and with quick timing, unless told otherwise. */
  demo: (options?: DemoLabOptions) => Promise<Demo>;
}

export const test = base.extend<DemoFixtures>({
  demo: async ({ guard, service }, use) => {
    const labs: DemoLab[] = [];
    await use(async (options = {}) => {
      const lab = await startDemoLab({ living: false, past: false, timing: quick, ...options });
      labs.push(lab);
      const running = await service({ files: { 'settings.yaml': settingsLines(lab) } });
      return { lab, service: running, url: running.url };
    });
    guard.end();
    await Promise.all(labs.map((lab) => lab.stop()));
  },
});

export { expect } from './browser/browserTest.ts';
