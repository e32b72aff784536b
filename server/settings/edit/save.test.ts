import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../load/load.ts';
import { writeFailure } from '../../storage/writeAccess.ts';
import { originText } from '#api/lab/settings.ts';
import type { EnteredValue } from './fields.ts';
import { saveSettings } from './save.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';
import type { SettingsInputs } from '../schema/types.ts';

let folder: TempFolder | null = null;
afterEach(() => folder?.remove());

/** Writes the settings files into a temporary home folder, whose `lab` folder is where the search starts. */
async function inputsWith(files: Readonly<Record<string, string>>, overrides: Partial<SettingsInputs> = {}) {
  folder = await makeTempFolder(files);
  const lab = join(folder.path, 'home/lab');
  await mkdir(lab, { recursive: true });
  return { ...folder.inputs(overrides), cwd: null, labFolder: lab };
}

async function loadPort(inputs: SettingsInputs): Promise<unknown> {
  const result = await loadSettings(inputs);
  return result.ok ? result.settings.listenPort : result.problems;
}

const labFile = ({ labFolder }: { readonly labFolder: string }) => join(labFolder, 'lab.settings.yaml');

describe('a saved setting', () => {
  it('is written to the settings file of the lab folder if it exists, because that file overrides the user’s', async () => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': '# ours\nlisten_port: 8000 # usual\n' });
    const path = await saveSettings(inputs, { listen_port: '8010' });
    expect(path).toBe(join(inputs.labFolder, 'lab.settings.yaml'));
    expect(await readFile(path, 'utf8')).toBe('# ours\nlisten_port: 8010 # usual\n');
    expect(await loadPort(inputs)).toBe(8010);
  });

  it.each(['settings.yaml', 'lab.settings.json', '.env'])('is written to the file that sets it: %s', async (name) => {
    const texts: Readonly<Record<string, string>> = {
      'settings.yaml': 'lab_listen_port: 8000\n',
      'lab.settings.json': '{"listen_port": 8000}\n',
      '.env': 'LAB_LISTEN_PORT=8000\n',
    };
    const text = texts[name] ?? '';
    const inputs = await inputsWith({ [`home/lab/${name}`]: text });
    const path = await saveSettings(inputs, { listen_port: '8010' });
    expect(path).toBe(join(inputs.labFolder, name));
    expect(await readFile(path, 'utf8')).toBe(text.replace('8000', '8010'));
    expect(await loadPort(inputs)).toBe(8010);
    expect(await readFile(`${path}.lab-manager.bak`, 'utf8')).toBe(text);
  });

  it('is written to the user’s file if it concerns this machine, and to the lab folder if it concerns the lab', async () => {
    const inputs = await inputsWith({});
    const user = join(inputs.userConfigDir, 'lab.settings.yaml');
    expect(await saveSettings(inputs, { listen_port: '8010' })).toBe(user);
    expect(await saveSettings(inputs, { listen_host: '127.0.0.1' })).toBe(user);
    expect(await saveSettings(inputs, { notify_webhook_url: 'https://hooks.example.org/secret' })).toBe(user);
    const lab = await saveSettings(inputs, { workcell_server_url: 'http://robot-pc:8005/' });
    expect(lab).toBe(join(inputs.labFolder, 'lab.settings.yaml'));
    expect(await readFile(lab, 'utf8')).toBe('workcell_server_url: http://robot-pc:8005/\n');
  });

  it.each([
    ['a variable', { env: { LAB_LISTEN_PORT: '8000' } }, 'the environment variable LAB_LISTEN_PORT'],
    ['an option', { argv: ['--lab-listen-port=8000'] }, 'the command line (--lab-listen-port)'],
  ])(
    'is rejected with the source that overrides it, and nothing is written: %s',
    async (_name, overrides, expected) => {
      const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': 'manager_name: Bench\n' }, overrides);
      await expect(saveSettings(inputs, { listen_port: '8010' })).rejects.toThrow(expected);
      expect(await readFile(join(inputs.labFolder, 'lab.settings.yaml'), 'utf8')).toBe('manager_name: Bench\n');
      expect(await loadPort(inputs)).toBe(8000);
    },
  );

  it('creates no file when another source overrides it', async () => {
    const inputs = await inputsWith({}, { env: { LAB_LISTEN_PORT: '8000' } });
    await expect(saveSettings(inputs, { listen_port: '8010' })).rejects.toThrow('Change the variable where it is set');
    await expect(readFile(join(inputs.userConfigDir, 'lab.settings.yaml'))).rejects.toThrow('ENOENT');
  });

  it('is not lost in concurrent saves, even if one of them is rejected', async () => {
    const inputs = await inputsWith({}, { env: { LAB_LOG_LEVEL: 'INFO' } });
    const [saved, rejected] = await Promise.allSettled([
      saveSettings(inputs, { verbose: 'true' }),
      saveSettings(inputs, { log_level: 'DEBUG' }),
      saveSettings(inputs, { listen_port: '1' }),
      saveSettings(inputs, { manager_name: 'x' }),
    ]);
    expect([saved.status, rejected.status]).toEqual(['fulfilled', 'rejected']);
    const textIn = (dir: string) => readFile(join(dir, 'lab.settings.yaml'), 'utf8');
    expect(await textIn(inputs.labFolder)).toBe('lab_verbose: true\nlab_manager_name: x\n');
    expect(await textIn(inputs.userConfigDir)).toBe('lab_listen_port: 1\n');
  });

  it('can be saved while the settings have errors', async () => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': 'log_level: LOUD\n' });
    await saveSettings(inputs, { log_level: 'INFO' });
    expect((await loadSettings(inputs)).ok).toBe(true);
  });

  it('has a target file that is known before it is saved', async () => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': '' });
    const result = await loadSettings(inputs);
    const targets = result.ok ? result.targets : new Map();
    expect(targets.get('manager_name')).toBe(join(inputs.labFolder, 'lab.settings.yaml'));
    expect(targets.get('listen_port')).toBe(join(inputs.userConfigDir, 'lab.settings.yaml'));
  });
});

