/** Help → Logs: the lines of service and app, new lines, and those after a rotation. */
import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { clickMenuItem } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';

test('the log window follows the lines of service and app, also after a rotation, and copies a line that it finds', async ({
  desktop,
}) => {
  const port = await pickFreePort();
  const { app, page, userFolder } = await desktop({
    files: { 'settings.yaml': `lab_server_url: http://localhost:${port}\nlab_manager_name: Bench\n` },
  });
  await expect(page).toHaveURL(`http://127.0.0.1:${port}/`);
  const nextWindow = app.waitForEvent('window');
  await clickMenuItem(app, 'Logs');
  const logs = await nextWindow;
  const line = (text: string | RegExp) => logs.getByRole('listbox').getByRole('option').filter({ hasText: text });
  await expect(line(`Listening on`)).toBeVisible();
  expect(await violationsInBothThemes(logs)).toEqual([]);
  const logPath = (name: string) => join(userFolder, 'logs', name);
  await appendFile(logPath('desktop.log'), '2026-01-01 00:00:00.000 [warn] (test) of the app\n');
  await expect(line('of the app')).toContainText('App');
  await rename(logPath('lab-manager.log'), logPath('lab-manager.1.log'));
  await writeFile(logPath('lab-manager.log'), '2026-01-01 00:00:00.000 [error] (test) after the rotation\n');
  await expect(line('after the rotation')).toBeVisible();
  await logs.getByLabel('Search in the logs').fill('listening');
  await expect(line(/./)).toHaveCount(1);
  await expect(line('Listening on')).toBeVisible();
  await line('Listening on').click();
  await logs.keyboard.press('Control+c');
  await logs.getByRole('button', { name: 'Copy selected' }).click();
  await expect(logs.getByRole('status')).toContainText('1 line copied');
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toContain('(service) Listening on');
});
