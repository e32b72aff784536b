/** Diagnostics: the saved archive contains only listed files and no secrets, and the window lists the checks. */
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { clickMenuItem, waitForClose } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';

/** A message box of the app. */
interface MessageBox {
  readonly message: string;
  readonly detail: string;
}

test('the diagnostics archive contains the listed files without secrets, and only its owner can read it', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  // Nothing listens at this address; the service logs the address only when it sends a notification.
  const planted = 'labalerts-xyz';
  const webhookLine = `lab_notify_webhook_url: ["http://127.0.0.1:9/${planted}"]`;
  const settings = `lab_server_url: http://localhost:${port}\n${lab.settings}\n${webhookLine}\n`;
  const { app, page, userFolder } = await desktop({ files: { 'settings.yaml': settings } });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const path = join(userFolder, 'diagnostics.zip');
  await app.evaluate(({ dialog }, filePath) => {
    const messageBoxes: MessageBox[] = [];
    Object.assign(globalThis, { testMessageBoxes: messageBoxes });
    dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) => {
      messageBoxes.push({ message: options.message, detail: options.detail ?? '' });
      return Promise.resolve({ response: 0, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
    dialog.showSaveDialog = (() => Promise.resolve({ canceled: false, filePath })) as typeof dialog.showSaveDialog;
  }, path);
  await clickMenuItem(app, 'Save Diagnostics…');
  await expect
    .poll(() =>
      stat(path).then(
        ({ mode }) => mode & 0o777,
        () => null,
      ),
    )
    .toBe(0o600);
  const messageBoxes = await app.evaluate(
    () => (globalThis as unknown as { testMessageBoxes: readonly MessageBox[] }).testMessageBoxes,
  );
  expect(messageBoxes.map(({ message }) => message)).toEqual(['Save these diagnostics as one file?']);
  const files = Object.entries(unzipSync(await readFile(path)));
  expect(files.map(([name]) => name)).toEqual(
    expect.arrayContaining(['logs/lab-manager.log', 'lab.json', 'settings.json']),
  );
  for (const [name, bytes] of files) {
    if (name !== 'README.txt') expect(messageBoxes[0]?.detail).toContain(name);
    expect(Buffer.from(bytes).toString(), name).not.toContain(planted);
  }
  const checks = Buffer.from(files.find(([name]) => name === 'checks.txt')?.[1] ?? []).toString();
  expect(checks).toMatch(/ok +The managers answer +All 6 answer/);
  expect(checks).toMatch(/ Sandbox /);
});

test('the diagnostics window lists the checks, worst first, with their remedies', async ({ startLab, desktop }) => {
  const lab = await startLab({ data: 'http-503' });
  const settings = `lab_server_url: http://localhost:${await pickFreePort()}\n${lab.settings}\n`;
  const { app, page } = await desktop({ files: { 'settings.yaml': settings } });
  await expect(page.getByText('Managers 5/6', { exact: true })).toBeVisible();
  const nextWindow = app.waitForEvent('window');
  await clickMenuItem(app, 'Diagnostics');
  const window = await nextWindow;
  const first = window.getByRole('listitem').first();
  await expect(first).toContainText('Problem');
  await expect(window.getByRole('listitem').filter({ hasText: 'The managers answer' })).toContainText(
    /HTTP 503[\s\S]*Check whether/,
  );
  await expect(window.getByRole('status')).toHaveText(/problem/);
  expect(await violationsInBothThemes(window)).toEqual([]);
  await waitForClose(window, () => window.keyboard.press('Escape'));
});

test('one click removes the write permission of other users, and the check passes', async ({ desktop }) => {
  const settings = `lab_server_url: http://localhost:${await pickFreePort()}\n`;
  const { app, page, labFolder } = await desktop({ files: { 'settings.yaml': settings } });
  const file = join(labFolder, 'settings.yaml');
  await chmod(labFolder, 0o755);
  await chmod(file, 0o666);
  await expect(page).toHaveURL(/^http:/);
  const nextWindow = app.waitForEvent('window');
  await clickMenuItem(app, 'Diagnostics');
  const window = await nextWindow;
  const row = window.getByRole('listitem').filter({ hasText: 'Permissions of settings and state' });
  await expect(row).toContainText('Problem');
  await row.getByRole('button', { name: 'Remove that permission' }).click();
  await expect(row).toContainText('OK');
  expect((await stat(file)).mode & 0o777).toBe(0o664);
});
