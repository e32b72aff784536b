import { describe, expect, test } from 'vitest';
import { controlText } from './debian.mjs';
import { parseFpmArguments } from './fpmArguments.mjs';

const required = [
  '-s',
  'dir',
  '-t',
  'deb',
  '--package',
  '/x.deb',
  '--name',
  'x',
  '--version',
  '1',
  '--maintainer',
  'A',
];
const requiredWithArchitecture = [...required, '--architecture', 'amd64'];

describe('the fpm stand-in', () => {
  test('accepts options with and without =, lists, flags and mappings', () => {
    const input = parseFpmArguments(
      [
        ['--force', ...requiredWithArchitecture, '-d', 'libc6', '-d', 'a | b', '--deb-recommends', 'dbus-bin'],
        ['--deb-compression', 'xz', '--deb-compression=none', '--config-files=/etc/x/a=b.yaml'],
        ['/tmp/a=b/=/opt/My App'],
      ].flat(),
    );
    expect(input.depends).toEqual(['libc6', 'a | b']);
    expect(input.recommends).toEqual(['dbus-bin']);
    expect(input.configFiles).toEqual(['/etc/x/a=b.yaml']);
    expect(input.options.get('--deb-compression')).toBe('none');
    expect(input.mappings).toEqual([{ source: '/tmp/a=b/', target: '/opt/My App' }]);
  });

  test.each([
    [['--deb-systemd', 'x.service'], '--deb-systemd is an option of fpm that this stand-in does not support'],
    [['--url'], '--url needs a value'],
    [['file'], 'file does not have the form source=/target'],
    [['file=relative'], 'file=relative does not have the form source=/target'],
    [['-t', 'pacman'], 'only -s dir -t deb or rpm is supported, not -s dir -t pacman'],
    [['--name', ''], '--name is missing'],
  ])('refuses %j', (otherOptions, message) => {
    expect(() => parseFpmArguments([...requiredWithArchitecture, ...otherOptions])).toThrow(message);
  });
});

test('the control file contains each field with a value, and a long description in Debian’s format', () => {
  const text = controlText(
    parseFpmArguments([...requiredWithArchitecture, '--description', 'Short\n Long one.\n\n Second.']),
    12,
  );
  expect(text).toBe(
    'Package: x\nVersion: 1\nArchitecture: amd64\nMaintainer: A\nInstalled-Size: 12\nPriority: optional\n' +
      'Description: Short\n Long one.\n .\n Second.\n',
  );
});
