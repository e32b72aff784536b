/** The Debian package: its metadata, its files, its start, and that its removal leaves nothing behind. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { debuggingSwitch } from '../support/desktop/remoteDebugging.ts';
import { readWindow } from './dashboardWindow.ts';
import * as debian from './debianPackage.ts';
import { canOpenWindow, permitsNamespaces, withoutUserNamespaces } from './noUserNamespaces.ts';
import { isOnPath } from '../../build/setup/systemPackages.mjs';
import { ordinaryUser } from '../support/desktop/ordinaryUser.ts';
import {
  fetchText,
  plainEnvironment,
  startProgram,
  waitFor,
  readCompleteOutput,
  waitForProcessesToEnd,
  type Program,
} from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';
import { startAndEndUnit, unitUser } from './unit.ts';

const deb = process.env['LAB_MANAGER_DEB'] ?? '';
const { isTestMachine, readValue } = debian;
const user = ordinaryUser();

let home = '';
let paths: debian.PackagePaths;
let program: Program | null = null;

beforeAll(() => {
  paths = debian.installOrUnpack(deb);
  home = mkdtempSync(join(tmpdir(), 'home-'));
  user.chown(home);
});
afterEach(() => program?.kill());
afterAll(() => {
  debian.remove(paths);
  rmSync(home, { recursive: true, force: true });
});

function environment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folders = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_CACHE_HOME: join(home, '.cache') };
  return plainEnvironment({ ...folders, ...variables });
}

/**
 * Returns the kernel's value for the confinement of the page's process: 2 is a seccomp filter, which is Chromium's
 * sandbox.
 */
function seccompOfRenderer(started: Program): string | null {
  const renderer = started.processes().find(({ commandLine }) => commandLine.join(' ').includes('--type=renderer'));
  const status = renderer ? readFileSync(`/proc/${renderer.pid}/status`, 'utf8') : '';
  return /^Seccomp:\s*(\d)/m.exec(status)?.[1] ?? null;
}

test('the package states its name, section, dependencies and scripts', () => {
  const field = (name: string) => execFileSync('dpkg-deb', ['-f', deb, name]).toString().trim();
  expect(field('Package')).toBe('lab-manager');
  expect(field('Version')).toMatch(/^\d+\.\d+\.\d+/);
  expect(field('Section')).toBe('science');
  expect(field('Depends')).toMatch(/^libc6 \(>= 2\.\d+\), .*libgtk-3-0 \| libgtk-3-0t64, libnotify4, /);
  expect(field('Recommends')).toBe('dbus-bin, zenity | kdialog | x11-utils, pkexec | policykit-1');
  const control = (name: string) => execFileSync('dpkg-deb', ['-I', deb, name]).toString();
  expect(control('conffiles')).toBe('/etc/lab-manager/lab.settings.yaml\n');
  // Our scripts must still do everything that electron-builder's do, and the service is never enabled.
  expect(control('postinst')).toMatch(/chrome-sandbox[\s\S]*apparmor_parser --replace/);
  expect(control('postinst')).not.toMatch(/systemctl (?:enable|start)\b/);
  expect(control('postrm')).toContain('apparmor_parser --remove');
});

