/** `npm run screenshots`: takes the documentation's pictures of the real service, with a manager down for a while. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { LabManager } from '../server/labManager.ts';
import { findInstallation } from '../server/installation.ts';
import { silentLog } from '../server/log.ts';
import { startLab } from './support/managers.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const lab = await startLab({ data: 'slow' });
const folder = await mkdtemp(join(tmpdir(), 'screenshots-'));
await writeFile(
  join(folder, 'settings.yaml'),
  `lab_manager_name: Example Lab\nlab_watch_interval: 1\n${lab.settings}\n`,
);
const installation = findInstallation(import.meta.dirname);
const manager = new LabManager({
  inputs: { argv: [], env: {}, cwd: folder, homeDir: folder, userConfigDir: folder, commandLine: 'headless' },
  version: installation.version,
  bundled: installation,
  log: silentLog,
  listen: { host: '127.0.0.1', port: 0 },
});
const status = await manager.start();
if (status.phase !== 'running') throw new Error(`The service did not start: ${status.phase}`);
await pause(150_000);
await lab.managers.resource.stop();
await pause(130_000);

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' });
for (const [name, path, colorScheme] of [
  ['overview', '', 'light'],
  ['overview-dark', '', 'dark'],
  ['lab', 'lab', 'light'],
] as const) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme });
  await page.goto(`${status.loopbackUrl}${path}`);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(installation.root, 'docs', 'screenshots', `${name}.png`) });
  await page.close();
}
await browser.close();
await manager.stop();
await lab.stop();
