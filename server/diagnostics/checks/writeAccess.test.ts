import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTempFolder } from '../../fixtures/tempFolder.ts';
import { currentAccount, failedWriteText, findWriteRefusal, permitText } from '../../storage/writeAccess.ts';
import { writeAccess, writeAccessFinding } from './writeAccess.ts';
import type { CheckContext } from './check.ts';

/** No account of a system has this number. */
const stranger = { uid: 54_321, gid: 54_321 };

describe.skipIf(process.platform === 'win32')('the check of write access', () => {
  const createContext = (path: string, account: CheckContext['account']): CheckContext => ({
    lab: null,
    settingsProblems: [],
    settingsFiles: [],
    containsSecrets: false,
    folders: [
      { use: 'settings', path: '/' },
      { use: 'state', path: join(path, 'lab', 'state') },
      { use: 'log', path: join(path, 'lab', 'logs') },
    ],
    registryFolder: join(path, 'lab'),
    account,
    health: () => Promise.reject(new Error('no manager')),
    app: null,
  });

  it('finds no problem for the account that owns the folders', async () => {
    await using folder = await makeTempFolder({ 'lab/state/history-8000.jsonl': '' });
    const finding = await writeAccess.run(createContext(folder.path, currentAccount()), AbortSignal.timeout(5000));
    expect(finding).toMatchObject({ result: 'ok' });
  });

  it('names each folder that another account can’t write, its owner, and the commands', async () => {
    await using folder = await makeTempFolder({ 'lab/state/': '' });
    await chmod(folder.path, 0o755);
    const lab = join(folder.path, 'lab');
    const owner = currentAccount()?.uid;
    const { result, what, whatToDo } = await writeAccess.run(
      createContext(folder.path, stranger),
      AbortSignal.timeout(5000),
    );
    expect(result).toBe('problem');
    expect(what).toContain('runs as user 54321, ');
    expect(what).toMatch(new RegExp(`state \\(${lab}/state: ${lab}/state belongs to user .*\\(${owner}\\)\\);`));
    expect(what).toMatch(new RegExp(`log \\(${lab}/logs: ${lab} belongs to .*ID registry \\(${lab}: `));
    expect(whatToDo).toContain(`sudo chown 54321:54321 ${lab}/state`);
    expect(whatToDo).toContain(`sudo install -d -m 0700 -o 54321 -g 54321 ${lab}/logs`);
  });

  it('reports a file of another account in a folder that can be written', async () => {
    await using folder = await makeTempFolder({ 'state/history-8000.jsonl': '', 'state/notes.txt': '' });
    const state = join(folder.path, 'state');
    await chmod(state, 0o777);
    expect(await findWriteRefusal(state, stranger)).toMatchObject({ blockingPath: join(state, 'history-8000.jsonl') });
    await chmod(join(state, 'history-8000.jsonl'), 0o666);
    expect(await findWriteRefusal(state, stranger)).toBeNull();
  });

  it('reports a read-only disk without a command that would not help', async () => {
    const refusal = { use: 'state', folder: '/state', blockingPath: '/state', owner: 0, isReadOnly: true };
    const { what, whatToDo } = await writeAccessFinding([refusal], stranger);
    expect(what).toContain('the disk of /state is read-only');
    expect(whatToDo).not.toContain('chown');
  });

  it('names the account by its numbers where the system has no shell, as in a container', () => {
    const refusal = { folder: '/state', blockingPath: '/state', owner: 0, isReadOnly: false };
    expect(permitText([refusal], { uid: 10_001, gid: 10_001 }, false)).toContain('sudo chown -R 10001:10001 FOLDER');
  });

  it('names the reason of a failed write for which permissions are not the cause', async () => {
    expect(await failedWriteText('/state/users.json', Object.assign(new Error(), { code: 'ENOSPC' }))).toBe(
      "/state/users.json can't be written: the disk is full",
    );
  });
});
