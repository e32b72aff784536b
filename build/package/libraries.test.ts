import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLinkerNeeds } from './elf.mjs';
import { libraryPackages, newestGlibc } from './libraries.mjs';

let dir = '';
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'elf-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test.each([
  [['GLIBC_2.9', 'GLIBC_2.18', 'GLIBC_2.2.5'], '2.18'],
  [['NSS_3.30', 'GLIBC_2.4', 'GLIBC_PRIVATE'], '2.4'],
])('newestGlibc of %j is %s', (versions, newest) => {
  expect(newestGlibc(versions)).toBe(newest);
});

test('newestGlibc fails when no version of glibc is listed', () => {
  expect(() => newestGlibc(['NSS_3.30'])).toThrow('No program requires a version of glibc');
});

test('readLinkerNeeds returns null for a script and fails for an ELF file that is not 64-bit', () => {
  const file = join(dir, 'text');
  writeFileSync(file, '#!/bin/sh\n');
  expect(readLinkerNeeds(file)).toBeNull();
  writeFileSync(file, `\x7fELF${'\0'.repeat(80)}`, 'latin1');
  expect(() => readLinkerNeeds(file)).toThrow(`${file} is an ELF file, but not of 64 bits`);
});

/** A program that is linked only to the libraries of every Linux program. */
const program = '/bin/sh';

describe.runIf(process.platform === 'linux')('the libraries of a program of this system', () => {
  test('become packages, with those that are loaded at run time', () => {
    symlinkSync(program, join(dir, 'link'));
    expect(() => libraryPackages(dir)).toThrow('No program requires a version of glibc');
    copyFileSync(program, join(dir, 'sh'));
    const [libc, ...others] = libraryPackages(dir);
    expect(libc).toMatch(/^libc6 \(>= 2\.\d+\)$/);
    expect(others).toEqual(['libgtk-3-0 | libgtk-3-0t64', 'libnotify4', 'libsecret-1-0']);
  });

  test('are refused when the package of one of them is unknown', () => {
    copyFileSync('/usr/bin/dpkg-deb', join(dir, 'dpkg-deb'));
    expect(() => libraryPackages(dir)).toThrow(
      /^dpkg-deb is linked to lib\w+\.so\.\d+: its Debian package must be listed in/,
    );
  });
});
