/** The Settings window in a browser, with the service's responses about the files of a simulated lab. */
import type { Locator, Page } from 'playwright';
import { commonTexts } from '../../dashboard/base/texts.ts';
import {
  appChoiceTexts,
  channelTexts,
  reviewTexts,
  settingsTexts,
  settingTexts,
} from '../../electron/pages/settings/texts.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { createFakeLab } from '../support/desktop/shellResponses.ts';
import { openShellPage } from '../support/desktop/shellPages.ts';
import { createShellState } from '../support/desktop/shellStates.ts';

const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });
const item = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

test('the settings page shows the origin and the default of each value', async ({ page }) => {
  await openShellPage(page, createShellState('settings'));
  for (const [name, from] of [
    ['listen_port', 'From the command line (--lab-listen-port), which ranks before every file'],
    ['listen_host', 'From the environment variable LAB_LISTEN_HOST, which ranks before every file'],
    ['log_level', '/workcell-2/.env, line 2'],
    ['manager_description', '/workcell-2/settings.json, line 2'],
    ['manager_name', '/workcell-2/settings.toml, line 1'],
    ['watch_interval', '/workcell-2/settings.yaml, line 4'],
  ] as const) {
    await expect(item(page, name)).toContainText(from);
  }
  await expect(item(page, 'verbose')).toContainText('Default');
  await expect(item(page, 'log_level')).toContainText(settingTexts.problem('is not a logging level'));
  await expect(field(page, 'Log level').locator('option:checked')).toHaveText('LOUD');
  await expect(page.getByText('XXXXXXXX')).toHaveCount(0);
});

test('the settings page shows the delivery results of each notification channel', async ({ page }) => {
  await openShellPage(page, createShellState('settings'));
  const status = page.getByRole('list', { name: 'Delivery status' });
  await expect(status.getByRole('listitem')).toHaveText([
    /https:\/\/hooks\.example\.com\/…: failed at .*HTTP 308: the receiver moved permanently .*; 2 messages waiting$/,
    /This desktop: none shown since the app started$/,
  ]);
});

test('settings are found by name and description', async ({ page }) => {
  await openShellPage(page, createShellState('settings'));
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('short window');
  await expect(field(page, 'Rate limit short requests')).toBeVisible();
  await expect(field(page, 'Server URL')).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('weather');
  await expect(page.getByText('No setting matches “weather”.')).toBeVisible();
  await expect(page.getByRole('heading', { name: settingsTexts.app })).toBeVisible();
});

test('the section links stay in view, and the scroll position stays after a list is saved', async ({ page }) => {
  await openShellPage(page, createShellState('settings'));
  await button(page, 'Listening').click();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeInViewport();
  const origins = field(page, 'CORS allowed origins');
  await origins.fill('http://bench-1:8000\nhttp://bench-4:8000');
  const top = () => page.evaluate(() => window.scrollY);
  const topBefore = await top();
  expect(topBefore).toBeGreaterThan(0);
  await button(page, settingsTexts.review).click();
  await button(page, reviewTexts.save).click();
  await expect(page.getByRole('region', { name: settingsTexts.changes })).toContainText('Saved in');
  await expect.poll(top).toBe(topBefore);
  await expect(origins).toHaveValue('http://bench-1:8000\nhttp://bench-4:8000');
});

