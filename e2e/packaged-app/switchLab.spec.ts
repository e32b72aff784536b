/**
 * Switching to another lab from the menu and the tray; the current lab stays visible until the new one has responded.
 */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright';
import { folderTexts } from '../../electron/pages/parts/texts.ts';
import { settingsLines, startDemoLab } from '../../demo/lab/lab.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { clickMenuItem, openFolderChooser, waitForClose } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { OtherMachine } from '../support/network/otherMachine.ts';
import { findOutsideAddress, repository, startService } from '../support/service.ts';
import { OtherLabManager } from '../support/network/otherLabManager.ts';

/** Makes every dialog of the app return the index of a button, and records the dialogs. */
function setDialogResponse(app: ElectronApplication, buttonIndex: number): Promise<void> {
  return app.evaluate(({ dialog }, response) => {
    const recorded: string[] = [];
    Object.assign(globalThis, { testQuestions: recorded });
    dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) => {
      recorded.push(`${options.message}\n${options.detail ?? ''}`);
      return Promise.resolve({ response, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
  }, buttonIndex);
}
const readQuestions = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as unknown as { testQuestions: string[] }).testQuestions.join('\n'));

async function readFilesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries
    .filter((entry) => entry.isFile() && /\.(json|log|yaml)$/.test(entry.name))
    .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}

test('a lab is opened from the menu once it has responded, confirmed before its first command, and left from the tray', async ({
  tray,
  startLab,
  desktop,
}) => {
  const ownLab = await startLab();
  const remote = await startDemoLab({ simulation: false, past: false });
  const otherLabManager = new OtherLabManager();
  await otherLabManager.start();
  const addresses = settingsLines(remote)
    .split('\n')
    .flatMap((line) => /^(\w+_server_url): (\S+)$/.exec(line)?.slice(1, 3) ?? []);
  const context: Record<string, string> = { lab_server_url: otherLabManager.url };
  for (let index = 0; index < addresses.length; index += 2) {
    context[addresses[index] ?? ''] = addresses[index + 1] ?? '';
  }
  otherLabManager.context = context;
  const stopped = () => remote.nodes.filter((node) => node.status().stopped);
  const host = new URL(otherLabManager.url).host;
  try {
    const port = await pickFreePort();
    const settings = `lab_manager_name: Own Lab\nlab_server_url: http://localhost:${port}\n${ownLab.settings}\n`;
    const { app, page, userFolder } = await desktop({ files: { 'settings.yaml': settings } });
    await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
    const [window] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, 'Connect to Lab…')]);
    const field = window.getByLabel('Address of the lab manager');
    await expect(window.getByText('Shown now: Own Lab on this machine')).toBeVisible();
    expect(await violationsInBothThemes(window)).toEqual([]);

    for (const [address, reason] of [
      ['http://ann:hunter2@127.0.0.1:1', /has a user or password in it; remove it/],
      ['127.0.0.1:1', /can't be used: .*connection refused/],
      [`localhost:${port}`, /This is the lab manager of this machine/],
    ] as const) {
      await field.fill(address);
      await window.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(window.getByRole('alert')).toContainText(reason);
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    }
    await field.fill(host);
    await window.getByRole('button', { name: 'Test' }).click();
    await expect(window.getByText(`Other Lab answers on ${host}, with 6 managers.`)).toBeVisible();
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    if (process.env['PICTURES']) await window.screenshot({ path: join(process.env['PICTURES'], 'connect.png') });
    await waitForClose(window, () => field.press('Enter'));

    await expect.poll(() => page.title()).toContain(`Other Lab on ${host}`);
    await expect.poll(() => tray.tooltip()).toContain(`Other Lab on ${host}: Healthy`);
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed');
    const notice = page.getByRole('status').filter({ hasText: 'does not identify a machine' });
    await expect(notice).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
    await page.getByRole('button', { name: safetyStopTexts.button }).click();
    await expect(page.getByText(/Not sent\..*Confirm the machine/).first()).toBeVisible();
    const [stopWindow] = await Promise.all([app.waitForEvent('window'), tray.choose('Safety Stop…')]);
    await expect(stopWindow.getByText(`Stop all 5 nodes of Other Lab on ${host}?`)).toBeVisible();
    await expect(stopWindow.getByRole('alert')).toContainText('does not identify a machine');
    await expect(stopWindow.getByRole('button', { name: 'Confirm machine and stop all nodes' })).toBeFocused();
    await waitForClose(stopWindow, () => stopWindow.keyboard.press('Escape'));
    expect(stopped()).toEqual([]);
    if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], 'followed.png') });

    await setDialogResponse(app, 0);
    await clickMenuItem(app, 'Confirm Machine…');
    await expect(notice).toHaveCount(0);
    expect(await readQuestions(app)).toContain(`Allow commands to Other Lab on ${host}?`);
    await page.getByRole('button', { name: safetyStopTexts.button, exact: true }).click();
    await expect.poll(() => stopped().length).toBeGreaterThan(0);

    const files = await readFilesBelow(userFolder);
    expect(files).toContain(otherLabManager.url);
    expect(files).not.toContain('hunter2');
    await tray.choose('Use This Machine’s Lab');
    await expect.poll(() => tray.tooltip()).toContain('Own Lab: Healthy');
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);

    const [connectWindow] = await Promise.all([app.waitForEvent('window'), tray.choose('Connect to Lab…')]);
    await expect(connectWindow.getByText(otherLabManager.url)).toBeVisible();
    if (process.env['PICTURES']) await connectWindow.screenshot({ path: join(process.env['PICTURES'], 'saved.png') });
    await waitForClose(connectWindow, () =>
      connectWindow.getByRole('button', { name: 'Connect to the saved lab Other Lab' }).click(),
    );
    await expect.poll(() => tray.tooltip()).toContain(`Other Lab on ${host}: `);
  } finally {
    await otherLabManager.stop();
    await remote.stop();
  }
});

