/** Every secondary window reloads its page after the page's process was killed. */
import type { ElectronApplication } from 'playwright';
import { settingsLines, startDemoLab } from '../../demo/lab/lab.ts';
import { clickMenuItem, killProcess } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';

interface ShownWindow {
  readonly id: number;
  readonly pid: number;
  readonly title: string;
  readonly text: string;
}

/** Reads the newest window without Playwright, which does not support crashed pages; `null` for the main window. */
function readNewestWindow(app: ElectronApplication): Promise<ShownWindow | null> {
  return app.evaluate(async ({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().reduce((a, b) => (a.id > b.id ? a : b));
    if (window.id === 1) return null;
    const { webContents } = window;
    const silence = new Promise<string>((resolve) => setTimeout(() => resolve(''), 500));
    const read = webContents.executeJavaScript('document.body.innerText') as Promise<string>;
    const text = await Promise.race([webContents.isCrashed() ? silence : read.catch(() => ''), silence]);
    return { id: window.id, pid: webContents.getOSProcessId(), title: window.getTitle(), text };
  });
}

async function expectRecovery(app: ElectronApplication, open: () => Promise<unknown>): Promise<void> {
  await open();
  await expect.poll(async () => (await readNewestWindow(app))?.text.length ?? 0).toBeGreaterThan(30);
  const windowBefore = await readNewestWindow(app);
  const heading = windowBefore?.text.trim().split('\n')[0] ?? '';
  killProcess(windowBefore?.pid);
  const isBack = async () => {
    const window = await readNewestWindow(app);
    return (
      window !== null &&
      window.id === windowBefore?.id &&
      window.pid !== windowBefore.pid &&
      window.text.includes(heading)
    );
  };
  await expect.poll(isBack).toBe(true);
  await app.evaluate(({ BrowserWindow }, id) => BrowserWindow.fromId(id ?? 0)?.destroy(), windowBefore?.id);
}

const windows = [
  'Settings…',
  'Logs',
  'Diagnostics',
  'About Lab Manager',
  'User Guide',
  'Maintenance and Mute…',
  'Connect to Lab…',
  'Choose Lab Folder…',
];

test('each secondary window reloads its page after the page’s process was killed', async ({ desktop }) => {
  const settings = `lab_manager_name: Bench\nlab_listen_port: ${await pickFreePort()}\n`;
  const { app, page } = await desktop({ files: { 'settings.yaml': settings } });
  await expect(page.getByRole('navigation').first()).toBeVisible();
  for (const label of windows) {
    await test.step(label, () => expectRecovery(app, async () => expect(await clickMenuItem(app, label)).toBe(true)));
  }
});

test('the window with the report of a safety stop reloads its page after the page’s process was killed', async ({
  desktop,
  tray,
}) => {
  const lab = await startDemoLab({ simulation: false, past: false });
  try {
    const settings = `lab_server_url: http://localhost:${await pickFreePort()}\n${settingsLines(lab)}`;
    const { app, page } = await desktop({ files: { 'settings.yaml': settings } });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
    await expectRecovery(app, () => tray.choose('Safety Stop…'));
  } finally {
    await lab.stop();
  }
});
