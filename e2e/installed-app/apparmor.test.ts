/**
 * The AppArmor profile of the package, which permits user namespaces to the app where Ubuntu 24.04 refuses them to ordinary
 * programs. Only AppArmor 4 has that rule; the package must leave the profile out on other systems.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { privateApt } from './privateApt.ts';

const deb = process.env['LAB_MANAGER_DEB'] ?? '';
/** Debian 13's AppArmor is the first of Debian that has the rule; its libraries are newer than those of Debian 12. */
const newerPackages = ['apparmor', 'libc6', 'libgcc-s1', 'libstdc++6'];
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

let folder = '';
let profile = '';
/** The command of AppArmor 4's parser; `null` if it is unavailable, with the cause in `reason`. */
let parser: readonly string[] | null = null;
let reason = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'apparmor-'));
  execFileSync('dpkg-deb', ['--extract', deb, join(folder, 'package')]);
  profile = join(folder, 'package', 'opt/lab-manager/resources/apparmor-profile');
  parser = await findNewerParser();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the command of this machine's parser, or else of Debian 13's. */
async function findNewerParser(): Promise<readonly string[] | null> {
  const version = execFileSync('/usr/sbin/apparmor_parser', ['--version'], { encoding: 'utf8' });
  if (/version [4-9]\./.test(version)) return ['/usr/sbin/apparmor_parser'];
  if (!existsSync(keyring)) return unavailable('this system has AppArmor 3 and no keys of Debian');
  const apt = privateApt(`deb [signed-by=${keyring}] http://deb.debian.org/debian trixie main`);
  try {
    const update = await apt.run('update', '--error-on=any');
    if (update.code !== 0) return unavailable(`Debian 13 cannot be reached: ${update.text}`);
    const download = await apt.run('download', ...newerPackages);
    if (download.code !== 0) throw new Error(download.text);
    const root = join(folder, 'debian');
    for (const file of readdirSync(apt.downloads)) {
      execFileSync('dpkg-deb', ['--extract', join(apt.downloads, file), root]);
    }
    const files = readdirSync(join(root, 'usr/lib'), { recursive: true, encoding: 'utf8' });
    const linker = files.find((file) => /\/ld-linux-[\w-]+\.so\.\d$/.test(file)) ?? '';
    const libraries = join(root, 'usr/lib', linker, '..');
    const program = join(root, 'usr/sbin/apparmor_parser');
    return [
      join(root, 'usr/lib', linker),
      '--library-path',
      libraries,
      program,
      '--base',
      join(root, 'etc/apparmor.d'),
    ];
  } finally {
    rmSync(apt.folder, { recursive: true, force: true });
  }
}

function unavailable(cause: string): null {
  reason = cause;
  return null;
}

/** Compiles a profile without loading it. */
function parse(command: readonly string[], file: string, ...options: readonly string[]) {
  const [program = '', ...args] = command;
  return spawnSync(program, [...args, '--skip-kernel-load', '--skip-cache', ...options, file], { encoding: 'utf8' });
}

test('AppArmor 4 accepts the profile, which names the program of the package', (context) => {
  if (parser === null) return context.skip(reason);
  expect(parse(parser, profile)).toMatchObject({ status: 0 });
  expect(parse(parser, profile, '--names').stdout.trim()).toBe('lab-manager');
  const [, program] =
    /^profile "lab-manager" "([^"]+)" flags=\(unconfined\)/m.exec(readFileSync(profile, 'utf8')) ?? [];
  expect(existsSync(join(folder, 'package', program ?? 'none'))).toBe(true);
  expect(readFileSync(profile, 'utf8')).toMatch(/^ {2}userns,$/m);
});

test('AppArmor 4 rejects a profile with an unknown rule instead of userns', (context) => {
  if (parser === null) return context.skip(reason);
  const wrong = join(folder, 'wrong-profile');
  writeFileSync(wrong, readFileSync(profile, 'utf8').replace('userns,', 'usernamespaces,'));
  expect(parse(parser, wrong).status).not.toBe(0);
});

/** Runs the part of the package's postinst that installs the profile, with a folder in place of the system. */
function runInstallation(command: readonly string[]): { installed: string | null; output: string } {
  const script = execFileSync('dpkg-deb', ['--info', deb, 'postinst'], { encoding: 'utf8' });
  const part = /^if apparmor_status --enabled[\s\S]*?^fi$/m.exec(script)?.[0];
  if (part === undefined) throw new Error('The postinst does not install the profile');
  const system = mkdtempSync(join(folder, 'system-'));
  for (const name of ['etc/apparmor.d', 'bin']) mkdirSync(join(system, name), { recursive: true });
  const tool = (name: string, text: string) => {
    writeFileSync(join(system, 'bin', name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(system, 'bin', name), 0o755);
  };
  tool('apparmor_status', 'exit 0');
  // Nothing is ever loaded into this machine's kernel.
  tool('apparmor_parser', `exec ${command.map((word) => `'${word}'`).join(' ')} --skip-kernel-load --skip-cache "$@"`);
  const adapted = part
    .replaceAll('/opt/lab-manager', join(folder, 'package/opt/lab-manager'))
    .replaceAll("'/etc/apparmor.d/", `'${system}/etc/apparmor.d/`);
  const env = { ...process.env, PATH: `${join(system, 'bin')}:${process.env['PATH']}` };
  const { stdout, stderr, status } = spawnSync('bash', ['-ec', adapted], { env, encoding: 'utf8' });
  expect(status).toBe(0);
  const target = join(system, 'etc/apparmor.d/lab-manager');
  return { installed: existsSync(target) ? readFileSync(target, 'utf8') : null, output: stdout + stderr };
}

test('the package installs the profile where AppArmor has its rule', (context) => {
  if (parser === null) return context.skip(reason);
  expect(runInstallation(parser).installed).toBe(readFileSync(profile, 'utf8'));
});

test('the package leaves the profile out where AppArmor does not accept it', () => {
  const { installed, output } = runInstallation(['false']);
  expect(installed).toBeNull();
  expect(output).toContain('Skipping the installation of the AppArmor profile');
});
