/** The installer on Windows: files, registry, Start menu, firewall and login item after each of its operations. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../build/windows/names.mjs';
import { appId } from '../../electron/folders/appId.ts';
import { pickFreePort } from '../support/managers.ts';
import { sendRequest } from '../support/rawRequest.ts';
import {
  appLog,
  exists,
  listFilesOnDisk,
  readFirewallChanges,
  installKey,
  makeInstaller,
  makeServiceInstaller,
  perMachine,
  perUser,
  program,
  readLog,
  recordFirewall,
  readRegistryKey,
  run,
  type Scope,
  setRegistryValue,
  startInstaller,
  uninstall,
  uninstallKey,
} from './installation.ts';
import {
  profile,
  startProgram,
  unixPath,
  waitForOutput,
  useNewPrefix,
  type WindowsProgram,
  writeFiles,
} from './wine.ts';

const loginItems = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';
const dataFiles = [
  `${profile}\\AppData\\Roaming\\Lab Manager\\lab.settings.yaml`,
  `${profile}\\AppData\\Local\\Lab Manager\\history-8000.jsonl`,
  `${profile}\\.madsci\\logs\\lab-manager.log`,
];
const otherProgramsFile = `${profile}\\.madsci\\registry.json`;

useNewPrefix();
let older = '';
let newer = '';
let service = '';
let filesBefore: readonly string[] = [];
const programs: WindowsProgram[] = [];

beforeAll(async () => {
  recordFirewall();
  older = await makeInstaller('0.0.9', { 'resources/removed.txt': 'old', 'resources/changed.txt': 'old' });
  newer = await makeInstaller('0.1.0', { 'resources/added.txt': 'new', 'resources/changed.txt': 'new' });
  writeFiles({ [otherProgramsFile]: '{}' });
  service = await makeServiceInstaller('0.1.0');
  // Windows has this folder for the programs of a user.
  mkdirSync(dirname(unixPath(perUser.folder)), { recursive: true });
  filesBefore = listFilesOnDisk();
});

afterEach(async () => {
  for (const process of programs.splice(0)) {
    process.kill();
    await process.exitCode;
  }
  for (const scope of [perUser, perMachine]) if (exists(`${scope.folder}\\Uninstall ${program}`)) await remove(scope);
  for (const path of [...dataFiles, 'C:\\ignore-quit', appLog]) rmSync(unixPath(path), { force: true });
  readFirewallChanges();
});

/** Uninstalls the app, and waits until it is removed. */
async function remove(scope: Scope, ...options: readonly string[]): Promise<void> {
  await uninstall(scope, ...options);
  await expect.poll(() => exists(scope.folder)).toBe(false);
  await expect.poll(() => readRegistryKey(`${scope.root}\\${uninstallKey}`)).toBeNull();
}

function writeData(): void {
  writeFiles(Object.fromEntries(dataFiles.map((path) => [path, 'mine'])));
}

const listFiles = (folder: string) => readdirSync(unixPath(folder)).toSorted();
const listDataOnDisk = () => dataFiles.filter(exists);

/** Starts the installed program, and waits until it runs. */
async function startInstalled(scope: Scope): Promise<WindowsProgram> {
  const started = startProgram([`${scope.folder}\\${program}`, '--hidden']);
  programs.push(started);
  await expect.poll(() => readLog(appLog)).toContain('--hidden');
  return started;
}

function expectInstalled(scope: Scope, version: string): void {
  const values = readRegistryKey(`${scope.root}\\${uninstallKey}`);
  expect(values).toMatchObject({
    DisplayName: 'Lab Manager',
    DisplayVersion: version,
    Publisher: 'The Lab Manager authors',
    UninstallString: `"${scope.folder}\\Uninstall ${program}" ${scope.option}`,
    QuietUninstallString: `"${scope.folder}\\Uninstall ${program}" ${scope.option} /S`,
  });
  expect(exists(`${scope.folder}\\${program}`)).toBe(true);
}

const firewallRule = (scope: Scope) => ({
  added:
    'advfirewall firewall add rule name="Lab Manager" dir=in action=allow ' +
    `program="${scope.folder}\\${program}" protocol=TCP profile=private`,
  deleted: `advfirewall firewall delete rule name="Lab Manager" program="${scope.folder}\\${program}"`,
});

