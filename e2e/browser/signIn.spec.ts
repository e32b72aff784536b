/** Signing in and out on the dashboard, with a trusted proxy configured, so that loopback has no special rights. */
import { roleTexts } from '../../api/lab/access.ts';
import { accountTexts } from '../../dashboard/app/texts.ts';
import { testUser, writeAccounts } from '../../server/fixtures/testUsers.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';

test('a user signs in, stays signed in after a reload, and signs out', async ({ page, lab, service }) => {
  const { settings } = await lab();
  const env = { LAB_REMOTE_ACCESS: 'view', LAB_TRUSTED_PROXY: '["192.0.2.1"]' };
  const labManager = await service({ files: { 'settings.yaml': settings }, env });
  await writeAccounts(labManager.statePath('users.json'), { users: [testUser('ann', 'operator', 'a long password')] });
  await page.goto(labManager.url);
  await page.getByRole('button', { name: accountTexts.signIn }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in to the lab manager' });
  await dialog.getByLabel(accountTexts.name).fill('ann');
  await dialog.getByLabel(accountTexts.password).fill('a long password');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByLabel(accountTexts.password).press('Enter');
  const account = page.getByRole('button', { name: `Signed in as ann, ${roleTexts.operator}` });
  await expect(account).toBeVisible();
  expect(await page.evaluate(() => document.cookie)).toBe('');
  await page.reload();
  await account.click();
  await expect(page.getByText(`ann (${roleTexts.operator})`)).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('menuitem', { name: accountTexts.signOut, exact: true }).click();
  await expect(page.getByRole('button', { name: accountTexts.signIn })).toBeVisible();
});
