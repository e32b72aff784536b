import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../load/load.ts';
import { originWords, saveSettings } from './save.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';
import type { SettingsInputs } from '../schema/types.ts';

let folder: TempFolder | null = null;
afterEach(() => folder?.remove());

/** Settings files of a home with the lab's folder in it, which is where the search starts. */
async function inputsWith(files: Readonly<Record<string, string>>, more: Partial<SettingsInputs> = {}) {
  folder = await makeTempFolder(files);
  const lab = join(folder.path, 'home/lab');
  await mkdir(lab, { recursive: true });
  return { ...folder.inputs(more), cwd: null, labFolder: lab };
}

async function portOf(inputs: SettingsInputs): Promise<unknown> {
  const result = await loadSettings(inputs);
  return result.ok ? result.settings.listenPort : result.problems;
}

describe('saving settings', () => {
  it('goes into the lab folder’s own file where it has one, which ranks before the user’s', async () => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': '# ours\nlisten_port: 8000 # usual\n' });
    const path = await saveSettings(inputs, { listen_port: 8010 });
    expect(path).toBe(join(inputs.labFolder, 'lab.settings.yaml'));
    expect(await readFile(path, 'utf8')).toBe('# ours\nlisten_port: 8010 # usual\n');
    expect(await portOf(inputs)).toBe(8010);
  });

  it('goes into a new file of the lab folder, past a settings.yaml of lower rank there', async () => {
    const inputs = await inputsWith({ 'home/lab/settings.yaml': 'lab_listen_port: 8000\n' });
    const path = await saveSettings(inputs, { listen_port: '8010' });
    expect(path).toBe(join(inputs.labFolder, 'lab.settings.yaml'));
    expect(await portOf(inputs)).toBe(8010);
  });

  it('of this machine alone goes into the user’s file, of the lab into its folder', async () => {
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
    ['a variable', { env: { LAB_LISTEN_PORT: '8000' } }, {}, 'the environment variable LAB_LISTEN_PORT'],
    ['an option', { argv: ['--lab-listen-port=8000'] }, {}, 'the command line (--lab-listen-port)'],
    ['a file of higher rank', {}, { 'home/lab/.env': 'LAB_LISTEN_PORT=8000\n' }, '.env (line 1)'],
  ])('says what outranks it, and leaves nothing written: %s', async (_name, more, files, words) => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': 'manager_name: Bench\n', ...files }, more);
    await expect(saveSettings(inputs, { listen_port: '8010' })).rejects.toThrow(words);
    expect(await readFile(join(inputs.labFolder, 'lab.settings.yaml'), 'utf8')).toBe('manager_name: Bench\n');
    expect(await portOf(inputs)).toBe(8000);
  });

  it('leaves no file behind where there was none', async () => {
    const inputs = await inputsWith({}, { env: { LAB_LISTEN_PORT: '8000' } });
    await expect(saveSettings(inputs, { listen_port: '8010' })).rejects.toThrow('Change it there');
    await expect(readFile(join(inputs.userConfigDir, 'lab.settings.yaml'))).rejects.toThrow('ENOENT');
  });

  it('saves of one moment all arrive, also with one that is taken back between them', async () => {
    const inputs = await inputsWith({}, { env: { LAB_LOG_LEVEL: 'INFO' } });
    const [path, outranked] = await Promise.allSettled([
      saveSettings(inputs, { verbose: true }),
      saveSettings(inputs, { log_level: 'DEBUG' }),
      saveSettings(inputs, { listen_port: 1 }),
      saveSettings(inputs, { manager_name: 'x' }),
    ]);
    expect([path.status, outranked.status]).toEqual(['fulfilled', 'rejected']);
    const textIn = (dir: string) => readFile(join(dir, 'lab.settings.yaml'), 'utf8');
    expect(await textIn(inputs.labFolder)).toBe('lab_verbose: true\nlab_manager_name: x\n');
    expect(await textIn(inputs.userConfigDir)).toBe('lab_listen_port: 1\n');
  });

  it('can be done while the settings have errors', async () => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': 'log_level: LOUD\n' });
    await saveSettings(inputs, { log_level: 'INFO' });
    expect((await loadSettings(inputs)).ok).toBe(true);
  });

  it('tells beforehand where it will go', async () => {
    const inputs = await inputsWith({ 'home/lab/lab.settings.yaml': '' });
    const result = await loadSettings(inputs);
    const targets = result.ok ? result.targets : new Map();
    expect(targets.get('manager_name')).toBe(join(inputs.labFolder, 'lab.settings.yaml'));
    expect(targets.get('listen_port')).toBe(join(inputs.userConfigDir, 'lab.settings.yaml'));
  });
});

it.each([
  [{ source: 'default', name: null, path: null, line: null }, 'the default'],
  [{ source: 'json', name: 'x', path: '/lab/settings.json', line: null }, '/lab/settings.json'],
] as const)('%j in words', (origin, words) => {
  expect(originWords({ ...origin, file: null })).toBe(words);
});
