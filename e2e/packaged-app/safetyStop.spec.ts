/** The safety stop in the app's window: it works without the workcell manager, and shows the response of each node. */
import { settingsLines, startDemoLab } from '../../demo/lab/lab.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';

test('the window stops nodes without the workcell manager and shows their responses', async ({ desktop }) => {
  const lab = await startDemoLab({ simulation: false, past: false });
  try {
    const settings = `lab_server_url: http://localhost:${await pickFreePort()}\n${settingsLines(lab)}`;
    const { page } = await desktop({ files: { 'settings.yaml': settings } });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
    await lab.faults.setManager('workcell', { kind: 'down' });
    await lab.faults.setNode('platereader_1', 'unreachable');
    await page.getByRole('button', { name: safetyStopTexts.button }).click();
    const report = page.getByRole('region', { name: safetyStopTexts.title });
    await expect(report.getByRole('row', { name: 'robotarm_1' })).toContainText('Confirmed at its own address');
    await expect(report.getByRole('row', { name: 'advanced_example_node' })).toContainText(
      'locked and paused, which is not a safety stop',
    );
    await expect(report.getByRole('row', { name: 'platereader_1' })).toContainText('Not reached');
    expect(lab.nodes.find(({ name }) => name === 'robotarm_1')?.status().stopped).toBe(true);
  } finally {
    await lab.stop();
  }
});
