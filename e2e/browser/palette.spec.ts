/** The command palette: everything that is loaded, and objects that only the managers can find. */
import { violations } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/demoLab.ts';
import { paletteTexts } from '../../dashboard/app/texts.ts';
import { outcomeTexts } from '../../dashboard/managers/commands/texts.ts';

const chord = 'Control+KeyK';

test('the palette opens with Ctrl K and finds nodes and commands by keyboard alone', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await page.keyboard.press(chord);
  const field = page.getByRole('combobox');
  await expect(field).toBeFocused();
  await page.keyboard.type('lh1');
  const options = page.getByRole('option');
  await expect(options.first()).toContainText('liquidhandler_1');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  expect(await violations(page, ['target-size'])).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/workcells\/nodes\/liquidhandler_1$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('liquidhandler_1');

  await page.keyboard.press(chord);
  await expect(field).toBeFocused();
  await page.keyboard.type('theme dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('combobox')).toHaveCount(0);
});

test('a palette search without matches offers to search the whole workflow archive', async ({ page, demo }) => {
  const { url } = await demo({ past: true });
  await page.goto(url);
  await page.getByRole('button', { name: paletteTexts.button }).click();
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('zebra fish');
  await expect(page.getByText('No loaded object or command matches “zebra fish”.')).toBeVisible();
  await page.getByRole('option', { name: /Search all archived workflows for “zebra fish”/ }).click();
  await expect(page).toHaveURL(/\/workflows\?.*archive=all/);
});

test('the palette opens the oldest archived workflow by its ID', async ({ page, demo }) => {
  const { url, lab } = await demo({ past: true });
  const [oldest] = [...lab.managers.workcell.store.archived.values()].toSorted((a, b) => a.submitted - b.submitted);
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/healthy/);
  await page.keyboard.press(chord);
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(oldest!.id);
  await expect(page.getByRole('option', { name: oldest!.definition.name }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/workflows/${oldest!.id}`));
});

test('the palette replaces an open dialog, and closes with Escape', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/healthy/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('safety stop');
  await page.keyboard.press(chord);
  await expect(page.getByRole('combobox')).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a node command opens its confirmation on the node’s page, an inapplicable one shows why, and the address alone sends nothing', async ({
  page,
  demo,
}) => {
  const { url, lab } = await demo();
  const arm = lab.nodes.find(({ name }) => name === 'robotarm_1')!;
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await page.keyboard.press(chord);
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('lock robotarm');
  await page.getByRole('option', { name: /^Lock robotarm_1/ }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('robotarm_1');
  await expect(page).toHaveURL(/robotarm_1$/);
  expect(arm.status().locked).toBe(false);
  await dialog.getByRole('button', { name: /^Lock/ }).click();
  await expect.poll(() => arm.status().locked).toBe(true);

  await page.goto(new URL('workcells/nodes/robotarm_1?command=resume', url).href);
  const outcomes = page.getByRole('complementary', { name: outcomeTexts.region });
  await expect(outcomes).toContainText('Resume: robotarm_1');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});
