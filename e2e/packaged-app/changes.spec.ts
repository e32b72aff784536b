/** Changes while the app runs: the service's address, and the machine's sleep. */
import { join } from 'node:path';
import { replaceFile } from '../../server/fixtures/replaceFile.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { collectLabels } from '../support/desktop/trayItem.ts';

test('a changed address is announced in the window, and takes effect when the service is restarted from the tray', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const [before, after] = [await pickFreePort(), await pickFreePort()];
  const settingsWith = (port: number) => `lab_server_url: http://localhost:${port}\n${lab.settings}\n`;
  const { page, labFolder } = await desktop({ files: { 'settings.yaml': settingsWith(before) } });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await replaceFile(join(labFolder, 'settings.yaml'), settingsWith(after));
  const notice = page.getByRole('status').filter({ hasText: 'LAB_SERVER_URL changed: requires a restart' });
  await expect(notice).toBeVisible();
  // The notice disappears when the change is undone.
  await replaceFile(join(labFolder, 'settings.yaml'), settingsWith(before));
  await expect(notice).toHaveCount(0);
  await replaceFile(join(labFolder, 'settings.yaml'), settingsWith(after));
  await expect(notice).toBeVisible();
  await tray.choose('Restart Service');
  await expect.poll(() => new URL(page.url()).port).toBe(String(after));
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect(fetch(`http://127.0.0.1:${before}/health`)).rejects.toThrow('fetch failed');
});

test('the app checks the managers at once when the machine wakes up, and shows no false alarm', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const { app, page } = await desktop({
    files: {
      'settings.yaml': `lab_server_url: http://localhost:${await pickFreePort()}\nlab_watch_interval: 600\n${lab.settings}\n`,
    },
  });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain('Healthy, 6/6');
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'));
  await expect.poll(() => tray.tooltip()).toContain('unknown, checking again');

  // The network is not available yet: two managers refuse connections.
  await Promise.all([lab.managers.event.stop(), lab.managers.data.stop()]);
  const requests = lab.managers.resource.requests;
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
  await expect.poll(() => lab.managers.resource.requests).toBe(requests + 1);
  const shownTexts = new Set<string>();
  for (let time = 0; time < 20; time += 1) {
    for (const label of collectLabels(await tray.menu())) shownTexts.add(label);
    if (time === 10) await Promise.all([lab.managers.event.start(), lab.managers.data.start()]);
    await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 100)));
  }
  await expect.poll(() => tray.tooltip()).toContain('Healthy, 6/6');
  expect([...shownTexts].filter((label) => /Degraded|Down|Unreachable/.test(label))).toEqual([]);
});
