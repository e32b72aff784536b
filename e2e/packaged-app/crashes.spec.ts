/** Each crash is recorded with its reason and shown by the diagnostics. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clickMenuItem, startDesktopIn, killProcess, killService } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { readCrashes } from '../../server/storage/crashFile.ts';

test('an unexpected end of service, page or app is reported, and a normal quit is not', async ({ desktop }) => {
  const port = await pickFreePort();
  const files = { 'settings.yaml': `lab_server_url: http://localhost:${port}\n` };
  const { app, page, labFolder, userFolder } = await desktop({ files });
  await expect(page).toHaveURL(`http://127.0.0.1:${port}/`);
  const logDir = join(userFolder, 'logs');
  const readCrashTexts = async () => (await readCrashes(logDir)).map(({ process, reason }) => `${process}: ${reason}`);
  /** The start of the run that wrote the mark in the log folder. */
  const readRunStart = async () => {
    const text = await readFile(join(logDir, 'app-running.json'), 'utf8');
    return (JSON.parse(text) as { startedAt: string }).startedAt;
  };
  await killService(app);
  await expect.poll(readCrashTexts).toEqual([expect.stringMatching(/^service: It was terminated externally.*SIGKILL/)]);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  await expect.poll(readCrashTexts).toEqual([expect.any(String), expect.stringMatching(/^page: /)]);
  const killedRunStart = await readRunStart();
  const exited = new Promise((resolve) => app.process().once('exit', resolve));
  killProcess(app.process().pid);
  await exited;

  let quitRunStart = '';
  const second = await startDesktopIn(labFolder, userFolder);
  try {
    await expect
      .poll(readCrashTexts)
      .toContainEqual(expect.stringContaining(`app: started ${killedRunStart}, ended without quitting`));
    quitRunStart = await readRunStart();
    const nextWindow = second.app.waitForEvent('window');
    await clickMenuItem(second.app, 'Diagnostics');
    const window = await nextWindow;
    await expect(window.getByRole('listitem').filter({ hasText: 'Crashes' })).toContainText(
      /the app \(\d\), the service \(1\), a page \(1\)/,
    );
  } finally {
    await second.app.close();
  }
  const third = await startDesktopIn(labFolder, userFolder);
  try {
    // The file is missing until the app has started.
    await expect.poll(() => readRunStart().catch(() => quitRunStart)).not.toBe(quitRunStart);
    await expect(third.page).toHaveURL(`http://127.0.0.1:${port}/`);
    // The list may also have an attempt to start the app that the test has ended.
    const started = (await readCrashTexts()).filter((text) => text.startsWith('app: '));
    expect(started).toContainEqual(expect.stringContaining(killedRunStart));
    expect(started).not.toContainEqual(expect.stringContaining(quitRunStart));
  } finally {
    await third.app.close();
  }
});
