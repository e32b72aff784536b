/** The page of the Diagnostics window: its checks, their order, and the repair of a problem. */
import { clocksEntry, guideEntries } from '../../api/guide.ts';
import type { PageCommand } from '../../electron/ipc/commands.ts';
import type { Diagnosis, ShellState } from '../../electron/ipc/contract.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { openShellPage } from '../support/desktop/shellPages.ts';

const state: ShellState = { page: { page: 'diagnostics' }, notices: [], stop: { knownNodes: 0, report: null } };
type Report = Diagnosis['reports'][number];

const permissions: Report = {
  id: 'permissions',
  title: 'Permissions of settings and state',
  guide: guideEntries.checks,
  result: 'problem',
  what: 'Every account of this machine can change: /home/labuser/labs/protein-crystallography/settings.yaml.',
  why: 'Whoever may change the settings decides where this lab’s programs connect.',
  whatToDo: 'Remove that permission.',
  fix: {
    id: 'restrict-access',
    label: 'Remove that permission',
    command: 'chmod o-w /home/labuser/labs/protein-crystallography/settings.yaml',
  },
  tookMs: 12,
};
const clocks: Report = {
  id: 'clocks',
  title: 'Clocks',
  guide: clocksEntry,
  result: 'warning',
  what: 'The Data Manager’s clock is 12 s ahead of this machine’s (± 0.5 s).',
  why: 'Times come from the managers’ machines.',
  whatToDo: 'Let all machines use the same time server.',
  tookMs: 840,
};
const versions: Report = { ...clocks, id: 'versions', title: 'Versions of the managers', result: 'ok' };
const diagnosis = { counts: 'not shown', reports: [versions, clocks, permissions] };

test('the diagnostics page fits every window, sorts the worst check first and passes axe', async ({ page }) => {
  await openShellPage(page, state, () => ({ ok: true, value: diagnosis }));
  await expect(page.getByRole('listitem').first()).toContainText('Permissions');
  await expect(page.getByRole('status')).toHaveText('1 problem, 1 warning, 0 unknown, 1 ok');
  for (const width of [1280, 720, 420]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `at ${width}`).toBe(width);
  }
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('one press repairs a problem, runs only that check again and shows its result', async ({ page }) => {
  const { fix: _fix, ...rest } = permissions;
  const { requests } = await openShellPage(page, state, (request: PageCommand) =>
    request.command === 'run-check'
      ? { ok: true, value: { ...rest, result: 'ok', what: 'No other account can change settings or state.' } }
      : { ok: true, value: diagnosis },
  );
  const row = page.getByRole('listitem').filter({ hasText: 'Permissions' });
  await row.getByRole('button', { name: 'Remove that permission' }).click();
  await expect(row).toContainText('No other account can change');
  await expect(page.getByRole('listitem').first()).toContainText('Permissions');
  await expect(row.getByRole('heading')).toBeFocused();
  await expect(row.getByRole('button', { name: 'Remove that permission' })).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText('0 problems, 1 warning, 0 unknown, 2 ok');
  expect(requests).toEqual([{ command: 'diagnose' }, { command: 'run-check', check: 'permissions', fix: true }]);
});

test('a failed repair is shown next to its check, and a single check can be run again', async ({ page }) => {
  const { requests } = await openShellPage(page, state, (request: PageCommand) => {
    if (request.command !== 'run-check') return { ok: true, value: diagnosis };
    return request.fix
      ? { ok: false, error: 'The rights of /lab/settings.yaml can’t be changed: it belongs to another account' }
      : { ok: true, value: { ...clocks, what: 'All clocks agree.', result: 'ok' } };
  });
  const row = page.getByRole('listitem').filter({ hasText: 'Permissions' });
  await row.getByRole('button', { name: 'Remove that permission' }).click();
  await expect(row.getByRole('alert')).toHaveText(/belongs to another account/);
  await page.getByRole('button', { name: 'Clocks: Check again' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Clocks' })).toContainText('All clocks agree.');
  expect(requests.at(-1)).toEqual({ command: 'run-check', check: 'clocks', fix: false });
  await page.getByRole('button', { name: 'Help: Clocks' }).click();
  await expect.poll(() => requests.at(-1)).toEqual({ command: 'open-guide', page: clocksEntry });
});
