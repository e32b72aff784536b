import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readLinkerNeeds } from './elf.mjs';

describe.runIf(process.platform === 'linux')('the libraries of a program of this system', () => {
  test('are read with the versions that the dynamic linker loads', () => {
    const ldd = execFileSync('ldd', ['-v', process.execPath], { env: { PATH: process.env['PATH'] } }).toString();
    const { libraries = [], versions = [] } = readLinkerNeeds(process.execPath) ?? {};
    // The first section below "Version information" is the program's.
    const [, , versionInfo = ''] = /^\tVersion information:\n(\t\S.*\n)((?:\t\t.*\n)+)/m.exec(ldd) ?? [];
    const lines = [...versionInfo.matchAll(/^\t\t(\S+) \((\S+)\) =>/gm)];
    expect(versions.toSorted()).toEqual([...new Set(lines.map(([, , version]) => version))].toSorted());
    expect(libraries).toEqual(expect.arrayContaining([...new Set(lines.map(([, library]) => library))]));
  });
});
