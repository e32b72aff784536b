/** The dashboard in headless Chromium on the demo lab; the lab and the service run as processes. */
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { managerKeys } from '../../api/managers.ts';
import { chromiumOptions } from '../../e2e/support/browser/chromium.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { startDemo, type DemoProcess } from '../demoProcess.ts';
import { projectRoot, startNodeProgram } from '../desktop/processes.ts';

export interface BenchDashboard {
  readonly browser: Browser;
  readonly demo: DemoProcess;
  /** The address of the dashboard, with a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** @param flags flags for the JavaScript engine */
export async function openDashboard(flags: readonly string[] = []): Promise<BenchDashboard> {
  const demo = await startDemo();
  const port = await pickFreePort();
  const addresses = managerKeys.map((key) => `--${key}-server-url=${demo.addresses[`${key}_server_url`]}`);
  const settings = [`--lab-server-url=http://localhost:${port}`, '--lab-manager-name=Bench Lab', ...addresses];
  const service = await startNodeProgram(join(projectRoot, 'dist/server/main.js'), settings, port);
  const browser = await chromium.launch({
    ...chromiumOptions,
    args: [...(chromiumOptions.args ?? []), ...(flags.length > 0 ? [`--js-flags=${flags.join(' ')}`] : [])],
  });
  return {
    browser,
    demo,
    url: `http://localhost:${port}/`,
    stop: async () => {
      await browser.close();
      await service.stop();
      await demo.stop();
    },
  };
}
