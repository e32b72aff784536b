/**
 * The RPM package: its metadata, its scripts and its files, as rpm reads them. It is not installed, because the test
 * machines do not use rpm.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  fetchText,
  plainEnvironment,
  startProgram,
  waitFor,
  waitForProcessesToEnd,
  type Program,
} from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';
import { settingsFileText, readValue } from './debianPackage.ts';

const rpm = process.env['LAB_MANAGER_RPM'] ?? '';

let folder = '';
let root = '';
let program: Program | null = null;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rpm-'));
  root = join(folder, 'root');
  execFileSync('sh', [
    '-c',
    'mkdir "$1" && cd "$1" && rpm2cpio "$0" | cpio --extract --make-directories --quiet',
    rpm,
    root,
  ]);
});
afterEach(() => program?.kill());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param args of `rpm --query` for the package's file */
const query = (...args: string[]) => {
  const queryArguments = ['--dbpath', join(folder, 'database'), '--query', '--package', rpm];
  return execFileSync('rpm', [...queryArguments, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
};
const field = (name: string) => query('--queryformat', `%{${name}}`);

test('the package states its name, version, processor and licence', () => {
  expect(field('NAME')).toBe('lab-manager');
  expect(field('VERSION')).toMatch(/^\d+\.\d+\.\d+(~[\w~]+)?$/);
  expect(field('ARCH')).toBe(process.arch === 'x64' ? 'x86_64' : 'aarch64');
  expect(field('LICENSE')).toBe('MIT');
  expect(field('SUMMARY')).toBe('Lab manager of a MADSci lab');
  expect(field('BUILDHOST')).toBe('reproducible');
});

test('the package requires the libraries of its programs by their names, and none that it contains', () => {
  const requires = query('--requires').split('\n');
  expect(requires).toEqual(
    expect.arrayContaining(['/usr/sbin/useradd', 'libgtk-3.so.0()(64bit)', 'libnss3.so()(64bit)', 'xdg-utils']),
  );
  expect(requires.filter((name) => name.startsWith('libffmpeg'))).toEqual([]);
  expect(
    query('--provides')
      .split('\n')
      .filter((name) => name.includes('.so')),
  ).toEqual([]);
});

test('the scripts create the service’s user, and an update keeps what the new version has set up', () => {
  const scripts = query('--scripts');
  const [beforeRemoval = '', afterRemoval = ''] = scripts.split('postuninstall scriptlet');
  expect(beforeRemoval).toMatch(/useradd --system[^]*systemctl disable --now lab-manager/);
  expect(afterRemoval).toMatch(/^ \(using \/bin\/bash\):\nif \[ "\$1" = 0 \]; then\n/);
  // The macros of rpm are expanded in scripts too.
  expect(scripts).not.toContain('%%');
});

test('the settings file is marked as configuration, and every file belongs to root', () => {
  expect(query('--configfiles')).toBe('/etc/lab-manager/lab.settings.yaml');
  const owners = query('--queryformat', '[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]').split('\n');
  expect([...new Set(owners)]).toEqual(['root:root']);
  const listed = query('--list').split('\n');
  expect(listed).toContain('/opt/lab-manager/launcher.sh');
  expect(listed).not.toContain('/opt/lab-manager/resources/package-type');
  expect(listed).not.toContain('/usr');
});

test('the desktop file and the unit start the launcher', () => {
  const desktopFile = join(root, 'usr/share/applications/lab-manager.desktop');
  expect(readValue(desktopFile, 'Exec')).toBe('/opt/lab-manager/launcher.sh %U');
  const unit = join(root, 'usr/lib/systemd/system/lab-manager.service');
  expect(readValue(unit, 'ExecStart')).toBe('/usr/bin/lab-manager --headless');
  expect(readFileSync(join(root, 'etc/lab-manager/lab.settings.yaml'), 'utf8')).toBe(settingsFileText);
  expect(existsSync(join(root, 'opt/lab-manager/LICENSE.electron.txt'))).toBe(true);
});

test('the unpacked program serves without a display', async () => {
  const port = await pickFreePort();
  const env = plainEnvironment({ HOME: folder, DISPLAY: '', WAYLAND_DISPLAY: '', LAB_LISTEN_HOST: '127.0.0.1' });
  program = startProgram([join(root, 'opt/lab-manager/launcher.sh'), '--lab-listen-port', String(port)], env);
  const health = await waitFor(program, '/health', () => fetchText(port, '/health'));
  expect(JSON.parse(health.body)).toMatchObject({ healthy: true });
  expect(await program.end()).toBe(0);
  await waitForProcessesToEnd(program);
});
