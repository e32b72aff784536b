/** Nodes in the tray: icon, tooltip and menu; and the safety stop of the demo lab. */
import { settingsLines, startDemoLab } from '../../demo/lab/lab.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { findEntry, collectLabels } from '../support/desktop/trayItem.ts';
import { pickFreePort } from '../support/managers.ts';

test('the tray shows an unreachable node in its icon, tooltip and menu', async ({ desktop, tray }) => {
  const lab = await startDemoLab({ simulation: false, past: false });
  try {
    const settings = `lab_server_url: http://localhost:${await pickFreePort()}\n${settingsLines(lab)}`;
    await desktop({ files: { 'settings.yaml': settings } });
    await expect.poll(() => tray.tooltip()).toContain(': Healthy, 6/6 managers are healthy');
    const healthy = await tray.picture();
    await lab.faults.setNode('platereader_1', 'unreachable');
    await expect.poll(() => tray.tooltip()).toMatch(/: platereader_1: Unreachable since .*, 6\/6 managers are/);
    expect(await tray.tooltip()).not.toMatch(/Healthy|\n/);
    expect((await tray.picture()).pixels.equals(healthy.pixels)).toBe(false);
    expect(collectLabels(await tray.menu())).toContainEqual(
      expect.stringMatching(/^platereader_1: Unreachable since /),
    );
  } finally {
    await lab.stop();
  }
});

test('the tray of an app with --demo stops the nodes of the demo lab, and shows that the lab is stopped', async ({
  desktop,
  tray,
}) => {
  const { app } = await desktop({ args: ['--demo'] });
  await expect.poll(async () => findEntry(await tray.menu(), 'Safety Stop…')?.enabled).toBe(true);
  const pictureBefore = await tray.picture();
  const [report] = await Promise.all([app.waitForEvent('window'), tray.choose('Safety Stop…')]);
  await report.getByRole('button', { name: safetyStopTexts.button }).click();
  await expect(report.getByRole('alert')).toContainText('of 5 nodes confirmed');
  await expect(report.getByText(/Demo Lab on this machine/).first()).toBeVisible();
  await expect.poll(() => tray.tooltip()).toMatch(/Safety stop at|stopped by this app/);
  await expect.poll(async () => (await tray.picture()).pixels.equals(pictureBefore.pixels)).toBe(false);
});
