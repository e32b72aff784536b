/** With state files whose reads never end, the app opens, names the files and can be quit. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ordinaryUser } from '../support/desktop/ordinaryUser.ts';
import { expect, test } from '../support/desktop/outsideTest.ts';

const reportedFiles = ['preferences.json', 'nodes.json'];
const stateFiles = [...reportedFiles, 'logs/app-running.json', 'logs/crashes.json'];

test.skip(process.platform === 'win32', 'Windows has no FIFOs among its files');

test('the window opens with FIFOs in place of the app’s state files, and names them', async ({ outside }) => {
  let config = '';
  const app = await outside({
    settings: null,
    makeUnusable: (folders) => {
      config = folders.config;
      const entry = join(dirname(config), 'autostart', 'lab-manager.desktop');
      for (const path of [...stateFiles.map((name) => join(config, name)), entry]) {
        mkdirSync(dirname(path), { recursive: true });
        execFileSync('mkfifo', [path]);
      }
      ordinaryUser().chown(folders.home);
      return () => undefined;
    },
    env: { LAB_LISTEN_HOST: '127.0.0.1', LAB_MANAGER_NAME: 'Bench' },
    args: (port) => [`--lab-listen-port=${port}`],
  });
  const page = await app.page();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  for (const name of reportedFiles) {
    await expect(page.getByRole('status').filter({ hasText: `${name}: it is not a file` })).toBeVisible();
    expect(lstatSync(join(config, name)).isFIFO()).toBe(true);
  }
  app.signal('SIGTERM');
  expect(await app.exit).toEqual({ code: 0, signal: null });
  await expect.poll(() => app.processes()).toEqual([]);
});
