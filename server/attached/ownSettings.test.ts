import { expect, it } from 'vitest';
import { findOtherOwner } from './ownSettings.ts';

it.each([
  ['the same account and file', { account: 'ann', settings_file: '/lab/lab.settings.yaml' }, null],
  ['an older service', null, null],
  ['another account', { account: 'bob', settings_file: '/lab/lab.settings.yaml' }, 'bob'],
  ['an account without a name', { account: null, settings_file: '/lab/lab.settings.yaml' }, null],
])('a lab manager with %s is named by the account that is not the own one', (_what, owner, account) => {
  const own = { account: 'ann', file: '/lab/lab.settings.yaml' };
  expect(findOtherOwner(owner, own)?.account ?? null).toBe(account);
});

it('another file of the same account is named without the account', () => {
  const other = { settingsFile: '/other/lab.settings.yaml', ownSettingsFile: '/lab/lab.settings.yaml' };
  expect(
    findOtherOwner(
      { account: 'ann', settings_file: other.settingsFile },
      { account: 'ann', file: other.ownSettingsFile },
    ),
  ).toEqual({ account: null, ...other });
});
