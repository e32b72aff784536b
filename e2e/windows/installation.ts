/** Creates and runs installers for the tests, and reads the files and registry keys that they leave on Windows. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildWindowsInstaller } from '../../build/package/windowsInstaller.mjs';
import { wineEnvironment } from '../../build/setup/winePrefix.mjs';
import { windowsNames } from '../../build/windows/names.mjs';
import { repository } from '../support/service.ts';
import { productFiles } from './globalSetup.ts';
import { profile, startProgram, unixPath, winePrefix, type WindowsProgram } from './wine.ts';

export const program = `${windowsNames.program}.exe`;
const uninstaller = `Uninstall ${program}`;

/** An installation for one user, or for all users of the machine. */
export interface Scope {
  readonly option: '/currentuser' | '/allusers';
  readonly folder: string;
  /** The root key in the registry. */
  readonly root: 'HKCU' | 'HKLM';
  readonly shortcut: string;
}

const startMenu = 'Microsoft\\Windows\\Start Menu\\Programs';
export const perUser: Scope = {
  option: '/currentuser',
  folder: `${profile}\\AppData\\Local\\Programs\\Lab Manager`,
  root: 'HKCU',
  shortcut: `${profile}\\AppData\\Roaming\\${startMenu}\\Lab Manager.lnk`,
};
export const perMachine: Scope = {
  option: '/allusers',
  folder: 'C:\\Program Files\\Lab Manager',
  root: 'HKLM',
  shortcut: `C:\\ProgramData\\${startMenu}\\Lab Manager.lnk`,
};

export const installKey = `Software\\${windowsNames.guid}`;
export const uninstallKey = `Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${windowsNames.guid}`;

/** The logs of the command lines that the recorders in place of the app and of netsh received. */
export const appLog = 'C:\\app-log.txt';
const netshLog = 'C:\\netsh-log.txt';

/** Compiles a program that writes its command line to a log. */
function compileRecorder(file: string, log: string, isApp: boolean): void {
  const definitions = [`-DOUT_FILE=${file}`, `-DLOG=${log}`, ...(isApp ? ['-DIS_APP'] : [])];
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('makensis', ['-V1', ...definitions, join(import.meta.dirname, 'recorder.nsi')]);
}

/** Starts a program with the recorder in place of Wine's own netsh. */
export function startInstaller(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): WindowsProgram {
  const overrides = `${wineEnvironment(winePrefix())['WINEDLLOVERRIDES']};netsh.exe=n`;
  return startProgram([file, ...args], { env: { WINEDLLOVERRIDES: overrides, ...env } });
}

/** Replaces netsh by a program that records the changes to the firewall. */
export function recordFirewall(): void {
  const file = unixPath('C:\\windows\\system32\\netsh.exe');
  rmSync(file);
  compileRecorder(file, netshLog, false);
}

/** Returns the recorded changes to the firewall since the last call. */
export function readFirewallChanges(): readonly string[] {
  const lines = readLog(netshLog);
  rmSync(unixPath(netshLog), { force: true });
  return lines;
}

export function readLog(path: string): readonly string[] {
  if (!existsSync(unixPath(path))) return [];
  return readFileSync(unixPath(path), 'utf8')
    .split('\r\n')
    .filter((line) => line !== '');
}

/** Creates an installer of an app that consists of a recorder and these files. @returns its path on this system */
export async function makeInstaller(version: string, files: Readonly<Record<string, string>>): Promise<string> {
  const app = mkdtempSync(join(winePrefix(), 'app-'));
  compileRecorder(join(app, program), appLog, true);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(app, name)), { recursive: true });
    writeFileSync(join(app, name), text);
  }
  return buildInstaller(app, version);
}

/** Creates an installer of the built service with Windows' Node in place of Electron. @returns its path on this system */
export async function makeServiceInstaller(version: string): Promise<string> {
  const app = mkdtempSync(join(winePrefix(), 'app-'));
  cpSync(process.env['LAB_MANAGER_WINDOWS_NODE'] ?? '', join(app, program));
  for (const path of productFiles)
    cpSync(join(repository, path), join(app, 'resources', 'app', path), { recursive: true });
  return buildInstaller(app, version);
}

function buildInstaller(app: string, version: string): Promise<string> {
  return buildWindowsInstaller(repository, { app, version, file: `${app}-setup.exe`, isQuick: true });
}

/** Runs an installer or another program to its end. @returns its exit code */
export function run(file: string, ...args: readonly string[]): Promise<number | null> {
  return startInstaller(file, args).exitCode;
}

/** Runs the uninstaller with the command of the registry; it continues after the command has ended. */
export async function uninstall(scope: Scope, ...options: readonly string[]): Promise<void> {
  await run(`${scope.folder}\\${uninstaller}`, scope.option, '/S', ...options);
}

/** Returns the values of a key of the registry; `null` if it does not exist. */
export function readRegistryKey(path: string): Readonly<Record<string, string>> | null {
  try {
    const text = execFileSync('wine', ['reg', 'query', path], {
      env: wineEnvironment(winePrefix()),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Object.fromEntries(
      [...text.matchAll(/^ {4}(.+?) {4}REG_\w+ {4}(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
  } catch {
    return null;
  }
}

export function setRegistryValue(key: string, name: string, value: string): void {
  execFileSync('wine', ['reg', 'add', key, '/v', name, '/d', value, '/f'], {
    env: wineEnvironment(winePrefix()),
    stdio: 'ignore',
  });
}

export const exists = (path: string) => existsSync(unixPath(path));

/** Returns all files and folders below the folders in which programs are installed and keep their files. */
export function listFilesOnDisk(): readonly string[] {
  // Symbolic links in other folders lead out of the disk.
  return execFileSync('find', ['Program Files', 'ProgramData', 'users'], { cwd: unixPath('C:'), encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !/\/(Temp|Recent)(\/|$)/.test(file))
    .toSorted();
}