test('the package depends on the package of every library that its programs are linked to', () => {
  const depends = execFileSync('dpkg-deb', ['-f', deb, 'Depends']).toString();
  const names = new Set(depends.split(/[,|]/).map((relation) => relation.trim().split(' ')[0]));
  const files = readdirSync(paths.app, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bundled = new Set(files.map((entry) => entry.name));
  const needed = new Set(files.flatMap((entry) => debian.linkedTo(join(entry.parentPath, entry.name))));
  const others = [...needed].filter((library) => !bundled.has(library));
  expect(others).toEqual(expect.arrayContaining(['libc.so.6', 'libgtk-3.so.0', 'libnss3.so']));
  const uncovered = others.filter((library) => !names.has(debian.findPackage(library)));
  expect(uncovered).toEqual([]);
});

test('changelog and copyright are in Debian’s folders', () => {
  const doc = `${paths.root}/usr/share/doc/lab-manager`;
  expect(gunzipSync(readFileSync(`${doc}/changelog.gz`)).toString()).toMatch(/^# Changelog\n/);
  const terms = readFileSync(`${doc}/copyright`, 'utf8');
  expect(terms).toMatch(/^MIT License\n/);
  const namedFiles = [...terms.matchAll(/ (\/opt\/lab-manager\/\S+)$/gm)].map(([, file]) => `${paths.root}${file}`);
  expect(namedFiles.map((file) => existsSync(file))).toEqual([true, true, true]);
});

test('name and version of a package with the fallback runtime contain “fallback”', () => {
  const version = execFileSync('dpkg-deb', ['-f', deb, 'Version']).toString();
  // A hyphen would begin the Debian revision.
  expect(version.includes('~fallback~runtime')).toBe(deb.includes('-fallback-runtime_'));
});

test('the desktop file is valid and has its icons', () => {
  execFileSync('desktop-file-validate', [paths.desktopFile]);
  expect(readValue(paths.desktopFile, 'Categories')).toBe('Science;');
  expect(readValue(paths.desktopFile, 'StartupWMClass')).toBe('lab-manager');
  for (const size of [16, 48, 256, 512]) {
    const icon = `${paths.root}/usr/share/icons/hicolor/${size}x${size}/apps/lab-manager.png`;
    expect(existsSync(icon), icon).toBe(true);
  }
});

test('the installed settings file sets nothing, and names the description of all settings', () => {
  expect(readFileSync(paths.settingsFile, 'utf8')).toBe(debian.settingsFileText);
  const lines = readFileSync(`${paths.root}/usr/share/doc/lab-manager/lab.settings.yaml`, 'utf8').split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  expect(lines.some((line) => line.startsWith('# lab_server_url:'))).toBe(true);
});

/** Opens the app as its icon does, checks the window, and ends it. @param prefix a command that runs the app */
async function openAndClose(
  prefix: readonly string[] = [],
): Promise<{ text: string; seccomp: string | null; suid: boolean }> {
  const port = await pickFreePort();
  const exec = debian.execCommand(readValue(paths.desktopFile, 'Exec'), paths, [debuggingSwitch]);
  const env = environment({ LAB_WATCH_INTERVAL: '5', LAB_LISTEN_PORT: String(port), LAB_LISTEN_HOST: '127.0.0.1' });
  program = startProgram([...prefix, ...user.command, 'dbus-run-session', '--', ...exec], env);
  const started = program;
  expect((await waitFor(started, '/context', () => fetchText(port, '/context'))).body).toContain('workcell_server_url');
  const { text } = await readWindow(started, `http://127.0.0.1:${port}/`);
  const helper = join(paths.app, 'chrome-sandbox');
  const result = {
    text,
    seccomp: seccompOfRenderer(started),
    suid: started.processes().some(({ commandLine: [first] }) => first === helper),
  };
  await started.end();
  await waitForProcessesToEnd(started);
  return result;
}

test.runIf(canOpenWindow)('the Exec line of the desktop file opens the dashboard', async () => {
  const { text, seccomp, suid } = await openAndClose();
  expect(text).toContain('Workcell');
  expect({ seccomp, suid }).toEqual({ seccomp: '2', suid: !permitsNamespaces });
  expect(existsSync(join(home, '.config', 'lab-manager'))).toBe(true);
});

test.runIf(isTestMachine && permitsNamespaces)(
  'installed: the sandbox helper is set-uid only when the kernel requires it',
  async () => {
    const helper = () => {
      const { uid, gid, mode } = statSync(join(paths.app, 'chrome-sandbox'));
      return { uid, gid, mode: mode & 0o7777 };
    };
    const plain = { uid: 0, gid: 0, mode: 0o755 };
    expect(helper()).toEqual(plain);
    const kernel = await withoutUserNamespaces();
    try {
      debian.configure(kernel.command);
      expect(helper()).toEqual({ ...plain, mode: 0o4755 });
      const { text, seccomp, suid } = await openAndClose(kernel.command);
      expect(text).toContain('Workcell');
      expect({ seccomp, suid }).toEqual({ seccomp: '2', suid: true });
    } finally {
      kernel.stop();
      debian.configure();
    }
    expect(helper()).toEqual(plain);
  },
);

test.each(['--version', '--help', '--check-settings'])(
  '%s prints its result on the command line without a display',
  async (option) => {
    program = startProgram([paths.launcher, option], environment({ DISPLAY: '', WAYLAND_DISPLAY: '' }));
    const message = await readCompleteOutput(program);
    const expected = {
      '--version': /^\d+\.\d+\.\d+/,
      '--help': /^Usage: lab-manager /,
      '--check-settings': /^server_url /,
    };
    expect(message).toMatch(expected[option as keyof typeof expected]);
  },
);

test('the program serves without a display, logs that there is none, and ends', async () => {
  const port = await pickFreePort();
  program = startProgram(
    [paths.launcher, '--lab-listen-port', String(port), '--lab-listen-host', '127.0.0.1'],
    environment({ DISPLAY: '', WAYLAND_DISPLAY: '' }),
  );
  const started = program;
  const page = await waitFor(started, 'the dashboard', () => fetchText(port, '/'));
  expect(page.type).toContain('text/html');
  // Written before or after the first response.
  await expect.poll(() => started.output()).toContain(`http://127.0.0.1:${port}/`);
  await expect.poll(() => started.output()).toContain('There is no display here');
  expect(await started.end()).toBe(0);
  await waitForProcessesToEnd(started);
});

test('the service of the unit runs with the settings in /etc and notifies systemd', async () => {
  const { state, messages } = await startAndEndUnit(paths, home);
  expect(messages).toEqual(['READY=1', 'STOPPING=1']);
  expect(existsSync(join(state, '.madsci', 'logs', 'lab-manager.log'))).toBe(true);
});

test.runIf(isTestMachine)('installed: the unit also starts when the kernel refuses user namespaces', async () => {
  const kernel = await withoutUserNamespaces();
  try {
    const { messages } = await startAndEndUnit(paths, home, kernel.command);
    expect(messages.slice(-2)).toEqual(['READY=1', 'STOPPING=1']);
  } finally {
    kernel.stop();
  }
});

test.runIf(isTestMachine && isOnPath('systemd-analyze'))('installed: systemd-analyze accepts the unit', () => {
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  const verified = analyze('verify', '--man=no', paths.unitFile);
  // `systemd-analyze` also checks other units of the machine.
  expect(verified.stderr.split('\n').filter((line) => line.includes('lab-manager'))).toEqual([]);
  // The exposure level, from 0 (fully confined) to 100.
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=20', paths.unitFile);
  expect(status, stdout).toBe(0);
});

test.runIf(isTestMachine)('installed: the service user exists and the unit is not enabled', () => {
  expect(debian.hasUser(unitUser(paths))).toBe(true);
  expect(existsSync('/etc/systemd/system/multi-user.target.wants/lab-manager.service')).toBe(false);
});

test.runIf(isTestMachine)('removing the package leaves no file except the user’s settings', () => {
  const settingsFile = join(home, '.config', 'lab-manager', 'lab.settings.yaml');
  mkdirSync(join(home, '.config', 'lab-manager'), { recursive: true });
  writeFileSync(settingsFile, 'lab_manager_name: Ours\n');
  debian.apt('remove', 'lab-manager');
  expect(debian.leftovers()).toEqual(['/etc/lab-manager', '/var/lib/lab-manager']);
  debian.apt('purge', 'lab-manager');
  expect(debian.leftovers()).toEqual([]);
  expect(debian.hasUser('lab-manager')).toBe(false);
  expect(readFileSync(settingsFile, 'utf8')).toBe('lab_manager_name: Ours\n');
});

test.runIf(isTestMachine)('the package replaces an earlier one in the old folder', () => {
  const earlierPackage = debian.writeEarlierPackage(deb);
  try {
    debian.apt('install', '--no-install-recommends', earlierPackage);
    expect(realpathSync('/usr/bin/lab-manager')).toBe('/opt/Lab Manager/launcher.sh');
    debian.apt('install', '--no-install-recommends', deb);
    expect(realpathSync('/usr/bin/lab-manager')).toBe('/opt/lab-manager/launcher.sh');
    expect(execFileSync('update-alternatives', ['--query', 'lab-manager']).toString()).not.toContain('Lab Manager');
    expect(existsSync('/opt/Lab Manager')).toBe(false);
  } finally {
    rmSync(earlierPackage);
  }
});
