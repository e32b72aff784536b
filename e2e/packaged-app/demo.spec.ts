/** The demo lab in addition to the configured lab, whose address and tray icon do not change. */
import type { ElectronApplication } from 'playwright';
import { appTexts } from '../../dashboard/app/texts.ts';
import { commonTexts } from '../../dashboard/base/texts.ts';
import { clickMenuItem, killProcess } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';

test('the demo lab runs once, in a separate window, even if it is opened several times', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const { app, page } = await desktop({
    files: {
      'settings.yaml': `lab_manager_name: Real Lab\nlab_server_url: http://localhost:${port}\n${lab.settings}\n`,
    },
  });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const contextBefore = await fetch(`http://127.0.0.1:${port}/context`).then((response) => response.json());
  const opening = app.waitForEvent('window');
  for (let time = 0; time < 3; time += 1) await clickMenuItem(app, time === 0 ? 'Start Demo Lab' : 'Show Demo Lab');
  const demo = await opening;
  await expect(demo.getByText(appTexts.app.demo, { exact: true })).toBeVisible();
  await expect(demo.getByText('Managers 6/6', { exact: true })).toBeVisible();
  expect(await findProcessIds(app, 'Demo lab')).toHaveLength(1);
  expect(new URL(demo.url()).port).not.toBe(String(port));

  // The lab is unchanged: address, context, tray, and the page in the first window.
  expect(await fetch(`http://127.0.0.1:${port}/context`).then((response) => response.json())).toEqual(contextBefore);
  await expect(page.getByText(appTexts.app.demo, { exact: true })).toHaveCount(0);
  await expect.poll(() => tray.tooltip()).toContain('Real Lab: Healthy');

  // After its process is killed, the window shows the reason, and Try again restarts the demo lab.
  const [pid] = await findProcessIds(app, 'Demo lab');
  killProcess(pid);
  await expect(demo.getByRole('heading', { name: 'The demo lab isn’t running' })).toBeVisible();
  await expect(demo.getByText(/was terminated externally.*SIGKILL/).first()).toBeVisible();
  await demo.getByRole('button', { name: commonTexts.tryAgain }).click();
  await expect(demo.getByText('Managers 6/6', { exact: true })).toBeVisible();

  await expect.poll(() => clickMenuItem(app, 'Leave Demo Lab')).toBe(true);
  await expect.poll(() => findProcessIds(app, 'Demo lab')).toEqual([]);
  await expect.poll(() => findProcessIds(app, 'Lab Manager service')).toHaveLength(1);
  await expect.poll(() => clickMenuItem(app, 'Leave Demo Lab')).toBe(false);
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
});

/** Returns the process IDs of the app's helper processes of this name. */
function findProcessIds(app: ElectronApplication, name: string): Promise<number[]> {
  return app.evaluate(
    ({ app: electron }, processName) =>
      electron.getAppMetrics().flatMap((metrics) => (metrics.name === processName ? [metrics.pid] : [])),
    name,
  );
}
