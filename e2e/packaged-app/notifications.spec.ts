/** Notifications while the window is hidden: on the desktop, and by webhook. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { clickMenuItem } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { collectLabels, type TrayMenuEntry } from '../support/desktop/trayItem.ts';

/** The label includes the end of the mute. */
const findUnmuteLabel = (menu: readonly TrayMenuEntry[]) =>
  collectLabels(menu).find((label) => label.startsWith('Unmute')) ?? 'Unmute';

test('a failure of a manager is reported on the desktop and by webhook, and its end only by webhook while muted', async ({
  tray,
  startLab,
  desktop,
}) => {
  const postedMessages: { readonly title: string; readonly url: string }[] = [];
  const receiver = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      postedMessages.push(JSON.parse(text) as (typeof postedMessages)[number]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const lab = await startLab();
  const port = await pickFreePort();
  const { app, page } = await desktop({
    files: {
      'settings.yaml': [
        `lab_server_url: http://localhost:${port}`,
        lab.settings,
        'lab_watch_interval: 1',
        'lab_advertised_host: bench4',
        `lab_notify_webhook_url: http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
        '',
      ].join('\n'),
    },
  });
  try {
    await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await lab.managers.data.stop();
    await expect.poll(() => postedMessages.map(({ title }) => title)).toEqual(['Data Manager: unreachable']);
    const summaries = () => tray.notifications.map(({ summary }) => summary);
    await expect.poll(summaries).toContain('Data Manager: unreachable');
    expect(tray.notifications.find(({ summary }) => summary.startsWith('Data'))?.body).toContain('connection refused');
    await expect.poll(() => postedMessages.map(({ title }) => title)).toEqual(['Data Manager: unreachable']);
    expect(postedMessages[0]?.url).toBe(`http://bench4:${port}/history`);

    const [settings] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, 'Settings…')]);
    await expect(settings.getByRole('list', { name: 'Delivery status' }).getByRole('listitem')).toHaveText([
      /http:\/\/127\.0\.0\.1:\d+\/…: last delivered \d\d:\d\d$/,
      /This desktop: last shown \d\d:\d\d$/,
    ]);
    await settings.close();

    const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
    // Until the Settings window has closed, it may be the first of the list, whose order is undefined.
    await expect.poll(isVisible).toBe(false);
    // The app receives the click only after it has read the ID from the notification server.
    const pressNotification = async () => {
      tray.pressNotification('Data Manager: unreachable');
      return isVisible();
    };
    await expect.poll(pressNotification).toBe(true);
    // Notifications are suppressed while the page in front shows the event.
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await expect.poll(isVisible).toBe(false);

    await tray.choose('Mute Notifications', 'For 1 Hour');
    await lab.managers.data.start();
    await expect.poll(() => postedMessages.map(({ title }) => title)).toContain('Data Manager is back');
    // The next notification is shown, so the muted one is suppressed and not only late.
    await tray.choose(findUnmuteLabel(await tray.menu()));
    await lab.managers.event.stop();
    await expect.poll(summaries).toContain('Event Manager: unreachable');
    expect(summaries()).not.toContain('Data Manager is back');
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

test('a manager in maintenance has its own state on the page, and is reported as unreachable only after the maintenance', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const settings = [`lab_server_url: http://localhost:${port}`, lab.settings, 'lab_watch_interval: 1', ''];
  const { app, page } = await desktop({ files: { 'settings.yaml': settings.join('\n') } });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Data' }) });
  await tray.choose('Data Manager: …', 'Maintenance', 'For 1 Hour');
  await expect(row).toContainText('Maintenance');
  await lab.managers.data.stop();
  await expect(row).toContainText('(unreachable: connection refused');
  await expect(page.getByText('Managers 5/5', { exact: true })).toBeVisible();
  await expect(page.getByText('In maintenance: Data Manager until', { exact: false })).toBeVisible();

  // A separate window starts and ends a mute.
  const nextWindow = app.waitForEvent('window');
  await tray.choose('Maintenance and Mute…');
  const window = await nextWindow;
  await window.getByRole('form', { name: 'Start', exact: true }).getByLabel('What').selectOption('Event Manager');
  await window.getByRole('button', { name: 'Mute notifications' }).click();
  await expect(window.getByText('Event Manager until')).toBeVisible();
  await window.getByRole('button', { name: 'Unmute Event Manager' }).click();
  await expect(window.getByText('Nothing is muted.')).toBeVisible();
  expect(await violationsInBothThemes(window)).toEqual([]);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((openWindow) => openWindow.hide()));

  // The next notification arrives, so the suppressed ones are not only late.
  await lab.managers.event.stop();
  const summaries = () => tray.notifications.map(({ summary }) => summary);
  await expect.poll(summaries).toContain('Event Manager: unreachable');
  expect(summaries().filter((summary) => summary.startsWith('Data'))).toEqual([]);

  await window.getByRole('button', { name: 'End the maintenance of Data Manager' }).click();
  await expect.poll(summaries).toContain('Data Manager: unreachable');
});
