/**
 * Starts without a configured port: the first screen, the demo lab in place of the lab, a lab folder without settings.
 * All of them use port 8000, so they are in one file, which runs one test after the other.
 */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstScreenTexts, folderTexts } from '../../electron/pages/parts/texts.ts';
import { labContext } from '../../api/lab/lab.ts';
import { appTexts } from '../../dashboard/app/texts.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { interfaceAddresses } from '../../server/net/interfaces.ts';
import { openFolderChooser, waitForClose } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { findOutsideAddress } from '../support/service.ts';
import { OtherLabManager } from '../support/network/otherLabManager.ts';

test.describe.configure({ mode: 'default' });

test('a chosen lab folder is used at once and at the next start', async ({ startLab, desktop, restartDesktop }) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'chosen-'));
  const settings = `lab_manager_name: Chosen Lab\nlab_server_url: http://localhost:${port}\n${lab.settings}\n`;
  await writeFile(join(folder, 'settings.yaml'), settings);
  const app = await desktop({ useLabFolder: false, userFiles: { 'lab.settings.yaml': 'lab_log_level: LOUD\n' } });
  await expect(app.page.getByText('LOUD')).toBeVisible();
  await writeFile(join(app.userFolder, 'lab.settings.yaml'), '');
  await expect(app.page.getByRole('heading', { name: firstScreenTexts.title })).toBeVisible();

  const chooser = await openFolderChooser(app.app, () =>
    app.page.getByRole('button', { name: firstScreenTexts.folder.button }).click(),
  );
  await expect(chooser.getByLabel(folderTexts.path, { exact: true })).toHaveValue(
    await app.app.evaluate(({ app: electronApp }) => electronApp.getPath('home')),
  );
  await chooser.getByLabel(folderTexts.path, { exact: true }).fill(join(folder, 'none'));
  await chooser.keyboard.press('Enter');
  await expect(chooser.getByRole('alert')).toHaveText(`${join(folder, 'none')} does not exist`);
  await chooser.getByLabel(folderTexts.path, { exact: true }).fill(folder);
  await chooser.keyboard.press('Enter');
  await expect(chooser.getByText(folderTexts.lab('Chosen Lab'))).toBeVisible();
  await waitForClose(chooser, () => chooser.getByRole('button', { name: 'settings.yaml' }).click());
  await expect(app.page.getByText('Chosen Lab', { exact: true })).toBeVisible();
  expect(new URL(app.page.url()).port).toBe(String(port));
  await app.app.close();

  const restarted = await restartDesktop(app, { useLabFolder: false });
  await expect(restarted.page.getByText('Chosen Lab', { exact: true })).toBeVisible();
});

test('the first screen lists the labs that were used before or are found on this machine', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const labs = await mkdtemp(join(tmpdir(), 'labs-'));
  for (const name of ['optics', 'bench']) {
    await mkdir(join(labs, name));
    const text = `lab_manager_name: Lab of ${name}\nlab_server_url: http://localhost:${await pickFreePort()}\n${lab.settings}\n`;
    await writeFile(join(labs, name, 'settings.yaml'), text);
  }
  const { page } = await desktop({
    userFiles: { 'preferences.json': JSON.stringify({ recentFolders: [join(labs, 'optics'), labs] }) },
    useLabFolder: false,
  });
  const found = page.getByRole('list', { name: 'Labs on this machine' }).getByRole('listitem');
  await expect(found.filter({ hasText: 'Lab of bench' })).toContainText(join(labs, 'bench'));
  await expect(found.first()).toContainText('Lab of optics');
  await page.getByRole('button', { name: `Use the lab in ${join(labs, 'bench')}` }).click();
  await expect(page.getByText('Lab of bench', { exact: true })).toBeVisible();
});

test('a notice reports a lab folder that is missing or contains no settings of a lab', async ({
  desktop,
  restartDesktop,
  startLab,
}) => {
  const lab = await startLab();
  const folder = await mkdtemp(join(tmpdir(), 'empty-'));
  const app = await desktop({
    userFiles: { 'preferences.json': JSON.stringify({ labFolder: join(folder, 'gone') }) },
    useLabFolder: false,
    args: lab.settings.split('\n').map((line) => `--${line.replaceAll('_', '-').replace(': ', '=')}`),
  });
  const missing = app.page
    .getByRole('status')
    .filter({ hasText: `The lab folder ${join(folder, 'gone')} does not exist` });
  await expect(missing).toBeVisible();
  await app.app.close();

  await writeFile(join(app.userFolder, 'preferences.json'), JSON.stringify({ labFolder: folder }));
  const restarted = await restartDesktop(app, { useLabFolder: false });
  await expect(restarted.page.getByRole('status').filter({ hasText: 'contains no settings of a lab' })).toBeVisible();
});

