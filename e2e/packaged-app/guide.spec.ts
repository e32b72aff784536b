/**
 * The user guide in the app: opened from the menu, from a message of the shell, and from the dashboard, in one separate
 * window.
 */
import { join } from 'node:path';
import type { Page } from 'playwright';
import { componentTexts } from '../../dashboard/components/texts.ts';
import { replaceFile } from '../../server/fixtures/replaceFile.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { clickMenuItem, waitForClose } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';

const guideUrl = 'lab-manager://shell/help/';

test('a message opens the guide at its explanation, and the menu opens it in the same window', async ({ desktop }) => {
  const { app, page } = await desktop({ files: { 'settings.yaml': 'event_server_url: ftp://bench\n' } });
  await expect(page.getByRole('heading', { name: 'A setting has an error' })).toBeVisible();
  const nextWindow = app.waitForEvent('window');
  await page.getByRole('button', { name: 'Help: A setting has an error' }).click();
  const guide: Page = await nextWindow;
  await expect(guide).toHaveURL(`${guideUrl}troubleshooting.html#settings`);
  await expect(guide.getByRole('heading', { name: 'Settings', exact: true })).toBeInViewport();
  // Its pages have no access to the app.
  expect(await guide.evaluate(() => 'labManagerShell' in window)).toBe(false);
  expect(await violationsInBothThemes(guide)).toEqual([]);
  await guide.getByRole('searchbox').fill('tray icon');
  await expect(guide.getByRole('status')).toHaveText(/results?$/);
  await clickMenuItem(app, 'User Guide');
  await expect(guide).toHaveURL(`${guideUrl}index.html`);
  expect(app.windows()).toHaveLength(2);
  await waitForClose(guide, () => guide.keyboard.press('Escape'));
});

test('a link and a notice of the dashboard open the guide at their sections in one separate window', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const { app, page, labFolder } = await desktop({
    files: { 'settings.yaml': `lab_server_url: http://localhost:${await pickFreePort()}\n${lab.settings}\n` },
  });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Lab', exact: true }).click();
  const nextWindow = app.waitForEvent('window');
  await page.getByRole('link', { name: componentTexts.guide }).first().click();
  const guide = await nextWindow;
  await expect(guide).toHaveURL(`${guideUrl}troubleshooting.html#messages-about-a-manager`);
  await expect(page).toHaveURL(/\/lab$/);
  // A notice of the app links to its own section, in the same window.
  await replaceFile(join(labFolder, 'settings.yaml'), 'event_server_url: ftp://bench\n');
  const notice = page.getByRole('list', { name: 'Notices of the desktop app' }).getByRole('listitem');
  await notice.getByRole('link', { name: componentTexts.guide }).click();
  await expect(guide).toHaveURL(`${guideUrl}troubleshooting.html#settings`);
});
