import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** These tests need dpkg-deb, which Debian and its derivatives have. */
describe.runIf(process.platform === 'linux')('the Debian package', () => {
  let dir = '';
  beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'fpm-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('contains the files with plain permissions, checksums, scripts and configuration files', () => {
    const app = join(dir, 'app');
    mkdirSync(join(app, 'sub'), { recursive: true });
    writeFileSync(join(app, 'program'), '#!/bin/sh\n');
    chmodSync(join(app, 'program'), 0o700);
    writeFileSync(join(app, 'sub', 'data'), 'data');
    chmodSync(join(app, 'sub', 'data'), 0o600);
    symlinkSync('sub/data', join(app, 'link'));
    writeFileSync(join(dir, 'settings'), '# none\n');
    writeFileSync(join(dir, 'after'), '#!/bin/sh\nexit 0\n');
    const file = join(dir, 'x_1_amd64.deb');
    const args = [
      [join(import.meta.dirname, 'fpm.mjs'), '-s', 'dir', '-t', 'deb', '--package', file, '--deb-compression', 'none'],
      ['--name', 'x', '--version', '1', '--maintainer', 'A', '--architecture', 'amd64'],
      ['--after-install', join(dir, 'after'), '--config-files', '/etc/x.yaml', '--description', 'X'],
      [`${app}/=/opt/My App`, `${join(dir, 'settings')}=/etc/x.yaml`],
    ];
    execFileSync(process.execPath, args.flat());
    const read = (...options: string[]) => execFileSync('dpkg-deb', options).toString();
    const listed = read('-c', file)
      .trim()
      .split('\n')
      .map((line) => line.replace(/^(\S+ \S+) .*? (\.\/.*)$/, '$1 $2'));
    expect(listed.toSorted()).toEqual(
      [
        'drwxr-xr-x root/root ./',
        'drwxr-xr-x root/root ./etc/',
        'drwxr-xr-x root/root ./opt/',
        'drwxr-xr-x root/root ./opt/My App/',
        'drwxr-xr-x root/root ./opt/My App/sub/',
        '-rw-r--r-- root/root ./etc/x.yaml',
        '-rw-r--r-- root/root ./opt/My App/sub/data',
        '-rwxr-xr-x root/root ./opt/My App/program',
        'lrwxrwxrwx root/root ./opt/My App/link -> sub/data',
      ].toSorted(),
    );
    expect(read('-f', file, 'Package', 'Installed-Size')).toBe('Package: x\nInstalled-Size: 1\n');
    expect(read('-I', file, 'conffiles')).toBe('/etc/x.yaml\n');
    expect(read('-I', file, 'postinst')).toContain('exit 0');
    expect(read('-I', file, 'md5sums')).toContain('8d777f385d3dfec8815d20f7496026dc  opt/My App/sub/data\n');
  });

  test('is refused for an unknown option', () => {
    const child = () =>
      execFileSync(process.execPath, [join(import.meta.dirname, 'fpm.mjs'), '--deb-systemd', 'x'], { stdio: 'pipe' });
    expect(child).toThrow('fpm stand-in: --deb-systemd is an option of fpm that this stand-in does not support');
  });
});