test('a change is validated, reviewed as lines of each file, saved and undone', async ({ page }) => {
  const { requests } = await openShellPage(page, createShellState('settings'));
  await field(page, 'Watch interval').fill('often');
  await expect(page.getByText(settingTexts.problem('is not a number'))).toBeVisible();
  await field(page, 'Watch interval').fill('7');
  await expect(page.getByText(settingTexts.problem('is not a number'))).toHaveCount(0);
  await field(page, 'Log level').selectOption('DEBUG');
  await field(page, 'Verbose').check();
  await field(page, 'Server URL').fill('http://bench-4:8000');
  await expect(page.getByText(settingsTexts.count(4, 0), { exact: true })).toBeVisible();
  await button(page, settingsTexts.review).click();

  await expect(page.getByRole('heading', { name: 'Review changes' })).toBeFocused();
  const yaml = page.getByRole('region', { name: /settings\.yaml$/ }).filter({ hasText: 'kept as' });
  await expect(yaml.locator('.removed')).toHaveText(/lab_watch_interval: 10 # seconds/);
  await expect(yaml.locator('.added')).toHaveText(/lab_watch_interval: 7 # seconds/);
  // Settings of the lab are saved in its folder, settings of this machine in the user configuration.
  await expect(page.getByRole('region', { name: /workcell-2\/lab\.settings\.yaml$/ })).toContainText(
    'lab_verbose: true',
  );
  await expect(page.getByRole('region', { name: /\.config\/lab-manager\/lab\.settings\.yaml$/ })).toContainText(
    'lab_server_url: http://bench-4:8000',
  );
  await expect(page.getByText('Watch interval, Log level, Verbose')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(button(page, settingsTexts.review)).toBeFocused();
  await page.keyboard.press('Enter');
  await button(page, reviewTexts.save).click();
  await expect(page.getByRole('region', { name: settingsTexts.changes })).toContainText(
    /Saved in [^]*Server URL: takes effect after a restart/,
  );
  await expect(item(page, 'watch_interval')).toContainText('Default: 5');
  await expect(page.getByText(/^\d+ changes?$/)).toHaveCount(0);
  await expect(button(page, 'Restart the service')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await button(page, 'Undo').click();
  await expect(
    page.getByText(/The last save was undone in .*\.config\/lab-manager\/lab\.settings\.yaml/),
  ).toBeVisible();
  await expect(field(page, 'Watch interval')).toHaveValue('10');
  await expect(field(page, 'Verbose')).not.toBeChecked();
  expect(requests.filter((message) => message.command === 'settings' && message.request.kind === 'save')).toHaveLength(
    1,
  );
});

test('a value set by an option of the command line is reported before saving, with a suggestion', async ({ page }) => {
  await openShellPage(page, createShellState('settings'));
  await field(page, 'Listen port').fill('9000');
  await expect(item(page, 'listen_port')).toContainText('Start Lab Manager without --lab-listen-port');
  await button(page, settingsTexts.review).click();
  await expect(page.getByRole('heading', { name: reviewTexts.refused(1) })).toBeVisible();
  await expect(button(page, reviewTexts.save)).toHaveCount(0);
  await button(page, 'Back').click();
  await expect(field(page, 'Listen port')).toHaveValue('9000');
  await button(page, 'Discard the change of Listen port').click();
  await expect(field(page, 'Listen port')).toHaveValue('8010');
  await expect(page.getByRole('region', { name: settingsTexts.changes })).toHaveCount(0);
});

test('resetting a setting removes it from its file', async ({ page }) => {
  await openShellPage(page, createShellState('settings'));
  await button(page, 'Reset Watch interval to its default').click();
  await expect(field(page, 'Watch interval')).toHaveValue('5');
  await expect(item(page, 'watch_interval')).toContainText('Back to the default: 5.');
  await button(page, settingsTexts.review).click();
  await expect(page.locator('.removed')).toHaveText([/lab_watch_interval: 10 # seconds/]);
  await expect(page.locator('.added')).toHaveCount(0);
});

test('typed values are kept when the settings change in the meantime, and the page reports the change', async ({
  page,
}) => {
  let interval = '10';
  const { respond, remove } = await createFakeLab();
  const shell = await openShellPage(page, createShellState('settings'), async (message) => {
    const response = await respond(message);
    if (message.command !== 'settings' || message.request.kind !== 'list' || !response.ok) return response;
    const list = response.value as { sections: { settings: { name: string; value: unknown }[] }[] };
    for (const row of list.sections.flatMap(({ settings }) => settings)) {
      if (row.name === 'watch_interval') row.value = interval;
    }
    return response;
  });
  await field(page, 'Watch interval').fill('7');
  await field(page, 'Manager name').fill('Bench 4');
  interval = '20';
  await shell.show({ ...createShellState('settings'), page: { page: 'settings', revision: 2, note: null } });
  await expect(item(page, 'watch_interval')).toContainText('It was changed outside this window meanwhile: now 20.');
  await expect(field(page, 'Watch interval')).toHaveValue('7');
  await expect(item(page, 'manager_name')).not.toContainText('meanwhile');
  await page.keyboard.press('Escape');
  await expect(page.getByText(settingsTexts.notSaved(2))).toBeVisible();
  await button(page, 'Keep editing').click();
  await button(page, 'Discard').click();
  await expect(field(page, 'Watch interval')).toHaveValue('20');
  await remove();
});

test('an address is tested while it is typed and when its button is pressed', async ({ page }) => {
  const { requests } = await openShellPage(page, createShellState('settings'));
  await button(page, 'Try Data server URL').click();
  await expect(item(page, 'data_server_url')).toContainText('Switched off: this lab has no such manager');
  await field(page, 'Event server URL').fill('http://lab-pc:8001');
  await expect(item(page, 'event_server_url')).toContainText('connection refused');
  const testedUrls = requests.flatMap((request) => (request.command === 'test-address' ? [request.url] : []));
  expect(testedUrls).toEqual(['None', 'http://lab-pc:8001']);
});

test('the app’s own preferences apply at once, and a failure is shown', async ({ page }) => {
  const { respond, remove } = await createFakeLab();
  const { requests } = await openShellPage(page, createShellState('settings'), (request) =>
    request.command === 'prefer' && request.changes.startAtLogin !== undefined
      ? { ok: false, error: 'The entry was not changed: the disk is full' }
      : respond(request),
  );
  await field(page, appChoiceTexts.closeWindow).selectOption(appChoiceTexts.closeWindowChoices.quit);
  await expect(field(page, appChoiceTexts.closeWindow).locator('option:checked')).toHaveText(
    appChoiceTexts.closeWindowChoices.quit,
  );
  await field(page, appChoiceTexts.startAtLogin).click();
  await expect(page.getByRole('alert')).toHaveText('The entry was not changed: the disk is full');
  await expect(field(page, appChoiceTexts.startAtLogin)).toBeChecked();
  await button(page, appChoiceTexts.closeWithoutTray.button).click();
  await expect.poll(() => requests.at(-1)).toEqual({ command: 'preferences' });
  expect(requests.filter(({ command }) => command === 'prefer' || command === 'forget')).toEqual([
    { command: 'prefer', changes: { closeWindow: 'quit' } },
    { command: 'prefer', changes: { startAtLogin: false } },
    { command: 'forget', choice: 'closeWithoutTray' },
  ]);
  await remove();
});

test('the page shows why the settings can’t be read, and still offers the app’s own preferences', async ({ page }) => {
  const { respond, remove } = await createFakeLab();
  let isServiceRunning = false;
  await openShellPage(page, createShellState('settings'), (request) =>
    request.command === 'settings' && !isServiceRunning
      ? { ok: false, error: 'The lab manager service is not running' }
      : respond(request),
  );
  await expect(page.getByRole('alert')).toContainText('The lab manager service is not running');
  await expect(field(page, 'Theme')).toBeVisible();
  isServiceRunning = true;
  await button(page, commonTexts.tryAgain).click();
  await expect(field(page, 'Log level')).toBeVisible();
  await remove();
});

test('a test message is sent to the saved webhooks, and each result is shown', async ({ page }) => {
  const { requests } = await openShellPage(page, createShellState('settings'));
  const webhooks = item(page, 'notify_webhook_url');
  await webhooks.getByRole('button', { name: 'Send a test' }).click();
  await expect(webhooks.getByText(channelTexts.result('1: https://hooks.example.com/…', null))).toBeVisible();
  await expect(webhooks.getByText('2: https://hooks.example.com/… HTTP 404')).toBeVisible();
  await expect(webhooks.getByText('https://chat.crystallography.example.org/… HTTP 403')).toBeVisible();
  expect(requests.filter(({ command }) => command === 'test-notifications')).toHaveLength(1);
  await webhooks.getByRole('textbox').first().fill('https://other.example.com/hook');
  await expect(webhooks.getByText('The test is sent to the saved addresses.')).toBeVisible();
  await expect(webhooks.getByText('accepted the test message')).toHaveCount(0);
});

test('a misspelt setting is shown with the most similar key', async ({ page }) => {
  const { respond, remove } = await createFakeLab({
    'home/labs/protein-crystallography/workcell-2/lab.settings.yaml': 'lab_watch_intervall: 10\n',
  });
  await openShellPage(page, createShellState('settings'), respond);
  await expect(page.getByRole('list', { name: 'Notices' })).toContainText(
    'lab_watch_intervall: there is no such setting, so this is ignored; did you mean lab_watch_interval?',
  );
  await remove();
});

test('a user is added by the keyboard, and Escape closes a dialog but not the window', async ({ page }) => {
  await openShellPage(page, createShellState('settings'));
  await page.evaluate(() => void (window.close = () => void (document.title = 'closed')));
  const users = page.getByRole('region', { name: 'Users' });
  await button(page, 'Users').click();
  await expect(users.getByRole('listitem')).toHaveText([/ann/, /bob/, /wall-screen-2/]);
  await expect(users.getByRole('heading')).toBeFocused();
  await button(page, 'Remove bob…').press('Enter');
  const removal = page.getByRole('alertdialog', { name: 'Remove bob?' });
  await expect(removal.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(removal).toHaveCount(0);
  await expect(button(page, 'Remove bob…')).toBeFocused();
  expect(await page.title()).not.toBe('closed');

  await button(page, 'Add user…').press('Enter');
  await expect(field(page, 'Name')).toBeFocused();
  await page.keyboard.type('carol');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('sends commands such as pausing a workflow')).toBeVisible();
  for (const password of ['short', 'short']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('The password has 5 characters; use at least 10.');
  await expect(field(page, 'Password')).toBeFocused();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.type(' but longer');
  // Tab selects the text of the next field.
  await page.keyboard.press('Tab');
  await page.keyboard.type('short but longer');
  await page.keyboard.press('Enter');
  await expect(users.getByRole('listitem').filter({ hasText: 'carol' })).toContainText('Operator');
  await expect(button(page, 'Add user…')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page).toHaveTitle('closed');
});

test('the safety stop is above a dialog, and its first press stops the lab and closes nothing', async ({ page }) => {
  await page.setViewportSize({ width: 480, height: 480 });
  const { requests } = await openShellPage(page, createShellState('settings', 'nodes'));
  await button(page, 'Add user…').click();
  await field(page, 'Name').fill('ann');
  const dialog = page.getByRole('dialog', { name: 'Add a user' });
  await expect(dialog.getByRole('heading')).toBeInViewport({ ratio: 1 });
  await button(page, 'Safety stop').click();
  await expect.poll(() => requests.filter(({ command }) => command === 'safety-stop')).toHaveLength(1);
  await expect(field(page, 'Name')).toHaveValue('ann');
  await expect(field(page, 'Name')).toBeFocused();
  await expect(button(page, 'Cancel')).toBeInViewport({ ratio: 1 });
});

test('the search finds users and tokens, and a created token fits into a narrow window', async ({ page }) => {
  await page.setViewportSize({ width: 480, height: 640 });
  await openShellPage(page, createShellState('settings'));
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('api token');
  await expect(page.getByRole('heading', { name: 'Remote access' })).toHaveCount(0);
  await button(page, 'Create token…').click();
  await field(page, 'Name').fill('plate-reader');
  await button(page, 'Create token').click();
  const dialog = page.getByRole('dialog', { name: 'API token plate-reader' });
  await expect(dialog.getByText(/^lmt_/)).toBeInViewport({ ratio: 1 });
  await expect(button(page, 'Done')).toBeInViewport({ ratio: 1 });
  expect(await violationsInBothThemes(page)).toEqual([]);
  await button(page, 'Done').click();
  await expect(page.getByText(/lmt_/)).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('weather');
  await expect(page.getByRole('heading', { name: 'Users' })).toHaveCount(0);
});