const readLoginItem = () => readRegistryKey(loginItems)?.[appId];

describe.each([
  ['one user', perUser],
  ['all users', perMachine],
])('an installation for %s', (_name, scope) => {
  it('has files, an entry in the list of apps and a shortcut, and leaves nothing when it is removed', async () => {
    const install = startInstaller(newer, ['/S', scope.option], { WINEDEBUG: '-all,+shell' });
    expect(await install.exitCode).toBe(0);
    expectInstalled(scope, '0.1.0');
    expect(exists(`${scope.folder}\\resources\\added.txt`)).toBe(true);
    // Wine accepts the app's ID in the shortcut, but does not store it.
    const id =
      /fnLoad .*Lab Manager\.lnk[^]*propertystore_SetValue[^]*propertystore_Commit[^]*fnSave.*Lab Manager\.lnk/;
    expect(id.test(install.output())).toBe(true);
    const shortcut = readFileSync(unixPath(scope.shortcut));
    expect(shortcut.includes(Buffer.from(`${scope.folder}\\${program}`, 'utf16le'))).toBe(true);
    await remove(scope);
    expect(listFilesOnDisk()).toEqual(filesBefore);
    expect(readRegistryKey(`${scope.root}\\${installKey}`)).toBeNull();
  });

  it('is updated: the files of the older version are removed, settings, history and login item stay', async () => {
    await run(older, '/S', scope.option);
    writeData();
    const item = `"${scope.folder}\\${program}" --hidden`;
    setRegistryValue(loginItems, appId, item);
    // Without a scope, as the app starts its update.
    expect(await run(newer, '/S', '--updated')).toBe(0);
    expectInstalled(scope, '0.1.0');
    expect(exists(`${scope.folder}\\resources\\removed.txt`)).toBe(false);
    expect(exists(`${scope.folder}.replaced-by-update`)).toBe(false);
    expect(readFileSync(unixPath(`${scope.folder}\\resources\\changed.txt`), 'utf8')).toBe('new');
    expect([listDataOnDisk(), readLoginItem()]).toEqual([dataFiles, item]);
    await remove(scope);
    expect([listDataOnDisk(), readLoginItem()]).toEqual([dataFiles, undefined]);
  });

  it('removes settings, history and logs with --delete-app-data', async () => {
    await run(newer, '/S', scope.option);
    writeData();
    await remove(scope, '--delete-app-data');
    await expect.poll(listFilesOnDisk).toEqual(filesBefore);
    expect(exists(otherProgramsFile)).toBe(true);
  });
});

describe('the firewall rule', () => {
  it('is added for private networks by an installation for all users, and removed with it', async () => {
    await run(older, '/S', perMachine.option);
    expect(readFirewallChanges()).toEqual([firewallRule(perMachine).deleted, firewallRule(perMachine).added]);
    await run(newer, '/S');
    expect(readFirewallChanges()).toEqual([firewallRule(perMachine).deleted, firewallRule(perMachine).added]);
    await remove(perMachine);
    expect(readFirewallChanges()).toEqual([firewallRule(perMachine).deleted]);
  });

  it('of the installation for all users stays when a user removes a copy for one user', async () => {
    await run(newer, '/S', perMachine.option);
    readFirewallChanges();
    await run(newer, '/S', perUser.option);
    await remove(perUser);
    expect(readFirewallChanges()).toEqual([]);
    expectInstalled(perMachine, '0.1.0');
    expect(exists(perMachine.shortcut)).toBe(true);
  });
});

it('an installation for all users replaces the copy of the user, whose login item then starts it', async () => {
  await run(older, '/S', perUser.option);
  setRegistryValue(loginItems, appId, `"${perUser.folder}\\${program}" --hidden`);
  expect(await run(newer, '/S', perMachine.option)).toBe(0);
  expect([exists(perUser.folder), exists(perUser.shortcut)]).toEqual([false, false]);
  expect(readRegistryKey(`HKCU\\${uninstallKey}`)).toBeNull();
  expect(readLoginItem()).toBe(`"${perMachine.folder}\\${program}" --hidden`);
});

