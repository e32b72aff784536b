/** The tray icon in the panels of real desktops, with a mouse and a keyboard, on the demo lab of the app itself. */
import { postControl } from '../../demo/lab/testLabs.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { openDemoOnPanel } from '../support/desktop/panelDemo.ts';
import { panelSettings, type PanelName } from '../support/desktop/panelSettings.ts';

for (const name of Object.keys(panelSettings) as PanelName[]) {
  test(`the tray icon in ${name} shows the state of the lab, opens the window, and has a menu with the safety stop`, async () => {
    const { desktop, app, lab, stop } = await openDemoOnPanel(name);
    try {
      await expect.poll(() => desktop.icon('healthy')).toEqual(expect.any(Object));
      await expect.poll(() => desktop.icon('degraded')).toBeNull();

      await postControl(lab, 'faults', { node: 'platereader_1', fault: 'unreachable' });
      await expect.poll(() => desktop.icon('degraded')).toEqual(expect.any(Object));
      await expect.poll(() => desktop.icon('healthy')).toBeNull();

      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
      await expect.poll(() => desktop.showsWindow('Demo Lab')).toBe(false);
      await desktop.clickIcon('degraded');
      await expect.poll(() => desktop.showsWindow('Demo Lab')).toBe(true);

      await desktop.openMenu('degraded');
      const [report] = await Promise.all([app.waitForEvent('window'), desktop.chooseByKeys('Safety Stop…')]);
      await report.getByRole('button', { name: safetyStopTexts.button }).click();
      await expect(report.getByRole('alert')).toContainText('of 5 nodes confirmed');
      await expect.poll(() => desktop.icon('failed')).toEqual(expect.any(Object));
      await expect.poll(() => desktop.icon('degraded')).toBeNull();
    } finally {
      await stop();
    }
  });
}
