/** The search for settings files on Windows, with its paths and line endings. */
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runLabManager } from './labManager.ts';
import { makeFolder, profile, unixPath, writeFiles, type StartOptions } from './wine.ts';

const roaming = `${profile}\\AppData\\Roaming\\Lab Manager`;
const writtenFiles: string[] = [];
afterEach(() => {
  for (const path of writtenFiles.splice(0)) rmSync(unixPath(path), { force: true });
});

/** Writes files outside of a lab's own folder, which are removed after the test. */
function writeShared(files: Readonly<Record<string, string>>): void {
  writtenFiles.push(...Object.keys(files));
  writeFiles(files);
}

/** Returns one line of the table of settings. */
async function readLine(setting: string, args: readonly string[], options: StartOptions): Promise<string> {
  const { code, out } = await runLabManager(['--check-settings', ...args], options);
  expect(code, out).toBe(0);
  return out.split('\n').find((line) => line.startsWith(`${setting} `)) ?? out;
}

describe('settings files', () => {
  it('are found in the folders above the current one', async () => {
    const lab = makeFolder();
    writeFiles({ [`${lab}\\.env`]: 'LAB_MANAGER_NAME=Upwards\r\n', [`${lab}\\benches\\one\\notes.txt`]: '' });
    const line = await readLine('manager_name', [], { cwd: `${lab}\\benches\\one` });
    expect(line).toContain(`Upwards `);
    expect(line).toContain(`${lab}\\.env:1: LAB_MANAGER_NAME`);
  });

  it.each(['C:', 'D:'])('are found in the root of drive %s', async (drive) => {
    writeShared({ [`${drive}\\.env`]: 'LAB_MANAGER_NAME=Root\r\n' });
    writeFiles({ [`${drive}\\deep\\folder\\notes.txt`]: '' });
    for (const cwd of [drive, `${drive}\\deep\\folder`]) {
      const line = await readLine('manager_name', [], { cwd });
      expect(line).toContain(`Root `);
      expect(line).toContain(`${drive}\\.env:1: LAB_MANAGER_NAME`);
    }
  });

  it('of one drive do not apply to a folder on another', async () => {
    writeShared({ 'C:\\.env': 'LAB_MANAGER_NAME=Other Drive\n' });
    writeFiles({ 'D:\\lab\\notes.txt': '' });
    expect(await readLine('manager_name', [], { cwd: 'D:\\lab' })).toMatch(/None +default/);
  });

  it('are read from %APPDATA%\\Lab Manager', async () => {
    writeShared({ [`${roaming}\\lab.settings.yaml`]: 'manager_name: Profile\r\n' });
    const line = await readLine('manager_name', [], { cwd: makeFolder() });
    expect(line).toContain('Profile ');
    expect(line).toContain(`${roaming}\\lab.settings.yaml:1: manager_name`);
  });

  it.each([
    ['relative with backslashes', '..\\elsewhere'],
    ['relative with slashes', '../elsewhere'],
    ['with the letter of the current drive alone', 'C:..\\elsewhere'],
    ['from the root of the current drive', '\\elsewhere'],
  ])('are found in a folder that --settings-dir names %s', async (_name, path) => {
    const lab = makeFolder();
    const folder = path.startsWith('\\') ? 'C:\\elsewhere' : `${lab}\\elsewhere`;
    writeShared({ [`${folder}\\lab.settings.yaml`]: 'manager_name: Named\r\n' });
    writeFiles({ [`${lab}\\bench\\notes.txt`]: '' });
    const line = await readLine('manager_name', ['--settings-dir', path], { cwd: `${lab}\\bench` });
    expect(line).toContain(`${folder}\\lab.settings.yaml:1: manager_name`);
  });

  it('with Windows line endings have their values without them', async () => {
    const lab = makeFolder();
    writeFiles({
      [`${lab}\\.env`]: '# lab\r\nLAB_MANAGER_NAME="Bench 4"\r\nLAB_MANAGER_DESCRIPTION=Robots und Öfen \r\n',
      [`${lab}\\settings.yaml`]: '\ufeffevent_server_url: http://lab-pc:9001\r\ndata_server_url: None\r\n',
      [`${lab}\\lab.settings.toml`]: 'watch_interval = 7\r\n',
      [`${lab}\\settings.json`]: '{\r\n  "workcell_server_url": "http://lab-pc:9005"\r\n}\r\n',
    });
    const { code, out } = await runLabManager(['--check-settings'], { cwd: lab });
    expect(code, out).toBe(0);
    expect(out).toMatch(/^manager_name +Bench 4 {2}.*\.env:2:/m);
    expect(out).toMatch(/^manager_description +Robots und Öfen {2}.*\.env:3:/m);
    expect(out).toMatch(/^event_server_url +http:\/\/lab-pc:9001\/ .*settings\.yaml:1:/m);
    expect(out).toMatch(/^data_server_url +None .*settings\.yaml:2:/m);
    expect(out).toMatch(/^watch_interval +7 .*lab\.settings\.toml:1:/m);
    expect(out).toMatch(/^workcell_server_url +http:\/\/lab-pc:9005\/ .*settings\.json/m);
  });

  it.each([
    ['settings.yaml', 'a: 1\r\nevent_server_url: nonsense\r\n', 'settings.yaml:2'],
    ['.env', '# a\r\n# b\r\nLAB_VERBOSE=perhaps\r\n', '.env:3'],
    ['lab.settings.toml', 'watch_interval = 5\r\nb = \r\n', 'lab.settings.toml:2:'],
  ])('with Windows line endings are reported by file and line: %s', async (name, text, expected) => {
    const lab = makeFolder();
    writeFiles({ [`${lab}\\${name}`]: text });
    const { code, out } = await runLabManager(['--check-settings'], { cwd: lab });
    expect(code).toBe(2);
    expect(out).toContain(`${lab}\\${expected}`);
  });
});

it.each([
  ['C:\\ui files\\new', 'C:\\ui files\\new'],
  ['ui\\new', '<lab>\\ui\\new'],
  ['ui/new', '<lab>\\ui\\new'],
  ['~\\ui', '<profile>\\ui'],
  ['~/ui', '<profile>\\ui'],
  ['D:\\ui', 'D:\\ui'],
  ['\\\\server\\share\\ui', '\\\\server\\share\\ui'],
])('the path %s in a settings file leads to %s', async (text, expected) => {
  const lab = makeFolder();
  writeFiles({ [`${lab}\\lab.settings.yaml`]: `dashboard_files_path: ${text}\r\n` });
  const line = await readLine('dashboard_files_path', [], { cwd: lab });
  expect(line.split(/ {2,}/)[1]).toBe(expected.replace('<lab>', lab).replace('<profile>', profile));
});