test('the lab of another machine is shown with that machine’s name and its own managers', async ({
  tray,
  startLab,
  desktop,
}) => {
  const machine = await OtherMachine.make();
  try {
    test.skip(machine.address === null, machine.description);
    const ownLab = await startLab();
    const program = join(repository, 'e2e/support/network/remoteLab.ts');
    // Its settings have the managers at 127.0.0.1, where this machine has six healthy ones and that one has none.
    const { port } = JSON.parse(await machine.start(program, [ownLab.settings])) as { port: number };
    const { page } = await desktop({
      userFiles: { 'preferences.json': JSON.stringify({ follow: `http://${machine.address}:${port}/` }) },
      useLabFolder: false,
    });
    await expect.poll(() => tray.tooltip()).toContain(`Other Bench on ${machine.address}:${port}: Down, 0/6`);
    await expect(page.getByText('Managers 0/6', { exact: true })).toBeVisible();
    expect(await page.title()).toContain(`Other Bench on ${machine.address}:${port}`);
    expect(Object.values(ownLab.managers).map(({ requests }) => requests)).toEqual([0, 0, 0, 0, 0, 0]);
  } finally {
    await machine.remove();
  }
});

test('a lab of the network is found and chosen, the Labs menu switches to it, and the tray shows the worse lab', async ({
  tray,
  startLab,
  desktop,
}) => {
  const address = findOutsideAddress();
  test.skip(address === null, 'This machine has no network but loopback');
  const ownLab = await startLab();
  const culture = await startLab({}, '0.0.0.0');
  const name = `Culture ${process.pid}`;
  const otherService = await startService({
    files: { 'settings.yaml': `lab_manager_name: ${name}\n${culture.settings}` },
    env: { LAB_MDNS: 'true' },
  });
  try {
    const settings = `lab_manager_name: Own Lab\nlab_server_url: http://localhost:${await pickFreePort()}\n${ownLab.settings}\n`;
    const { app, page } = await desktop({ files: { 'settings.yaml': settings } });
    await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
    const [window] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, 'Connect to Lab…')]);
    const row = window.getByRole('listitem').filter({ hasText: `${address}:${otherService.port}` });
    await expect(row).toContainText('6/6 managers');
    await expect(row).toContainText(name);
    expect(await violationsInBothThemes(window)).toEqual([]);
    if (process.env['PICTURES']) await window.screenshot({ path: join(process.env['PICTURES'], 'nearby.png') });
    await waitForClose(window, () => row.getByRole('button').click());

    const label = `${name} on ${address}:${otherService.port}`;
    await expect.poll(() => tray.tooltip()).toContain(`${label}: Healthy`);
    await expect.poll(() => clickMenuItem(app, 'This Machine’s Lab')).toBe(true);
    await expect.poll(() => tray.tooltip()).toBe('Own Lab: Healthy, 6/6 managers are healthy');
    const healthyPicture = await tray.picture();
    for (const manager of Object.values(culture.managers)) manager.behaviour = 'http-503';
    const worse = `Own Lab: Healthy, 6/6 managers are healthy; ${label}: Down`;
    await expect.poll(() => tray.tooltip()).toBe(worse);
    expect((await tray.picture()).pixels.equals(healthyPicture.pixels)).toBe(false);
    await expect.poll(() => clickMenuItem(app, label)).toBe(true);
    await expect.poll(() => tray.tooltip()).toContain(`${label}: Down, 0/6 managers are healthy`);
    await expect.poll(() => page.title()).toContain(label);
  } finally {
    await otherService.stop();
  }
});