describe('the text of a saved file', () => {
  it.each<[string, string, Record<string, EnteredValue>, string]>([
    ['an empty file', '', { watch_interval: '7' }, 'lab_watch_interval: 7\n'],
    ['an address, whose key has no prefix', '', { event_server_url: 'http://e:1' }, 'event_server_url: http://e:1\n'],
    ['the value none', '', { event_server_url: 'None' }, 'event_server_url: None\n'],
    [
      'the existing spelling',
      'server_url: http://a # why\n',
      { server_url: 'http://b' },
      'server_url: http://b # why\n',
    ],
    [
      'the effective one of two keys',
      'lab_verbose: no\nverbose: yes\n',
      { verbose: 'true' },
      'lab_verbose: true\nverbose: yes\n',
    ],
    ['the last of equal keys', 'verbose: no\nverbose: no\n', { verbose: 'true' }, 'verbose: no\nverbose: true\n'],
    [
      'comments and order',
      '# top\n\na: 1 # one\n# about b\nlab_verbose: false\nc: [1, 2]\n# end\n',
      { verbose: 'true' },
      '# top\n\na: 1 # one\n# about b\nlab_verbose: true\nc: [1, 2]\n# end\n',
    ],
    ['necessary quotes', '', { manager_name: 'yes: no' }, 'lab_manager_name: "yes: no"\n'],
    ['text that looks like a number', '', { manager_name: '12' }, 'lab_manager_name: "12"\n'],
    [
      'a list',
      'lab_cors_allowed_origins: ["*"] # all\n',
      { cors_allowed_origins: ['http://a'] },
      'lab_cors_allowed_origins: [http://a] # all\n',
    ],
    ['a removal', 'a: 1\n# about\nlab_verbose: true\nb: 2\n', { verbose: null }, 'a: 1\n# about\nb: 2\n'],
    ['a removal of the last line', '# top\n\nlab_verbose: true\n', { verbose: null }, '# top\n\n'],
    ['a removal of a missing key', 'a: 1\n', { verbose: null }, 'a: 1\n'],
    ['Windows line ends', '# c\r\na: 1\r\n', { verbose: 'true' }, '# c\r\na: 1\r\nlab_verbose: true\r\n'],
    ['a file of comments', '# one\n# two\n', { verbose: 'true' }, '# one\n# two\n\nlab_verbose: true\n'],
  ])('is correct for %s', async (_, before, changes, after) => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': before });
    const file = labFile(inputs);
    expect(await saveSettings(inputs, changes)).toBe(file);
    expect(await readFile(file, 'utf8')).toBe(after);
    expect((await readdir(inputs.labFolder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is created with its folder and can be read', async () => {
    const { labFolder: _none, ...inputs } = await inputsWith({});
    const changes = { server_url: 'http://a:1', cors_allowed_origins: ['*'], data_server_url: 'None' };
    const path = await saveSettings(inputs, changes);
    expect(path).toBe(join(inputs.userConfigDir, 'lab.settings.yaml'));
    const result = await loadSettings(inputs);
    expect(result.ok && [result.settings.serverUrl, result.settings.context.data_server_url]).toEqual([
      'http://a:1/',
      null,
    ]);
  });

  it('is unchanged when the same value is written again', async () => {
    const before = '# top\n\na: 1 # one\n\n# about b\nb: {c: [1]}\n# end\n';
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': before });
    await saveSettings(inputs, { verbose: 'true' });
    const once = await readFile(labFile(inputs), 'utf8');
    await saveSettings(inputs, { verbose: 'false' });
    await saveSettings(inputs, { verbose: 'true' });
    expect(await saveSettings(inputs, { verbose: 'true' })).toBe(labFile(inputs));
    expect(await readFile(labFile(inputs), 'utf8')).toBe(once);
  });

  it.skipIf(process.platform === 'win32')('is readable only by its owner in a new file of the user', async () => {
    const { labFolder: _none, ...inputs } = await inputsWith({});
    const path = await saveSettings(inputs, { verbose: 'true' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  // On Windows, only administrators can create symbolic links.
  it.skipIf(process.platform === 'win32')('keeps its permissions and its symbolic link', async () => {
    const inputs = await inputsWith({ 'real/mine.yaml': 'lab_verbose: false\n' });
    const real = join(inputs.homeDir, '../real/mine.yaml');
    await chmod(real, 0o646);
    await symlink('../../real/mine.yaml', labFile(inputs));
    expect(await saveSettings(inputs, { verbose: 'true' })).toBe(real);
    expect((await lstat(labFile(inputs))).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o646);
    expect(await readFile(real, 'utf8')).toBe('lab_verbose: true\n');
  });

  it.each(['a: [\n', '- a\n', 'a: 1\n---\nb: 2\n'])('is unchanged if it cannot be parsed: %j', async (broken) => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': broken });
    await expect(saveSettings(inputs, { verbose: 'true' })).rejects.toThrow(`${labFile(inputs)} can’t be changed here`);
    expect(await readFile(labFile(inputs), 'utf8')).toBe(broken);
  });

  it.each<[Record<string, EnteredValue>, string]>([
    [{ server_url: 'localhost:8000' }, 'The value has no scheme'],
    [{ nonsense: '1' }, 'There is no setting nonsense'],
    [{ lab_server_url: 'http://a' }, 'It is allowed only in context.* files.'],
    [{ verbose: 'true', listen_port: '70000' }, 'Allowed: a whole number from 0 to 65535'],
  ])('is not written for %j', async (changes, reason) => {
    const inputs = await inputsWith({});
    await expect(saveSettings(inputs, changes)).rejects.toThrow(reason);
    expect(await readdir(inputs.labFolder)).toEqual([]);
  });

  it('is not written when the folder can’t be created', async () => {
    const { labFolder: _none, ...inputs } = await inputsWith({ 'home/file': 'a file' });
    for (const userConfigDir of ['file', 'file/x'].map((name) => join(inputs.homeDir, name)))
      await expect(saveSettings({ ...inputs, userConfigDir }, { verbose: 'true' })).rejects.toThrow(
        'a file exists in place of the folder',
      );
  });

  it.each([
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'the disk is full'],
    ['EROFS', 'the disk is read-only'],
    ['ENOENT', 'the folder can’t be created there, as on a read-only disk'],
    ['EACCES', 'writing there is not permitted'],
    ['EIO', 'the system reports EIO'],
    [null, 'the system reports no reason'],
  ])('writeFailure of %s is %s', (code, reason) => {
    expect(writeFailure(Object.assign(new Error(), { code }))).toBe(reason);
  });
});

it.each([
  [{ source: 'default', name: null, path: null, line: null }, 'the default'],
  [{ source: 'json', name: 'x', path: '/lab/settings.json', line: null }, '/lab/settings.json'],
] as const)('originText describes %j', (origin, expected) => {
  expect(originText(origin)).toBe(expected);
});