test('the first screen accepts the lab’s addresses, tests them while typing and saves them', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const freePort = await pickFreePort();
  const app = await desktop({ useLabFolder: false });
  const { page } = app;
  await expect(page.getByRole('heading', { name: firstScreenTexts.title })).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  // Without a lab, this machine gets the default addresses, also at an address of its network.
  for (const host of ['127.0.0.1', findOutsideAddress() ?? '127.0.0.1'])
    expect((await fetch(`http://${host}:8000/context`)).status).toBe(200);
  // Before the setup the app shows no errors.
  await expect(page.getByText(/connection refused/)).toHaveCount(0);

  await page.getByRole('button', { name: firstScreenTexts.addresses.button }).click();
  await expect(page.getByRole('button', { name: 'Save and open the dashboard' })).toBeDisabled();
  await page.getByLabel(firstScreenTexts.addresses.host).fill('127.0.0.1');
  await expect(page.getByLabel('Workcell Manager')).toHaveValue('http://127.0.0.1:8005/');
  const event = page.getByLabel('Event Manager');
  await event.fill('localhost:1');
  await expect(page.getByText('has no scheme')).toBeVisible();
  await event.fill(`http://127.0.0.1:${freePort}/`);
  await expect(page.getByText(`connection refused (127.0.0.1:${freePort})`)).toBeVisible();
  await event.fill(lab.managers.data.url);
  await expect(page.getByText('The Data Manager answers here, not the Event Manager')).toBeVisible();
  for (const manager of Object.values(lab.managers)) {
    const title = `${manager.key.charAt(0).toUpperCase()}${manager.key.slice(1)} Manager`;
    await page.getByLabel(title).fill(manager.url);
    await expect(page.getByText(`${title} is running normally (0.8.1)`)).toBeVisible();
  }
  await page.getByRole('button', { name: 'Save and open the dashboard' }).click();
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const settingsText = await readFile(join(app.userFolder, 'lab.settings.yaml'), 'utf8');
  expect(settingsText).toContain(`event_server_url: ${lab.managers.event.url}`);
});

test('--demo shows six healthy managers on the page and in the tray, marked as a demo', async ({ tray, desktop }) => {
  const broken = { 'settings.yaml': 'lab_server_url: nowhere\nlab_manager_name: Mine\n' };
  const { page } = await desktop({ files: broken, args: ['--demo'] });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await expect(page.getByText(appTexts.app.demo, { exact: true })).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain('Demo Lab: Healthy, 6/6 managers are healthy');

  const { port } = new URL(page.url());
  const context = labContext.parse(await fetch(`http://127.0.0.1:${port}/context`).then((response) => response.json()));
  for (const address of Object.values(context)) {
    expect(['localhost', '127.0.0.1']).toContain(new URL(address ?? '').hostname);
    const health = await fetch(new URL('/health', address ?? '')).then((response) => response.json());
    expect(health).toMatchObject({ healthy: true });
  }
  for (const { address } of interfaceAddresses().filter(({ family, internal }) => family === 'IPv4' && !internal)) {
    await expect(fetch(`http://${address}:${port}/health`)).rejects.toThrow('fetch failed');
  }
});

test('the first screen opens the demo lab in one separate window', async ({ desktop }) => {
  const { app, page } = await desktop({ useLabFolder: false });
  const button = page.getByRole('button', { name: firstScreenTexts.demo.button });
  await expect(button).toBeVisible();
  const opening = app.waitForEvent('window');
  await button.dblclick();
  const demo = await opening;
  await expect(demo.getByText('Managers 6/6', { exact: true })).toBeVisible();
  expect(app.windows()).toHaveLength(2);
  await expect(page.getByRole('heading', { name: firstScreenTexts.title })).toBeVisible();
});

test('a remote lab manager is opened, remembered after a restart, and reported while it does not respond', async ({
  tray,
  startLab,
  desktop,
  restartDesktop,
}) => {
  const lab = await startLab();
  const otherLabManager = new OtherLabManager();
  await otherLabManager.start();
  otherLabManager.context = otherLabManager.createContext(lab);
  const first = await desktop({ useLabFolder: false });
  await first.page.getByLabel('Connect to a lab manager on another machine').fill('nowhere');
  await first.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(first.page.getByText(/http:\/\/nowhere:8000\/ can't be used/)).toBeVisible();
  await first.page.getByLabel('Connect to a lab manager on another machine').fill(otherLabManager.url);
  await first.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(first.page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await first.app.close();

  const { page } = await restartDesktop(first, { useLabFolder: false });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain(`Other Lab on ${new URL(otherLabManager.url).host}: Healthy`);

  await otherLabManager.stop();
  const notice = page.getByRole('status').filter({ hasText: /has not answered since \d\d:\d\d.*last known addresses/ });
  await expect(notice).toBeVisible();
  // Its managers still respond, but it is unknown whether they belong to the lab.
  await expect.poll(() => tray.tooltip()).toContain('unknown');
  await expect(page.getByText('Unknown', { exact: true }).first()).toBeVisible();
  await otherLabManager.start();
  await expect(notice).toHaveCount(0);
  await expect.poll(() => tray.tooltip()).toContain(`Other Lab on ${new URL(otherLabManager.url).host}: Healthy`);
  await otherLabManager.stop();
});