test('the page of an unusable lab manager has a field for another address', async ({ startLab, desktop }) => {
  const lab = await startLab();
  const otherLabManager = new OtherLabManager();
  await otherLabManager.start();
  otherLabManager.context = otherLabManager.createContext(lab);
  const follow = `http://127.0.0.1:${await pickFreePort()}/`;
  const { page } = await desktop({
    userFiles: { 'preferences.json': JSON.stringify({ follow }) },
    useLabFolder: false,
  });
  const field = page.getByLabel('Connect to a lab manager on another machine');
  await expect(field).toHaveValue(follow);
  expect(await page.title()).toContain(new URL(follow).host);
  if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], 'failed.png') });
  await field.fill(new URL(otherLabManager.url).host);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await otherLabManager.stop();
});

test('choosing a lab folder requires a decision about previously entered addresses', async ({ startLab, desktop }) => {
  const lab = await startLab();
  const folder = await mkdtemp(join(tmpdir(), 'lab-b-'));
  const port = await pickFreePort();
  try {
    await writeFile(join(folder, 'settings.yaml'), 'manager_name: Lab B\nworkcell_server_url: http://127.0.0.1:9/\n');
    const enteredSettings = `# bench A\nlab_server_url: http://localhost:${port}\n${lab.settings}\n`;
    const { app, page, userFolder } = await desktop({
      userFiles: { 'lab.settings.yaml': enteredSettings },
      useLabFolder: false,
    });
    await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
    const openChooser = async () => {
      const chooser = await openFolderChooser(app, () => clickMenuItem(app, 'Choose Lab Folder…'));
      await chooser.getByLabel(folderTexts.path, { exact: true }).fill(folder);
      await chooser.keyboard.press('Enter');
      await expect(chooser.getByText(folderTexts.lab('Lab B'))).toBeVisible();
      return { chooser, use: () => chooser.getByRole('button', { name: folderTexts.useThis, exact: true }).click() };
    };
    // No response while the service restarts.
    const context = () =>
      fetch(`http://127.0.0.1:${port}/context`)
        .then((response) => response.json() as Promise<Record<string, string>>)
        .catch((): Record<string, string> => ({}));
    await setDialogResponse(app, 2);
    const first = await openChooser();
    await first.use();
    await expect.poll(() => readQuestions(app)).toContain(lab.managers.event.url);
    expect((await context())['event_server_url']).toBe(lab.managers.event.url);

    // If kept, the addresses are used where the folder has none, and a notice is shown.
    await setDialogResponse(app, 1);
    await waitForClose(first.chooser, first.use);
    await expect.poll(async () => (await context())['workcell_server_url']).toBe('http://127.0.0.1:9/');
    expect((await context())['event_server_url']).toBe(lab.managers.event.url);
    const notice = page.getByRole('status').filter({ hasText: 'the addresses may be those of two labs' });
    await expect(notice.first()).toBeVisible();
    if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], 'mixed.png') });

    const [settings] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, 'Settings…')]);
    const hiddenNote = settings
      .getByRole('paragraph')
      .filter({ hasText: /Also set in .*lab\.settings\.yaml, line \d+, hidden by .*settings\.yaml, line 2/ });
    await expect(hiddenNote).toHaveCount(1);
    if (process.env['PICTURES']) {
      await hiddenNote.scrollIntoViewIfNeeded();
      await settings.screenshot({ path: join(process.env['PICTURES'], 'hidden.png') });
    }
    await settings.close();

    await setDialogResponse(app, 0);
    const second = await openChooser();
    await waitForClose(second.chooser, second.use);
    await expect.poll(async () => (await context())['event_server_url']).toBe('http://localhost:8001/');
    await expect(notice).toHaveCount(0);
    const file = join(userFolder, 'lab.settings.yaml');
    expect(await readFile(file, 'utf8')).toBe(`# bench A\nlab_server_url: http://localhost:${port}\n`);
    expect(await readFile(`${file}.lab-manager.bak`, 'utf8')).toBe(enteredSettings);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
