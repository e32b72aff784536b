/** Every window on small screens: inside the work area, with its safety stop and its foot visible. */
import type { ElectronApplication, Page } from 'playwright';
import { settingsLines, startDemoLab } from '../../demo/lab/lab.ts';
import { reviewTexts, settingsTexts } from '../../electron/pages/settings/texts.ts';
import { startUntilReady } from '../../build/test/untilReady.mjs';
import { clickMenuItem, startDesktop } from '../support/desktop/desktopApp.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
/** Screens in pixels, with their scale. */
const screens = [
  { width: 1366, height: 768, scale: 1 },
  { width: 1280, height: 720, scale: 1 },
  { width: 960, height: 540, scale: 1 },
  { width: 1366, height: 768, scale: 2 },
] as const;

/** The items of the application menu that open a window, whether it has a safety stop, and what ends its page. */
const windows: readonly {
  readonly item: string;
  readonly hasStop?: false;
  readonly foot?: string;
  readonly buttons?: string;
}[] = [
  { item: 'Connect to Lab…' },
  { item: 'Choose Lab Folder…', buttons: '.buttons.foot' },
  { item: 'Logs' },
  { item: 'Diagnostics' },
  { item: 'About Lab Manager' },
  { item: 'Maintenance and Mute…' },
  { item: 'Settings…', foot: '.changes-bar' },
  { item: 'User Guide', hasStop: false },
  { item: 'Start Demo Lab', hasStop: false },
];

/** Returns the newest window that extends beyond its screen, or leaves no room for its title bar; `null` if it fits. */
function findOversizedWindow(app: ElectronApplication): Promise<string | null> {
  return app.evaluate(({ BrowserWindow, screen }) => {
    const titleBar = 40;
    const window = BrowserWindow.getAllWindows().reduce((a, b) => (a.id > b.id ? a : b));
    const { x, y, width, height } = window.getBounds();
    const { workArea } = screen.getDisplayMatching(window.getBounds());
    const isInside =
      x >= workArea.x &&
      y >= workArea.y &&
      x + width <= workArea.x + workArea.width &&
      y + height <= workArea.y + workArea.height;
    return isInside && height + titleBar <= workArea.height
      ? null
      : `${window.getTitle()}: ${x},${y} ${width}×${height} on ${workArea.width}×${workArea.height}`;
  });
}

/** Returns the selectors of the elements that are covered or outside the window at one of several scroll positions. */
function findHidden(page: Page, selectors: readonly string[]): Promise<string[]> {
  return page.evaluate((all) => {
    const root = document.documentElement;
    const range = root.scrollHeight - root.clientHeight;
    return [0, range / 2, range].flatMap((top) => {
      root.scrollTop = top;
      return all.filter((selector) => {
        const element = document.querySelector(selector);
        if (element === null) return true;
        const { left, right, top: upper, bottom } = element.getBoundingClientRect();
        const isInside = left >= 0 && upper >= 0 && right <= innerWidth && bottom <= innerHeight;
        const shown = document.elementFromPoint((left + right) / 2, (upper + bottom) / 2);
        return !isInside || shown === null || !(element.contains(shown) || shown.contains(element));
      });
    });
  }, selectors);
}

async function changeSetting(settings: Page): Promise<void> {
  await settings.getByLabel('Manager name', { exact: true }).fill('Bench 7');
  await expect(settings.getByRole('button', { name: settingsTexts.review })).toBeVisible();
}

for (const { width, height, scale } of screens) {
  test(`every window fits on a screen of ${width} × ${height} at ${scale * 100} %, with its safety stop and its foot`, async ({
    tray,
  }) => {
    const display = await startUntilReady('Xvfb', [
      '-displayfd',
      '3',
      '-screen',
      '0',
      `${width}x${height}x24`,
      '-nolisten',
      'tcp',
    ]);
    const undo: (() => Promise<unknown>)[] = [() => display.stop()];
    try {
      const lab = await startDemoLab({ simulation: false, past: false });
      undo.push(() => lab.stop());
      const settings = `lab_server_url: http://localhost:${await pickFreePort()}\n${settingsLines(lab)}`;
      const { app, page, close } = await startDesktop({
        files: { 'settings.yaml': settings },
        env: { DISPLAY: `:${display.output}`, XAUTHORITY: '' },
        args: [`--force-device-scale-factor=${scale}`],
      });
      undo.push(close);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
      expect(await findOversizedWindow(app)).toBeNull();
      for (const { item, hasStop = true, foot, buttons = foot } of windows) {
        const [window] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, item)]);
        const parts = [...(hasStop ? ['.stop-button'] : []), ...(buttons === undefined ? [] : [buttons])];
        if (hasStop) await expect(window.locator('.stop-button'), item).toBeVisible();
        if (foot !== undefined) await changeSetting(window);
        expect.soft(await findOversizedWindow(app)).toBeNull();
        expect.soft(await findHidden(window, parts), item).toEqual([]);
        if (foot === undefined) continue;
        await window.getByRole('button', { name: settingsTexts.review }).click();
        await expect(window.getByRole('button', { name: reviewTexts.save })).toBeVisible();
        expect.soft(await findHidden(window, parts), 'Review changes').toEqual([]);
      }
      const [report] = await Promise.all([app.waitForEvent('window'), tray.choose('Safety Stop…')]);
      await report.getByRole('button', { name: safetyStopTexts.button }).click();
      await expect(report.getByRole('alert')).toContainText('of 5 nodes confirmed');
      expect(await findOversizedWindow(app)).toBeNull();
      expect(await findHidden(report, ['.stop-button', '.stop-report > .buttons'])).toEqual([]);
    } finally {
      for (const step of undo.toReversed()) await step();
    }
  });
}