it('a login item of another copy stays', async () => {
  const otherCommand = '"D:\\portable\\Lab Manager.exe"';
  await run(newer, '/S', perUser.option);
  setRegistryValue(loginItems, appId, otherCommand);
  await remove(perUser);
  expect(readLoginItem()).toBe(otherCommand);
});

describe('while the app runs', () => {
  it('an update quits the app first', async () => {
    await run(older, '/S', perUser.option);
    const app = await startInstalled(perUser);
    expect(await run(newer, '/S')).toBe(0);
    await app.exitCode;
    expect(readLog(appLog)).toEqual(['--hidden', '--quit', 'ended']);
    expectInstalled(perUser, '0.1.0');
  });

  it('an update terminates an app that does not quit', async () => {
    writeFiles({ 'C:\\ignore-quit': '' });
    await run(older, '/S', perUser.option);
    const app = await startInstalled(perUser);
    expect(await run(newer, '/S')).toBe(0);
    await app.exitCode;
    expect(readLog(appLog)).toEqual(['--hidden', '--quit']);
    expectInstalled(perUser, '0.1.0');
  });

  it('the removal of an installation quits the app first', async () => {
    await run(newer, '/S', perUser.option);
    const app = await startInstalled(perUser);
    await remove(perUser);
    await app.exitCode;
    expect(readLog(appLog)).toEqual(['--hidden', '--quit', 'ended']);
  });
});

it('an update that the app starts quits the app and starts it again', async () => {
  await run(older, '/S', perUser.option);
  await startInstalled(perUser);
  expect(await run(newer, '/S', '--updated', '--force-run')).toBe(0);
  // The start by the shortcut has no arguments.
  await expect
    .poll(() => readFileSync(unixPath(appLog), 'utf8').split('\r\n'))
    .toEqual(['--hidden', '--quit', 'ended', '', '']);
  expectInstalled(perUser, '0.1.0');
});

it('an update fails without a change if the folder of the older version cannot be renamed', async () => {
  await run(older, '/S', perUser.option);
  const obstacle = `${perUser.folder}.replaced-by-update`;
  writeFiles({ [obstacle]: '' });
  expect(await run(newer, '/S')).toBe(exitCodes.EXIT_RUNNING);
  rmSync(unixPath(obstacle));
  expectInstalled(perUser, '0.0.9');
  expect(exists(`${perUser.folder}\\resources\\removed.txt`)).toBe(true);
});

it('a folder with other files is refused, and stays as it is', async () => {
  writeFiles({ 'C:\\lab-files\\settings.yaml': 'mine' });
  expect(await run(newer, '/S', perUser.option, '/D=C:\\lab-files')).toBe(exitCodes.EXIT_OTHER_FILES);
  expect(listFiles('C:\\lab-files')).toEqual(['settings.yaml']);
  expect(readRegistryKey(`HKCU\\${uninstallKey}`)).toBeNull();
});

it('a copied uninstaller removes nothing', async () => {
  await run(newer, '/S', perUser.option);
  cpSync(unixPath(`${perUser.folder}\\Uninstall ${program}`), unixPath('C:\\lab-files\\Uninstall.exe'));
  expect(await run('C:\\lab-files\\Uninstall.exe', '/S', '_?=C:\\lab-files')).toBe(exitCodes.EXIT_OTHER_FILES);
  expect(listFiles('C:\\lab-files')).toEqual(['Uninstall.exe', 'settings.yaml']);
  expectInstalled(perUser, '0.1.0');
});

it('the service runs from the installed folder, and an update ends it and frees its port', async () => {
  expect(await run(service, '/S', perUser.option)).toBe(0);
  const port = await pickFreePort();
  const main = `${perUser.folder}\\resources\\app\\dist\\server\\main.js`;
  const running = startProgram([`${perUser.folder}\\${program}`, main, `--lab-listen-port=${port}`]);
  programs.push(running);
  await waitForOutput(running, / at http:\/\/127\.0\.0\.1:\d+\/ \(log/);
  expect((await sendRequest(port, '/health')).status).toBe(200);
  expect(await run(service, '/S')).toBe(0);
  await running.exitCode;
  await expect(sendRequest(port, '/health')).rejects.toThrow('ECONNREFUSED');
  await remove(perUser, '--delete-app-data');
  expect(exists(`${profile}\\AppData\\Local\\Lab Manager`)).toBe(false);
});
