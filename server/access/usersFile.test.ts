import { chmod, chown, mkdir, open, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { testInvalidUsersFile } from '../fixtures/invalidUsersFile.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { testToken, testUser, writeAccounts } from '../fixtures/testUsers.ts';
import { silentLog } from '../logging/log.ts';
import type { AccountChange } from './users.ts';
import { AccountList, changeAccounts, readAccounts } from './usersFile.ts';

const ann = testUser('ann', 'operator', 'a long password');
const { password } = ann;
const isPosix = process.platform !== 'win32';

describe('changeAccounts', () => {
  it('creates a private file and applies each change', async () => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'state', 'users.json');
    const changes: readonly AccountChange[] = [
      { kind: 'add user', name: 'ann', role: 'viewer', password },
      { kind: 'add user', name: 'Jörg', role: 'administrator', password },
      { kind: 'set role', name: 'ANN', role: 'operator' },
      { kind: 'create token', name: 'robot', role: 'operator', hash: 'A'.repeat(43) },
      { kind: 'create token', name: 'script', role: 'viewer', hash: 'B'.repeat(43) },
      { kind: 'revoke token', name: 'robot' },
      { kind: 'remove user', name: 'jörg' },
    ];
    for (const change of changes) await changeAccounts(path, change);
    const { users, tokens } = await readAccounts(path);
    expect(users.map(({ name, role }) => `${name} ${role}`)).toEqual(['ann operator']);
    expect(tokens.map(({ name, role }) => `${name} ${role}`)).toEqual(['script viewer']);
    if (isPosix) expect((await stat(path)).mode & 0o777).toBe(0o600);
    if (isPosix) expect((await stat(join(folder.path, 'state'))).mode & 0o777).toBe(0o700);
  });

  it.each<readonly [string, AccountChange, string]>([
    [
      'a second user of a name',
      { kind: 'add user', name: 'Ann', role: 'viewer', password },
      'There is a user “ann” already',
    ],
    [
      'an invalid name',
      { kind: 'add user', name: 'a b', role: 'viewer', password },
      '“a b” is not a valid name. Expected: a letter',
    ],
    [
      'an unknown user',
      { kind: 'set role', name: 'bob', role: 'viewer' },
      'There is no user “bob”. Expected: one of ann',
    ],
    ['an unknown token', { kind: 'revoke token', name: 'bob' }, 'There is no token “bob”'],
  ])('refuses %s and does not change the file', async (_name, change, message) => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'users.json');
    await writeAccounts(path, { users: [ann] });
    const before = await readFile(path, 'utf8');
    await expect(changeAccounts(path, change)).rejects.toThrow(message);
    expect(await readFile(path, 'utf8')).toBe(before);
  });
});

/** Each `make` puts something hostile at the path of the users file. */
const hostile: readonly (readonly [name: string, make: (path: string) => Promise<unknown>, reason: string])[] = [
  ['garbage', (path) => writeFile(path, '\0\xff{"version"', { mode: 0o600 }), 'it is not of the form that'],
  ['an empty file', (path) => writeFile(path, '', { mode: 0o600 }), 'it is not of the form that'],
  [
    'an unknown role',
    (path) => writeAccounts(path, { users: [{ ...ann, role: 'root' as 'viewer' }] }),
    'it is not of the form',
  ],
  [
    'a hash of 1 GiB',
    (path) => writeAccounts(path, { users: [{ ...ann, password: password.replace(':16:', ':1048576:') }] }),
    'it is not of the form',
  ],
  [
    '10,000 users',
    (path) => writeAccounts(path, { users: Array.from({ length: 10_000 }, () => ann) }),
    'it is not of the form',
  ],
  [
    'two users whose names differ only in case',
    (path) => writeAccounts(path, { users: [ann, { ...ann, name: 'Ann', role: 'viewer' }] }),
    'it is not of the form',
  ],
  [
    'two tokens whose names differ only in case',
    (path) =>
      writeAccounts(path, { tokens: [testToken('bot', 'viewer', 'lmt_1'), testToken('Bot', 'viewer', 'lmt_2')] }),
    'it is not of the form',
  ],
  ['a folder', (path) => mkdir(path), 'it is not a file'],
  ['2 GB', sparseFile, 'it has 2000 MB, which is too large'],
];
const hostilePosix: typeof hostile = [
  ['a link', linkToUsers, 'it is a link'],
  [
    'a file that others may write',
    (path) => writeAccounts(path, { users: [ann] }).then(() => chmod(path, 0o622)),
    'other accounts may write to it',
  ],
];

async function sparseFile(path: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.truncate(2e9);
}

async function linkToUsers(path: string): Promise<void> {
  await writeAccounts(`${path}.other`, { users: [ann] });
  await symlink(`${path}.other`, path);
}

describe.each([...hostile, ...(isPosix ? hostilePosix : [])])('an invalid users file (%s)', (_name, make, reason) => {
  testInvalidUsersFile(make, reason);
});

it.skipIf(!isPosix || process.getuid?.() !== 0)(
  'changeAccounts gives a file written by root to the owner of its folder',
  async () => {
    await using folder = await makeTempFolder();
    const state = join(folder.path, 'state');
    await mkdir(state);
    await chown(state, 1234, 1234);
    await changeAccounts(join(state, 'users.json'), { kind: 'add user', name: 'ann', role: 'viewer', password });
    expect(await stat(join(state, 'users.json'))).toMatchObject({ uid: 1234, gid: 1234 });
    expect((await readAccounts(join(state, 'users.json'))).users).toHaveLength(1);
  },
);

it.skipIf(!isPosix || process.getuid?.() !== 0)(
  'readAccounts as root refuses a file that belongs neither to root nor to the owner of the folder',
  async () => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'users.json');
    await writeAccounts(path, { users: [ann] });
    await chown(path, 1234, 1234);
    await expect(readAccounts(path)).rejects.toThrow('it belongs to another account');
  },
);

describe.skipIf(!isPosix)('a list of users', () => {
  it.each<readonly [string, (path: string) => Promise<unknown>, string]>([
    ['that others may write to its file', (path) => chmod(path, 0o666), 'other accounts may write to it'],
    [
      'that its file is a link to the same file',
      (path) => rename(path, `${path}.other`).then(() => symlink(`${path}.other`, path)),
      'it is a link',
    ],
  ])('detects %s, although its content is the same', async (_name, change, reason) => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'users.json');
    await writeAccounts(path, { users: [ann] });
    const list = new AccountList(() => true, silentLog);
    try {
      await list.start(path);
      expect(list.findUser('ann')?.role).toBe('operator');
      await change(path);
      await list.refresh();
      expect(list.problem).toContain(reason);
      expect(list.findUser('ann')).toBeNull();
    } finally {
      list.stop();
    }
  });
});

it('a list of users is empty while remote access is off, and filled when it is switched on', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'users.json');
  await writeAccounts(path, { users: [ann] });
  let isEnabled = false;
  const list = new AccountList(() => isEnabled, silentLog);
  await list.start(path);
  expect(list.findUser('ann')).toBeNull();
  isEnabled = true;
  await vi.waitFor(() => expect(list.findUser('ann')?.role).toBe('operator'));
  list.stop();
});
