import { chmod, lstat, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../load/load.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';
import { SettingsWriteError, writeFailure } from '../load/settingsFile.ts';
import { writeSetting, type SettingChange } from './write.ts';

let folder: TempFolder;
let dir: string;
const file = () => join(dir, 'lab.settings.yaml');
const text = () => readFile(file(), 'utf8');

beforeEach(async () => {
  folder = await makeTempFolder();
  dir = join(folder.path, 'home/lab');
});
afterEach(() => folder.remove());

describe('writeSetting', () => {
  it.each<[string, string, Record<string, SettingChange>, string]>([
    ['an empty file', '', { listen_port: 8010 }, 'lab_listen_port: 8010\n'],
    ['an address has no prefix', '', { event_server_url: 'http://e:1' }, 'event_server_url: http://e:1\n'],
    ['none', '', { event_server_url: 'None' }, 'event_server_url: None\n'],
    [
      'the spelling that is there',
      'server_url: http://a # why\n',
      { server_url: 'http://b' },
      'server_url: http://b # why\n',
    ],
    [
      'the one that counts of two',
      'lab_verbose: no\nverbose: yes\n',
      { verbose: true },
      'lab_verbose: true\nverbose: yes\n',
    ],
    ['the last of equal keys', 'verbose: no\nverbose: no\n', { verbose: true }, 'verbose: no\nverbose: true\n'],
    [
      'comments and order',
      '# top\n\na: 1 # one\n# about b\nlab_verbose: false\nc: [1, 2]\n# end\n',
      { verbose: true },
      '# top\n\na: 1 # one\n# about b\nlab_verbose: true\nc: [1, 2]\n# end\n',
    ],
    ['quotes where needed', '', { manager_name: 'yes: no' }, 'lab_manager_name: "yes: no"\n'],
    ['text that looks like a number', '', { manager_name: '12' }, 'lab_manager_name: "12"\n'],
    [
      'a list',
      'lab_cors_allowed_origins: ["*"] # all\n',
      { cors_allowed_origins: ['http://a'] },
      'lab_cors_allowed_origins: [http://a] # all\n',
    ],
    ['removing', 'a: 1\n# about\nlab_verbose: true\nb: 2\n', { verbose: null }, 'a: 1\n# about\nb: 2\n'],
    ['removing the last line', '# top\n\nlab_verbose: true\n', { verbose: null }, '# top\n\n'],
    ['removing what is not there', 'a: 1\n', { verbose: null }, 'a: 1\n'],
    ['Windows line ends', '# c\r\na: 1\r\n', { verbose: true }, '# c\r\na: 1\r\nlab_verbose: true\r\n'],
    ['only comments', '# one\n# two\n', { verbose: true }, '# one\n# two\n\nlab_verbose: true\n'],
  ])('%s', async (_, before, changes, after) => {
    await folder.write({ 'home/lab/lab.settings.yaml': before });
    expect(await writeSetting(dir, changes)).toBe(file());
    expect(await text()).toBe(after);
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('creates the folder, and what it writes is read', async () => {
    const inputs = folder.inputs({ cwd: null });
    await writeSetting(inputs.userConfigDir, {
      server_url: 'http://a:1',
      cors_allowed_origins: ['*'],
      data_server_url: 'None',
    });
    const result = await loadSettings(inputs);
    expect(result.ok && [result.settings.serverUrl, result.settings.context.data_server_url]).toEqual([
      'http://a:1/',
      null,
    ]);
  });

  it('changes nothing by writing the same again', async () => {
    await folder.write({ 'home/lab/lab.settings.yaml': '# top\n\na: 1 # one\n\n# about b\nb: {c: [1]}\n# end\n' });
    await writeSetting(dir, { verbose: true });
    const once = await text();
    await writeSetting(dir, { verbose: false });
    await writeSetting(dir, { verbose: true });
    expect(await text()).toBe(once);
  });

  it('keeps the permissions, and a link stays a link', async () => {
    await folder.write({ 'real/mine.yaml': 'lab_verbose: false\n' });
    await chmod(join(folder.path, 'real/mine.yaml'), 0o646);
    await symlink('../../real/mine.yaml', file());
    expect(await writeSetting(dir, { verbose: true })).toBe(join(folder.path, 'real/mine.yaml'));
    expect((await lstat(file())).isSymbolicLink()).toBe(true);
    expect((await stat(file())).mode & 0o777).toBe(0o646);
    expect(await text()).toBe('lab_verbose: true\n');
  });

  it.each(['a: [\n', '- a\n', 'a: 1\n---\nb: 2\n'])('refuses a broken file and leaves it: %j', async (broken) => {
    await folder.write({ 'home/lab/lab.settings.yaml': broken });
    const error = await writeSetting(dir, { verbose: true }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SettingsWriteError);
    expect(error).toMatchObject({ reason: 'broken-file', path: file(), problems: [{ severity: 'error' }] });
    expect(await text()).toBe(broken);
  });

  it.each<[Record<string, SettingChange>, string]>([
    [{ server_url: 'localhost:8000' }, 'server_url'],
    [{ nonsense: 1 }, 'nonsense'],
    [{ lab_server_url: 'http://a' }, 'lab_server_url'],
    [{ verbose: true, listen_port: 70000 }, 'listen_port'],
  ])('refuses %j, and writes nothing', async (changes, key) => {
    await expect(writeSetting(dir, changes)).rejects.toMatchObject({ reason: 'invalid', problems: [{ key }] });
    expect(await readdir(dir)).toEqual([]);
  });

  it('says when the folder cannot be made', async () => {
    await folder.write({ 'home/taken': 'a file' });
    const error = { reason: 'not-writable', message: expect.stringContaining('a file is where the folder should be') };
    await expect(writeSetting(join(folder.path, 'home/taken'), { verbose: true })).rejects.toMatchObject(error);
    await expect(writeSetting(join(folder.path, 'home/taken/x'), { verbose: true })).rejects.toMatchObject(error);
  });

  it.each([
    ['ENOSPC', 'no-space'],
    ['EDQUOT', 'no-space'],
    ['EROFS', 'not-writable'],
    ['EACCES', 'not-writable'],
    ['EIO', 'failed'],
    [null, 'failed'],
  ])('%s is %s', (code, reason) => {
    expect(writeFailure(Object.assign(new Error(), { code })).reason).toBe(reason);
  });
});
