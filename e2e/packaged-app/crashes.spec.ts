/** Each crash is recorded with its reason, shown by the diagnostics, and included in the saved file. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseMenu, servicePid, startDesktopIn } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { freePort } from '../support/managers.ts';
import { readCrashes } from '../../server/storage/crashFile.ts';

test('an unexpected end of service, page or app is reported, and a normal quit is not', async ({ desktop }) => {
  const port = await freePort();
  const files = { 'settings.yaml': `lab_server_url: http://localhost:${port}\n` };
  const { app, page, labFolder, userFolder } = await desktop({ files });
  await expect(page).toHaveURL(`http://127.0.0.1:${port}/`);
  const logDir = join(userFolder, 'logs');
  const crashed = async () => (await readCrashes(logDir)).map(({ process, reason }) => `${process}: ${reason}`);
  process.kill((await servicePid(app)) ?? 0, 'SIGKILL');
  await expect.poll(crashed).toEqual([expect.stringMatching(/^service: It was terminated externally.*SIGKILL/)]);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  await expect.poll(crashed).toEqual([expect.any(String), expect.stringMatching(/^page: /)]);
  const pid = app.process().pid ?? 0;
  const ended = new Promise((resolve) => app.process().once('exit', resolve));
  process.kill(pid, 'SIGKILL');
  await ended;

  const second = await startDesktopIn(labFolder, userFolder);
  try {
    await expect
      .poll(crashed)
      .toEqual([
        expect.any(String),
        expect.any(String),
        expect.stringMatching(/^app: started .* ended without quitting/),
      ]);
    const nextWindow = second.app.waitForEvent('window');
    await chooseMenu(second.app, 'Diagnostics');
    const window = await nextWindow;
    await expect(window.getByRole('listitem').filter({ hasText: 'Crashes' })).toContainText(
      /the app \(1\), the service \(1\), a page \(1\)/,
      { timeout: 20_000 },
    );
  } finally {
    await second.app.close();
  }
  const third = await startDesktopIn(labFolder, userFolder);
  try {
    await expect.poll(() => readFile(join(logDir, 'desktop.log'), 'utf8')).toContain('ended without quitting');
    expect(await crashed()).toHaveLength(3);
  } finally {
    await third.app.close();
  }
});
