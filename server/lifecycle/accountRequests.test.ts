import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountsReply, type AccountsReply, type AccountsRequest } from '../access/accountMessages.ts';
import { hashToken } from '../access/users.ts';
import { readAccounts } from '../access/usersFile.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { testUser, writeAccounts } from '../fixtures/testUsers.ts';
import { silentLog } from '../logging/log.ts';
import { stateDir } from '../storage/installation.ts';
import { handleAccountsRequest } from './accountRequests.ts';

let folder: TempFolder;
let logged: string[];
beforeEach(async () => {
  folder = await makeTempFolder();
  logged = [];
});
afterEach(() => folder.remove());

const stateHome = () => ({ LOCALAPPDATA: join(folder.path, 'state'), XDG_STATE_HOME: join(folder.path, 'state') });
const getFile = (port: number) =>
  join(stateDir(process.platform, stateHome(), join(folder.path, 'home')), `users-${port}.json`);

async function handle(request: AccountsRequest, env: Readonly<Record<string, string>> = {}, port?: number) {
  const inputs = folder.inputs({ env: { ...stateHome(), ...env } });
  const log = { ...silentLog, info: (text: string) => void logged.push(text) };
  return accountsReply.parse(await handleAccountsRequest({ inputs, port: port ?? null, log }, request));
}

/** The reply to an accepted request. */
function accepted(reply: AccountsReply): Extract<AccountsReply, { ok: true }> {
  if (!reply.ok) throw new Error(reply.problem);
  return reply;
}

const addAnn = { kind: 'add-user', name: 'ann', role: 'operator', password: 'a long password' } as const;

describe('requests of the Settings window about accounts', () => {
  it('return the accounts without hashes, even while remote access is off', async () => {
    expect(accepted(await handle({ kind: 'list' }))).toEqual({
      ok: true,
      view: { remoteAccess: 'off', file: getFile(8000), users: [], tokens: [] },
      token: null,
    });
    await handle(addAnn);
    await handle({ ...addAnn, name: 'Aaron', role: 'viewer' });
    const { view } = accepted(await handle({ kind: 'list' }, { LAB_REMOTE_ACCESS: 'operate' }));
    expect(view).toMatchObject({ remoteAccess: 'operate' });
    expect(view.users.map(({ name, role }) => `${name} ${role}`)).toEqual(['Aaron viewer', 'ann operator']);
    expect(JSON.stringify(view)).not.toContain('scrypt');
  });

  it('change accounts, and log one line without a password for each change', async () => {
    await handle(addAnn);
    await handle({ kind: 'set-role', name: 'ann', role: 'administrator' });
    const [before] = (await readAccounts(getFile(8000))).users;
    await handle({ kind: 'set-password', name: 'ann', password: 'another password' });
    const [after] = (await readAccounts(getFile(8000))).users;
    expect(after).toMatchObject({ name: 'ann', role: 'administrator' });
    expect(after?.password).not.toBe(before?.password);
    expect(accepted(await handle({ kind: 'remove-user', name: 'ann' })).view.users).toEqual([]);
    expect(logged).toEqual([
      'The app added the user “ann” as operator',
      'The app gave the user “ann” the role administrator',
      'The app set a new password for the user “ann”',
      'The app removed the user “ann”',
    ]);
  });

  it('return the text of a created token once, and store only its hash', async () => {
    const { token, view } = accepted(await handle({ kind: 'create-token', name: 'robot', role: 'viewer' }));
    expect(token).toMatch(/^lmt_[\w-]{43}$/);
    expect(view.tokens).toMatchObject([{ name: 'robot', role: 'viewer' }]);
    expect((await readAccounts(getFile(8000))).tokens[0]?.hash).toBe(hashToken(token ?? ''));
    expect(JSON.stringify([await handle({ kind: 'list' }), logged])).not.toContain(token);
    expect(accepted(await handle({ kind: 'revoke-token', name: 'robot' })).view.tokens).toEqual([]);
  });

  it.each<readonly [string, AccountsRequest, string, string]>([
    ['a taken name', { ...addAnn, name: 'Ann' }, 'There is a user “ann” already', 'name'],
    ['an invalid name', { ...addAnn, name: 'a/b' }, '“a/b” is not a valid name. Expected: a letter or digit', 'name'],
    ['an unknown user', { kind: 'set-role', name: 'bob', role: 'viewer' }, 'There is no user “bob”', 'name'],
    ['a short password', { ...addAnn, name: 'bob', password: 'short' }, 'The password has 5 characters', 'password'],
    [
      'a short new password',
      { kind: 'set-password', name: 'ann', password: '' },
      'The password has 0 characters; use at least 10',
      'password',
    ],
  ])(
    'are refused with %s: the reply contains the reason, and the file is unchanged',
    async (_name, request, problem, field) => {
      await writeAccounts(getFile(8000), { users: [testUser('ann', 'viewer', 'a long password')] });
      const before = await readFile(getFile(8000), 'utf8');
      expect(await handle(request)).toEqual({ ok: false, problem: expect.stringContaining(problem), field });
      expect(await readFile(getFile(8000), 'utf8')).toBe(before);
      expect(logged).toEqual([]);
    },
  );

  it.skipIf(process.platform === 'win32')('do not read a file that other accounts may write', async () => {
    await writeAccounts(getFile(8000), {});
    await chmod(getFile(8000), 0o666);
    const reason = `${getFile(8000)} can't be read: other accounts may write to it; check its content, then run chmod 600`;
    await expect(handle({ kind: 'list' })).rejects.toThrow(reason);
    await expect(handle(addAnn)).rejects.toThrow(reason);
  });

  it('use the accounts of the running service’s port, or else of the port in the settings', async () => {
    const env = { LAB_LISTEN_PORT: '8123' };
    expect(accepted(await handle({ kind: 'list' }, env)).view.file).toBe(getFile(8123));
    expect(accepted(await handle({ kind: 'list' }, env, 8456)).view.file).toBe(getFile(8456));
  });

  it('fail while the settings have errors', async () => {
    await expect(handle({ kind: 'list' }, { LAB_LOG_LEVEL: 'LOUD' })).rejects.toThrow('correct them first');
  });
});
