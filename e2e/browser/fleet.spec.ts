/** Many labs: two real services and an address without one. */
import { fleetEntry } from '../../api/guide.ts';
import { fleetTitle } from '../../dashboard/panels/titles.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { pickFreePort } from '../support/managers.ts';

test('the page shows the labs of two services and a dead address, the most urgent first, and opens their dashboards @fast', async ({
  context,
  page,
  lab,
  service,
  guard,
}) => {
  const [first, second] = [await lab(), await lab({ data: 'unhealthy' })];
  const otherService = await service({
    files: { 'settings.yaml': `${second.settings}\nlab_manager_name: Second Lab\n` },
  });
  const dead = `http://127.0.0.1:${await pickFreePort()}/`;
  const ownService = await service({ files: { 'settings.yaml': `${first.settings}\nlab_manager_name: First Lab\n` } });
  await page.goto(`${ownService.url}fleet`);
  await expect(page.getByText('No labs are configured')).toBeVisible();
  expect(await page.getByRole('main').getByRole('link', { name: 'guide' }).getAttribute('href')).toContain(fleetEntry);
  const rail = page.getByRole('navigation').getByRole('link', { name: fleetTitle });
  await expect(rail).toHaveCount(0);

  const labs = `lab_fleet: [${ownService.url}, ${otherService.url}, Third Lab=${dead}]\n`;
  await ownService.write({ 'settings.yaml': `${first.settings}\nlab_manager_name: First Lab\n${labs}` });
  await expect(rail).toBeVisible();
  const table = page.getByRole('grid', { name: 'Labs' });
  const names = () => table.getByRole('link').allInnerTexts();
  await expect.poll(names).toEqual(['Third Lab', 'Second Lab', 'First Lab']);
  await expect(table.getByRole('row').nth(1)).toContainText('connection refused');
  await expect(table.getByRole('row').nth(2)).toContainText('5/6');
  await expect(table.getByRole('row').nth(3)).toContainText(/\d s ago/);

  // One press opens the lab's own dashboard in a new tab, which cannot reach this one.
  const opened = context.waitForEvent('page');
  await table.getByRole('link', { name: 'Second Lab' }).focus();
  await page.keyboard.press('Enter');
  const tab = await opened;
  await expect(tab.getByRole('banner')).toContainText('Second Lab');
  expect(await tab.evaluate(() => globalThis.opener === null)).toBe(true);
  await tab.close();

  await page.getByRole('button', { name: '1 Unreachable' }).click();
  await expect.poll(names).toEqual(['Third Lab']);
  await expect(page).toHaveURL(/is\.state=Unreachable/);
  await page.reload();
  await expect.poll(names).toEqual(['Third Lab']);
  await page.getByRole('button', { name: '1 Unreachable' }).click();
  expect(await violationsInBothThemes(page, ['target-size'])).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(table.getByRole('link', { name: 'Third Lab' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(guard.offences).toEqual([]);
});
