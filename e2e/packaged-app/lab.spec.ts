/** The main path: settings → service → window and tray, which all show the same state of the lab and follow it. */
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort, type FakeLab } from '../support/managers.ts';
import { findEntry, collectLabels } from '../support/desktop/trayItem.ts';

/** Without a limit except that of the test: the time of a check is tested with a manual clock. */
const eventually = { timeout: 0, intervals: [100] };

function createSettings(port: number, lab: FakeLab): Record<string, string> {
  return {
    'settings.yaml': `lab_manager_name: Bench Lab\nlab_server_url: http://localhost:${port}\n${lab.settings}\n`,
  };
}

test('window, tray and service show the same six managers and follow one that fails and recovers @fast', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab({ resource: 'http-503', data: 'hang' });
  const port = await pickFreePort();
  const { page } = await desktop({ files: createSettings(port, lab) });

  await expect(page.getByText('Managers 4/6', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /Resource/ })).toContainText('HTTP 503');
  await expect(page.getByRole('row', { name: /Data/ })).toContainText('timed out after 5 s');
  await expect(page.getByRole('row', { name: /Location/ })).toContainText('Healthy');
  expect(new URL(page.url()).port).toBe(String(port));

  await expect.poll(() => tray.tooltip()).toContain('Bench Lab: Degraded, 4/6 managers are healthy');
  const degraded = await tray.picture();
  // A manager whose response was late is listed as slow until its next check.
  await expect
    .poll(async () => collectLabels(await tray.menu()), eventually)
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Bench Lab: Degraded, 4\/6 managers are healthy; .*Unreachable since .* \(and 1 more\)$/,
        ),
        'Event Manager: Healthy',
        expect.stringMatching(/^Resource Manager:.* since \d\d:\d\d: HTTP 503$/),
        lab.managers.resource.url,
      ]),
    );

  await lab.managers.event.stop();
  await Promise.all([
    expect.poll(() => page.getByText('Managers 3/6', { exact: true }).isVisible(), eventually).toBe(true),
    expect
      .poll(() => page.getByRole('row', { name: /Event/ }).textContent(), eventually)
      .toContain('connection refused'),
    expect.poll(() => tray.tooltip(), eventually).toContain('Bench Lab: Down, 3/6 managers are healthy'),
  ]);
  await expect.poll(async () => (await tray.picture()).pixels.equals(degraded.pixels)).toBe(false);
  const health = await fetch(`http://127.0.0.1:${port}/lab_health`).then((response) => response.json());
  expect(health).toMatchObject({ healthy: false, description: '3/6 managers are healthy', total_managers: 6 });

  await lab.managers.event.start();
  await Promise.all([
    expect.poll(() => page.getByText('Managers 4/6', { exact: true }).isVisible(), eventually).toBe(true),
    expect.poll(() => tray.tooltip(), eventually).toContain('Bench Lab: Degraded, 4/6 managers are healthy'),
  ]);
  await expect.poll(async () => (await tray.picture()).pixels.equals(degraded.pixels)).toBe(true);
});

test('the tray’s menu opens the window, runs a check and quits', async ({ tray, startLab, desktop }) => {
  const lab = await startLab();
  const { app, page } = await desktop({ files: createSettings(await pickFreePort(), lab) });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain('Bench Lab: Healthy, 6/6 managers are healthy');
  expect(findEntry(await tray.menu(), 'Copy Address for Other Machines')?.enabled).toBe(true);

  const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(isVisible).toBe(false);
  await expect.poll(() => tray.notifications.map((note) => note.summary)).toEqual(['Lab Manager keeps running']);
  await tray.choose('Open Dashboard');
  await expect.poll(isVisible).toBe(true);

  const requests = lab.managers.event.requests;
  await tray.choose('Check Now');
  await expect.poll(() => lab.managers.event.requests).toBeGreaterThan(requests);

  const closed = app.waitForEvent('close');
  await tray.choose('Quit');
  await closed;
});
