/**
 * Installs the Debian package on a test machine (CI=true, as root), so that its scripts run and its users are created; on
 * other machines it is only unpacked, and started from there.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareSandbox } from '../../build/setup/sandbox.mjs';
import { readLinkerNeeds } from '../../build/package/elf.mjs';

export const isTestMachine = process.env['CI'] === 'true' && process.getuid?.() === 0;

/**
 * The settings file of every package. It must not change: during an upgrade, dpkg prompts if it changes and the
 * administrator has edited it.
 */
export const settingsFileText =
  '# Settings of the service of this machine. All settings with their descriptions:\n' +
  '#   /usr/share/doc/lab-manager*/lab.settings.yaml\n';

export interface PackagePaths {
  /** The name of the package. */
  readonly name: string;
  /** The root of the package's file system: empty when it is installed. */
  readonly root: string;
  readonly app: string;
  readonly launcher: string;
  readonly desktopFile: string;
  readonly unitFile: string;
  readonly settingsFile: string;
}

export function installOrUnpack(deb: string): PackagePaths {
  if (isTestMachine) {
    apt('install', '--no-install-recommends', deb);
    return packagePaths('', '/usr/bin/lab-manager');
  }
  const root = mkdtempSync(join(tmpdir(), 'unpacked-'));
  chmodSync(root, 0o755);
  execFileSync('dpkg', ['-x', deb, root]);
  shareSandbox(join(root, 'opt', 'lab-manager'), process.env['LAB_MANAGER_RUNTIME'] ?? '');
  return packagePaths(root, join(root, 'opt', 'lab-manager', 'launcher.sh'));
}

function packagePaths(root: string, launcher: string): PackagePaths {
  return {
    name: 'lab-manager',
    root,
    app: `${root}/opt/lab-manager`,
    launcher,
    desktopFile: `${root}/usr/share/applications/lab-manager.desktop`,
    unitFile: `${root}/usr/lib/systemd/system/lab-manager.service`,
    settingsFile: `${root}/etc/lab-manager/lab.settings.yaml`,
  };
}

/** The installed package without a window; its program is Node. */
export const headlessPaths: PackagePaths = {
  ...packagePaths('', '/usr/bin/lab-manager'),
  name: 'lab-manager-headless',
  app: '/usr/lib/lab-manager',
};

/** Removes all files of the package. */
export function remove({ name, root }: PackagePaths): void {
  if (root !== '') rmSync(root, { recursive: true, force: true });
  else if (existsSync(`/var/lib/dpkg/info/${name}.list`)) apt('purge', name);
}

export function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['-y', '-q', ...args], { env, stdio: 'pipe' });
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error && 'stderr' in error ? [error.stdout, error.stderr] : [];
    throw new Error(`apt-get ${args.join(' ')} failed:\n${output.join('\n')}`, { cause: error });
  }
}

/** Runs the installed package's postinst again, as dpkg does. @param prefix a command that runs it */
export function configure(prefix: readonly string[] = []): void {
  const [file = '', ...args] = [...prefix, '/var/lib/dpkg/info/lab-manager.postinst', 'configure'];
  execFileSync(file, args, { stdio: 'pipe' });
}

/**
 * Writes the package with its former folder, whose name contains a space, in its files and scripts.
 * @returns its file, which the caller deletes
 */
export function writeEarlierPackage(deb: string): string {
  return repack(deb, (stage, control) => {
    renameSync(join(stage, 'opt', 'lab-manager'), join(stage, 'opt', 'Lab Manager'));
    for (const name of readdirSync(control)) {
      const text = readFileSync(join(control, name), 'utf8').replaceAll('/opt/lab-manager', '/opt/Lab Manager');
      writeFileSync(join(control, name), text);
    }
  });
}

/** Writes the same package with an older version. @returns its file, which the caller deletes */
export function writeOlderPackage(deb: string): string {
  return repack(deb, () => undefined);
}

/**
 * Writes a changed package whose version is older than every other.
 * @param change changes the unpacked package
 * @returns its file, which the caller deletes
 */
export function repack(deb: string, change: (stage: string, control: string) => void): string {
  const stage = mkdtempSync(join(tmpdir(), 'earlier-'));
  const file = `${stage}.deb`;
  const control = join(stage, 'DEBIAN');
  try {
    execFileSync('dpkg-deb', ['--raw-extract', deb, stage]);
    change(stage, control);
    const fields = readFileSync(join(control, 'control'), 'utf8');
    writeFileSync(join(control, 'control'), fields.replace(/^Version: .*$/m, 'Version: 0.0.0'));
    execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', stage, file], { stdio: 'pipe' });
  } finally {
    rmSync(stage, { recursive: true });
  }
  return file;
}

/** Returns the names of the libraries that a file is linked to; empty for a file that is not a program. */
export function linkedTo(file: string): readonly string[] {
  return readLinkerNeeds(file)?.libraries ?? [];
}

/** Returns the installed package that contains a library. */
export function findPackage(library: string): string {
  const lines = execFileSync('/sbin/ldconfig', ['-p']).toString().split('\n');
  const path = lines.find((line) => line.startsWith(`\t${library} `))?.split(' => ')[1];
  if (path === undefined) throw new Error(`${library} is not on this machine`);
  const real = realpathSync(path);
  // Older packages contain it in /lib instead of /usr/lib; dpkg-query ends with 1, because one of the paths is unknown.
  const output = spawnSync('dpkg-query', ['--search', real, real.replace(/^\/usr/, '')]).stdout.toString();
  const name = /^([\w.+-]+)(?::\w+)?: /m.exec(output)?.[1];
  if (name === undefined) throw new Error(`${real} belongs to no package`);
  return name;
}

/** Returns the value of a key in a desktop file or a unit. */
export function readValue(file: string, key: string): string {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((candidate) => candidate.startsWith(`${key}=`));
  if (line === undefined) throw new Error(`${file} has no ${key}`);
  return line.slice(key.length + 1);
}

/** Returns a desktop file's Exec line as a command: without quotes, and with `%U` and similar codes replaced. */
export function execCommand(line: string, { root }: PackagePaths, more: readonly string[]): string[] {
  const parts = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return parts
    .flatMap((word) => (/^%[a-zA-Z]$/.test(word) ? more : [word]))
    .map((word, index) => (index === 0 ? `${root}${word}` : word));
}

/** Returns whether the system has this user. @param root of the system's files */
export function hasUser(name: string, root = '/'): boolean {
  return readFileSync(join(root, 'etc/passwd'), 'utf8')
    .split('\n')
    .some((line) => line.startsWith(`${name}:`));
}

/** Returns the package's paths that still exist; after a removal there must be none. @param root of the system's files */
export function leftovers(root = '/'): string[] {
  return [
    '/opt/lab-manager',
    '/opt/Lab Manager',
    '/usr/lib/lab-manager',
    '/usr/share/doc/lab-manager',
    '/usr/share/doc/lab-manager-headless',
    '/usr/bin/lab-manager',
    '/usr/share/applications/lab-manager.desktop',
    '/usr/lib/systemd/system/lab-manager.service',
    '/etc/systemd/system/multi-user.target.wants/lab-manager.service',
    '/etc/lab-manager',
    '/etc/apparmor.d/lab-manager',
    '/var/lib/lab-manager',
  ].filter((path) => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined);
}
