/** The Settings window in the app: each kind of origin, saved changes take effect, and the app's own preferences. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ElectronApplication, Locator, Page } from 'playwright';
import { appChoiceTexts, settingTexts } from '../../electron/pages/settings/texts.ts';
import { settingsResponse } from '../../api/lab/settings.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { clickMenuItem, waitForClose, startSecondInstance } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { startOpener } from '../support/desktop/opener.ts';
const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });
const item = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const readTextOrNull = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

async function openSettings(app: ElectronApplication): Promise<Page> {
  const [window] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, 'Settings…')]);
  await expect(field(window, appChoiceTexts.startAtLogin)).toBeVisible();
  return window;
}

function isVisible(app: ElectronApplication): Promise<boolean | undefined> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
}

async function readServiceSettings(port: number): Promise<Readonly<Record<string, unknown>>> {
  const settings = await fetch(`http://127.0.0.1:${port}/settings`).then((response) => response.json());
  return settingsResponse.parse(settings).settings;
}

test('the settings window shows each kind of origin and writes a change to the file that sets the value, and the service applies it at once', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const opener = await startOpener();
  const dotenv = '# ours\nexport LAB_LOG_LEVEL="INFO" # usual\n';
  const { app, page, labFolder } = await desktop({
    files: {
      'settings.yaml': `# the lab\nlab_watch_interval: 5 # seconds\n${lab.settings}\n`,
      'settings.toml': 'lab_manager_description = "toml"\n',
      'settings.json': '{"lab_manager_name": "Bench Lab"}\n',
      '.env': dotenv,
    },
    env: { LAB_RATE_LIMIT_REQUESTS: '500', ...opener.env },
    args: [`--lab-listen-port=${port}`],
  });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const window = await openSettings(app);
  for (const [name, from] of [
    ['listen_port', 'the command line (--lab-listen-port)'],
    ['rate_limit_requests', 'the environment variable LAB_RATE_LIMIT_REQUESTS'],
    ['log_level', `${join(labFolder, '.env')}, line 2`],
    ['manager_name', `${join(labFolder, 'settings.json')}, line 1`],
    ['manager_description', `${join(labFolder, 'settings.toml')}, line 1`],
    ['watch_interval', `${join(labFolder, 'settings.yaml')}, line 2`],
    ['verbose', 'Default'],
  ] as const) {
    await expect(item(window, name)).toContainText(from);
  }
  expect(await violationsInBothThemes(window)).toEqual([]);
  await button(window, 'Open file of Manager name').click();
  await expect.poll(() => opener.openedTargets()).toEqual([join(labFolder, 'settings.json')]);

  await field(window, 'Manager name').fill('Bench 4');
  await field(window, 'Log level').selectOption('DEBUG');
  await field(window, 'Watch interval').fill('7');
  await field(window, 'Verbose').check();
  await field(window, 'Listen port').fill('1');
  await button(window, 'Review…').click();
  await expect(window.getByRole('heading', { name: 'One change can’t be saved' })).toBeVisible();
  await expect(window.getByText('Start Lab Manager without --lab-listen-port')).toBeVisible();
  await button(window, 'Save').click();
  await expect(window.getByRole('region', { name: 'Changes' })).toContainText('Saved in');
  expect(await readTextOrNull(join(labFolder, 'settings.json'))).toBe('{"lab_manager_name": "Bench 4"}\n');
  expect(await readTextOrNull(join(labFolder, '.env'))).toBe(dotenv.replace('INFO', 'DEBUG'));
  expect(await readTextOrNull(join(labFolder, '.env.lab-manager.bak'))).toBe(dotenv);
  expect(await readTextOrNull(join(labFolder, 'settings.yaml'))).toContain(
    '# the lab\nlab_watch_interval: 7 # seconds\n',
  );
  expect(await readTextOrNull(join(labFolder, 'lab.settings.yaml'))).toBe('lab_verbose: true\n');
  await expect(page.getByText('Bench 4', { exact: true })).toBeVisible();
  await expect
    .poll(() => readServiceSettings(port))
    .toMatchObject({ manager_name: 'Bench 4', log_level: 'DEBUG', watch_interval: 7, verbose: true });
  await expect(field(window, 'Listen port')).toHaveValue('1');

  // Changed outside meanwhile: the window shows the new value and keeps the typed one.
  await writeFile(join(labFolder, 'settings.toml'), 'lab_manager_description = "other"\n');
  await expect(field(window, 'Manager description')).toHaveValue('other');
  await expect(field(window, 'Listen port')).toHaveValue('1');
  await button(window, 'Undo').click();
  await expect(page.getByText('Bench Lab', { exact: true })).toBeVisible();
  await expect.poll(() => readTextOrNull(join(labFolder, '.env'))).toBe(dotenv);
  await expect.poll(() => readTextOrNull(join(labFolder, 'lab.settings.yaml'))).toBeNull();

  // Closing the window does not discard the typed text.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.close());
  await window.keyboard.press('Escape');
  await expect(window.getByText('1 change not saved.')).toBeVisible();
  // Chromium reports the page as unresponsive 5 s after the prevented close.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.emit('unresponsive'));
  await expect(window.getByText('1 change not saved.')).toBeVisible();
  await waitForClose(window, () => button(window, 'Discard and close').click());
});

test('the settings window shows errors, and the service starts when they are corrected there', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const settings = `lab_server_url: http://localhost:${port}\nlab_log_level: LOUD\n${lab.settings}\n`;
  const { app, page, labFolder } = await desktop({ files: { 'settings.yaml': settings } });
  await expect(page.getByRole('heading', { name: 'A setting has an error' })).toBeVisible();
  // The page in the lab's window has no permission to change anything itself.
  const refused = await page.evaluate(() => {
    const { labManagerShell } = globalThis as unknown as {
      labManagerShell: { request(command: unknown): Promise<unknown> };
    };
    return Promise.all([
      labManagerShell.request({ command: 'settings', request: { kind: 'list' } }),
      labManagerShell.request({ command: 'prefer', changes: { notifications: false } }),
      labManagerShell.request({ command: 'open-setting-file', name: 'log_level' }),
    ]);
  });
  expect(refused).toEqual([1, 2, 3].map(() => ({ ok: false, error: 'This window can’t do that' })));

  const [window] = await Promise.all([app.waitForEvent('window'), button(page, 'Settings…').click()]);
  await expect(window.getByRole('list', { name: 'Notices' })).toContainText('is not a logging level');
  await expect(item(window, 'log_level')).toContainText(settingTexts.problem('is not a logging level'));
  await field(window, 'Log level').selectOption('ERROR');
  await button(window, 'Review…').click();
  await button(window, 'Save').click();
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  expect(await readTextOrNull(join(labFolder, 'settings.yaml'))).toBe(settings.replace('LOUD', 'ERROR'));
  await expect(window.getByRole('list', { name: 'Notices' })).toHaveCount(0);
  await waitForClose(window, () => window.keyboard.press('Escape'));
});

test.describe('the app', () => {
  let config: string;
  test.beforeEach(async () => {
    config = await mkdtemp(join(tmpdir(), 'config-'));
  });
  test.afterEach(() => rm(config, { recursive: true, force: true }));

  test('adds and removes the entry for a start at login, and applies theme and closing at once', async ({
    desktop,
  }) => {
    const args = [`--lab-listen-port=${await pickFreePort()}`];
    const { app, userFolder } = await desktop({ args, env: { XDG_CONFIG_HOME: config } });
    const window = await openSettings(app);
    const entry = join(config, 'autostart', 'lab-manager.desktop');
    // The service has listed its settings by then, so the app's own preferences no longer move on the page.
    await expect(field(window, 'Manager name')).toBeVisible();
    await field(window, appChoiceTexts.startAtLogin).click();
    await expect(field(window, appChoiceTexts.startAtLogin)).toBeChecked();
    expect(await readTextOrNull(entry)).toContain(`--user-data-dir=${userFolder} --hidden\n`);
    // As the packages start it: the launcher detects missing system features.
    const program = join(dirname(await app.evaluate(() => process.execPath)), 'launcher.sh');
    expect(await readTextOrNull(entry)).toContain(`Exec=${program} `);
    await field(window, 'Without opening the window').click();
    await expect.poll(() => readTextOrNull(entry)).not.toContain('--hidden');
    await field(window, appChoiceTexts.startAtLogin).click();
    await expect(field(window, appChoiceTexts.startAtLogin)).not.toBeChecked();
    expect(await readTextOrNull(entry)).toBeNull();

    // Playwright overrides the color scheme unless it is reset.
    await window.emulateMedia({ colorScheme: null });
    await field(window, 'Theme').selectOption('Dark');
    await expect.poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
    await expect.poll(() => window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    await field(window, appChoiceTexts.closeWindow).selectOption(appChoiceTexts.closeWindowChoices.quit);
    await expect.poll(() => readTextOrNull(join(userFolder, 'preferences.json'))).toContain('"closeWindow": "quit"');
    // Quitting discards unsaved changes after a confirmation.
    await field(window, 'Manager name').fill('Bench 4');
    const closed = app.waitForEvent('close');
    await app.evaluate(({ BrowserWindow, dialog }) => {
      dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) => {
        const response = options.message === 'Quit and discard unsaved input?' ? 0 : 1;
        return Promise.resolve({ response, checkboxChecked: false });
      }) as typeof dialog.showMessageBox;
      const windows = BrowserWindow.getAllWindows();
      windows.find((openWindow) => !openWindow.getTitle().startsWith('Settings'))?.close();
    });
    await closed;
  });

  test('starts hidden in the tray, stays there at a second hidden start, and opens its window on a click', async ({
    tray,
    startLab,
    desktop,
  }) => {
    const lab = await startLab();
    const files = { 'settings.yaml': `lab_server_url: http://localhost:${await pickFreePort()}\n${lab.settings}\n` };
    const { app, userFolder } = await desktop({ files, args: ['--hidden'] });
    await expect.poll(() => tray.tooltip()).toContain('Healthy');
    expect(await isVisible(app)).toBe(false);
    expect(await startSecondInstance(userFolder, ['--hidden'])).toBe(0);
    expect(await isVisible(app)).toBe(false);
    await tray.click();
    await expect.poll(() => isVisible(app)).toBe(true);
  });

  test.describe('that has no tray', () => {
    test.use({ hasTray: false });

    test('opens its window although it starts hidden', async ({ desktop }) => {
      const { app } = await desktop({ args: ['--hidden', `--lab-listen-port=${await pickFreePort()}`] });
      await expect.poll(() => isVisible(app)).toBe(true);
    });
  });
});
