/** axe on the Overview, Lab, wall screen and not-found pages, in both themes, wide and narrow. */
import { appTexts } from '../../dashboard/app/texts.ts';
import { violations, violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { overviewTexts } from '../../dashboard/panels/overview/texts.ts';

const routes = [
  ['/', /managers aren’t healthy/],
  ['/lab', 'Lab'],
  ['/nothing/here', appTexts.notFound.title],
  ['/?kiosk', /managers aren’t healthy/],
] as const;

for (const width of [1440, 360]) {
  test(`the Overview, Lab, wall screen and not-found pages pass axe at ${width} px`, async ({ page, lab, service }) => {
    // axe takes at least a second in each of five runs.
    const { settings } = await lab({ event: 'http-503', data: 'unhealthy', workcell: 'slow' });
    const { url } = await service({ files: { 'settings.yaml': settings } });
    await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
    for (const [route, heading] of routes) {
      await page.goto(new URL(route, url).href);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      if (route === '/lab') await expect(page.getByRole('table')).toHaveCount(3);
      expect.soft(await violationsInBothThemes(page, ['target-size']), route).toEqual([]);
    }
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/managers aren’t healthy/);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    expect.soft(await violationsInBothThemes(page, ['target-size']), 'keyboard shortcuts').toEqual([]);
  });
}

test('the page passes axe while the service is unavailable', async ({ page, guard, lab, service }) => {
  guard.expected.push(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/);
  const { settings } = await lab();
  const { url, manager } = await service({ files: { 'settings.yaml': settings } });
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(overviewTexts.allHealthy(6));
  await manager.stop();
  await expect(page.getByText(/^Lab manager last seen/)).toBeVisible();
  expect(await violations(page, ['target-size'])).toEqual([]);
});
