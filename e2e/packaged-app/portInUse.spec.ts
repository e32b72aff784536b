/** The app when another program uses the port. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portInUseTexts } from '../../electron/pages/parts/texts.ts';
import { contextKey, managerKeys } from '../../api/managers.ts';
import { labContext, type LabContext } from '../../api/lab/lab.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort, type FakeLab } from '../support/managers.ts';
import {
  startForeignLabManager,
  startMuteListener,
  startServiceCopy,
  type OtherService,
} from '../support/network/otherServices.ts';

const others: OtherService[] = [];
test.afterEach(async () => {
  await Promise.all(others.splice(0).map((other) => other.stop()));
});

async function readContext(base: string): Promise<LabContext> {
  return labContext.parse(await fetch(new URL('/context', base)).then((response) => response.json()));
}

function createContext(lab: FakeLab, port: number): LabContext {
  const addresses = managerKeys.map((key) => [contextKey(key), lab.managers[key].url] as const);
  return { lab_server_url: `http://127.0.0.1:${port}/`, ...Object.fromEntries(addresses) } as LabContext;
}

test('the app attaches to another copy of its service that uses the port, and can run the service when that one has stopped', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab({ data: 'http-503' });
  const port = await pickFreePort();
  const settings = `lab_manager_name: Shared Lab\nlab_server_url: http://localhost:${port}\n${lab.settings}\n`;
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  await writeFile(join(folder, 'settings.yaml'), settings);
  others.push(await startServiceCopy(folder, port));

  const { page } = await desktop({ files: { 'settings.yaml': settings } });
  await expect(page.getByText('Managers 5/6', { exact: true })).toBeVisible();
  expect(new URL(page.url()).port).toBe(String(port));
  await expect.poll(() => tray.tooltip()).toContain('Shared Lab: Degraded, 5/6 managers are healthy');

  // Unavailable for longer than a restart takes: the app reports it and waits.
  await page.getByRole('navigation').getByRole('link', { name: 'Lab', exact: true }).click();
  await expect(page).toHaveURL(/\/lab$/);
  await others.pop()?.stop();
  await expect.poll(() => tray.tooltip()).toContain('has not answered since');
  await expect(page.getByRole('heading', { name: /has not answered since \d\d:\d\d/ })).toBeVisible({});
  expect(await violationsInBothThemes(page)).toEqual([]);
  others.push(await startServiceCopy(folder, port));
  await expect(page.getByText('Managers 5/6', { exact: true })).toBeVisible();
  expect(page.url()).toMatch(/\/lab$/);
  await expect.poll(() => tray.tooltip()).toContain('Shared Lab: Degraded, 5/6 managers are healthy');

  // The user decides whether to run the service in this app.
  await others.pop()?.stop();
  await expect.poll(() => tray.tooltip()).toContain('has not answered since');
  await tray.choose('Run the Service in This App');
  await expect(page.getByText('Managers 5/6', { exact: true })).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain('Shared Lab: Degraded, 5/6 managers are healthy');
});

test('a user whose app shows the lab manager of another owner can keep it or run a separate one', async ({
  startLab,
  desktop,
}) => {
  const [sharedLab, ownLab] = [await startLab({ data: 'http-503' }), await startLab()];
  const port = await pickFreePort();
  const address = `lab_server_url: http://localhost:${port}\n`;
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  await writeFile(join(folder, 'settings.yaml'), `${address}${sharedLab.settings}\n`);
  others.push(await startServiceCopy(folder, port));

  const { page } = await desktop({ files: { 'settings.yaml': `${address}${ownLab.settings}\n` } });
  await expect(page.getByRole('status').filter({ hasText: 'are not used.' })).toBeVisible();
  const choose = page.getByRole('button', { name: 'Choose…' });
  await choose.click();
  await expect(
    page.getByText(
      `Your lab is served on another port. Other machines keep the addresses of the other lab at port ${port} until they are given yours.`,
    ),
  ).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Connect with these settings' }).click();
  await expect(page.getByText('Managers 5/6', { exact: true })).toBeVisible();

  await choose.click();
  const ownPort = await pickFreePort();
  await page.getByLabel('Port', { exact: true }).fill(String(ownPort));
  await page.getByLabel('Network').selectOption('This machine only');
  await page.getByRole('button', { name: 'Run mine' }).click();
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  expect(new URL(page.url()).port).toBe(String(ownPort));
  expect((await readContext(`http://127.0.0.1:${port}`)).event_server_url).toBe(sharedLab.managers.event.url);
});

test('the app offers to use a MADSci lab manager that uses the port', async ({
  tray,
  startLab,
  desktop,
  restartDesktop,
}) => {
  const lab = await startLab({ event: 'http-503' });
  const port = await pickFreePort();
  others.push(await startForeignLabManager(port, createContext(lab, port)));

  const app = await desktop({ files: { 'settings.yaml': `lab_server_url: http://localhost:${port}\n` } });
  const { page } = app;
  await expect(page.getByRole('heading', { name: `Port ${port} is already in use` })).toBeVisible();
  await expect(page.getByText(portInUseTexts.labManager(['version 0.8.1', '“Other Lab”']))).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain(`port ${port} is already in use`);
  expect(await violationsInBothThemes(page)).toEqual([]);

  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(page.getByText('Managers 5/6', { exact: true })).toBeVisible();
  expect(new URL(page.url()).port).not.toBe(String(port));
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
  const context = await readContext(page.url());
  expect(context).toEqual(createContext(lab, port));
  await expect.poll(() => tray.tooltip()).toContain(': Degraded, 5/6 managers are healthy');

  // The choice applies at the next start, too.
  await app.app.close();
  const restarted = await restartDesktop(app, { files: {} });
  await expect(restarted.page.getByText('Managers 5/6', { exact: true })).toBeVisible();
});

test('the app starts by itself once an unknown program releases the port', async ({ startLab, desktop }) => {
  const lab = await startLab();
  const port = await pickFreePort();
  others.push(await startMuteListener(port));
  const { page } = await desktop({
    files: { 'settings.yaml': `lab_server_url: http://localhost:${port}\n${lab.settings}\n` },
  });
  await expect(page.getByText('Another program is listening at')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use it' })).toHaveCount(0);

  await others.pop()?.stop();
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  expect(new URL(page.url()).port).toBe(String(port));
});

test('another port is written to the user’s settings file, whose comments are kept', async ({ startLab, desktop }) => {
  const lab = await startLab();
  const port = await pickFreePort();
  others.push(await startMuteListener(port));
  const userSettings = `# Our lab\nlab_server_url: http://localhost:${port} # the usual one\n${lab.settings}\n`;
  const app = await desktop({ userFiles: { 'lab.settings.yaml': userSettings }, useLabFolder: false });
  const choice = app.page.getByRole('button', { name: /^Use \d+$/ });
  await expect(choice).toBeVisible();
  const otherPort = (await choice.textContent())?.replace('Use ', '').trim() ?? '';
  await choice.click();
  await expect(app.page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  expect(new URL(app.page.url()).port).toBe(otherPort);
  const settingsText = await readFile(join(app.userFolder, 'lab.settings.yaml'), 'utf8');
  expect(settingsText).toContain(`lab_server_url: http://localhost:${otherPort}/`);
  expect(settingsText).toContain('# Our lab');
  expect(settingsText).toContain('# the usual one');
});

test('another port applies only to this start if a variable sets the port, and the page explains that', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  others.push(await startMuteListener(port));
  const app = await desktop({
    files: { 'settings.yaml': `${lab.settings}\n` },
    env: { LAB_SERVER_URL: `http://localhost:${port}` },
  });
  const { page } = app;
  await expect(page.getByText(/For this start only, because the environment variable LAB_SERVER_URL/)).toBeVisible({});
  const choice = page.getByRole('button', { name: /^Use \d+$/ });
  const otherPort = (await choice.textContent())?.replace('Use ', '').trim() ?? '';
  await choice.click();
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  expect(new URL(page.url()).port).toBe(otherPort);
  const context = await readContext(page.url());
  expect(context.lab_server_url).toBe(`http://localhost:${otherPort}/`);
  await expect(readFile(join(app.userFolder, 'lab.settings.yaml'), 'utf8')).rejects.toThrow('ENOENT');
});
