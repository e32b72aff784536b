/**
 * Settings with errors: reported with file, line and key; nothing runs partially configured; the service starts once
 * they are correct.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../server/fixtures/replaceFile.ts';
import { settingsResponse } from '../../api/lab/settings.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { collectLabels } from '../support/desktop/trayItem.ts';

interface BrokenFile {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly location: RegExp;
  readonly error: RegExp;
}

const brokenFiles: readonly BrokenFile[] = [
  {
    name: 'invalid YAML',
    file: 'settings.yaml',
    text: 'lab_manager_name: "Bench\nevent_server_url: http://localhost:1\n',
    location: /settings\.yaml[^]*line \d+/,
    error: /YAML/,
  },
  {
    name: 'invalid TOML',
    file: 'lab.settings.toml',
    text: 'manager_name = \n',
    location: /lab\.settings\.toml[^]*line 1/,
    error: /TOML/,
  },
  {
    name: 'invalid JSON',
    file: 'settings.json',
    text: '{\n "manager_name": ,\n}',
    location: /settings\.json[^]*line 2/,
    error: /JSON/,
  },
  {
    name: 'an invalid value in YAML',
    file: 'lab.settings.yaml',
    text: '# one\nevent_server_url: ftp://bench\n',
    location: /lab\.settings\.yaml[^]*line 2/,
    error: /event_server_url/,
  },
  {
    name: 'an invalid value in .env',
    file: '.env',
    text: 'LAB_MANAGER_NAME=Bench\nLAB_LOG_LEVEL=LOUD\n',
    location: /\.env[^]*line 2/,
    error: /LAB_LOG_LEVEL/,
  },
];

test('the page names file and line of each broken setting, and the app starts when all are corrected', async ({
  tray,
  desktop,
}) => {
  const port = await pickFreePort();
  const [atStart] = brokenFiles;
  const { page, labFolder } = await desktop({
    files: atStart === undefined ? {} : { [atStart.file]: atStart.text },
    args: [`--lab-listen-port=${port}`],
  });
  const heading = page.getByRole('heading', { name: /A setting has an error|\d+ settings have errors/ });
  await expect(heading).toBeVisible();
  for (const [index, broken] of brokenFiles.entries()) {
    // All in the same app, one after the other: it checks its files again while it cannot start.
    await replaceFile(join(labFolder, broken.file), broken.text);
    const previous = brokenFiles[index - 1];
    // Only now, because the service would start as soon as all settings are valid.
    if (previous !== undefined) await rm(join(labFolder, previous.file));
    const group = page.getByRole('region').filter({ hasText: broken.location });
    await expect(group, broken.name).toContainText(broken.error);
    await expect(group.getByRole('button', { name: 'Open file' }).first()).toBeVisible();
    await expect.poll(() => tray.tooltip()).toContain('the settings have errors');
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed');
  }
  await replaceFile(join(labFolder, brokenFiles.at(-1)?.file ?? ''), 'LAB_LOG_LEVEL=INFO\n');
  await expect(heading).toHaveCount(0);
  const status = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.status,
      () => null,
    );
  await expect.poll(status).toBe(200);
});

test('the page names an invalid environment variable', async ({ desktop }) => {
  const { page } = await desktop({ env: { LAB_WATCH_INTERVAL: 'often' } });
  await expect(page.getByRole('heading', { name: 'A setting has an error' })).toBeVisible();
  const variables = page.getByRole('region', { name: 'Environment variables' });
  await expect(variables.getByRole('heading', { name: /LAB_WATCH_INTERVAL/ })).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('a valid change is applied while running, and an invalid one is reported and changes nothing', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const text = (name: string) =>
    `lab_manager_name: ${name}\nlab_server_url: http://localhost:${port}\n${lab.settings}\n`;
  const { page, labFolder } = await desktop({ files: { 'settings.yaml': text('First Name') } });
  await expect(page.getByText('First Name', { exact: true })).toBeVisible();

  await replaceFile(join(labFolder, 'settings.yaml'), text('Second Name'));
  await expect(page.getByText('Second Name', { exact: true })).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain('Second Name: Healthy');

  await replaceFile(join(labFolder, 'settings.yaml'), `${text('Third Name')}data_server_url: nowhere\n`);
  await expect.poll(() => tray.notifications.at(-1)?.body).toMatch(/settings\.yaml:\d+.*data_server_url/s);
  // Not only a notification: the notice stays for as long as the error exists.
  const notice = page.getByRole('status').filter({ hasText: 'The settings have errors' });
  await expect(notice).toBeVisible();
  await expect.poll(async () => collectLabels(await tray.menu())[1]).toContain('The settings have errors');
  const settings = await fetch(`http://127.0.0.1:${port}/settings`).then((response) => response.json());
  expect(settingsResponse.parse(settings).settings['manager_name']).toBe('Second Name');
  await replaceFile(join(labFolder, 'settings.yaml'), text('Fourth Name'));
  await expect(notice).toHaveCount(0);
  await expect(page.getByText('Fourth Name', { exact: true })).toBeVisible();
});
