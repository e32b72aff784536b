// @ts-check
/**
 * Determines the Debian package's dependencies: the packages of the libraries that its programs link to or load later.
 * Only glibc has a version, because every system with libgcc-s1 (Debian 11, Ubuntu 20.04) is newer than the other
 * requirements.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../setup/output.mjs';
import { readLinkerNeeds } from './elf.mjs';

/**
 * Debian's package of each library, with the name it has since the change to 64-bit times (Debian 13, Ubuntu 24.04).
 * @type {Readonly<Record<string, string>>}
 */
const packages = {
  'libX11.so.6': 'libx11-6',
  'libXcomposite.so.1': 'libxcomposite1',
  'libXdamage.so.1': 'libxdamage1',
  'libXext.so.6': 'libxext6',
  'libXfixes.so.3': 'libxfixes3',
  'libXrandr.so.2': 'libxrandr2',
  'libasound.so.2': 'libasound2 | libasound2t64',
  'libatk-1.0.so.0': 'libatk1.0-0 | libatk1.0-0t64',
  'libatk-bridge-2.0.so.0': 'libatk-bridge2.0-0 | libatk-bridge2.0-0t64',
  'libatspi.so.0': 'libatspi2.0-0 | libatspi2.0-0t64',
  'libcairo.so.2': 'libcairo2',
  'libcups.so.2': 'libcups2 | libcups2t64',
  'libdbus-1.so.3': 'libdbus-1-3',
  'libdrm.so.2': 'libdrm2',
  'libexpat.so.1': 'libexpat1',
  'libgbm.so.1': 'libgbm1',
  'libgcc_s.so.1': 'libgcc-s1',
  'libgio-2.0.so.0': 'libglib2.0-0 | libglib2.0-0t64',
  'libglib-2.0.so.0': 'libglib2.0-0 | libglib2.0-0t64',
  'libgobject-2.0.so.0': 'libglib2.0-0 | libglib2.0-0t64',
  'libgtk-3.so.0': 'libgtk-3-0 | libgtk-3-0t64',
  'libnspr4.so': 'libnspr4',
  'libnss3.so': 'libnss3',
  'libnssutil3.so': 'libnss3',
  'libpango-1.0.so.0': 'libpango-1.0-0',
  'libsmime3.so': 'libnss3',
  'libstdc++.so.6': 'libstdc++6',
  'libudev.so.1': 'libudev1',
  'libxcb.so.1': 'libxcb1',
  'libxkbcommon.so.0': 'libxkbcommon0',
};

/** Libraries of glibc, whose required version comes from the programs. */
const glibcLibraries = /^(lib(c|m|dl|pthread|rt|resolv|util)\.so\.\d|ld-linux-[\w-]+\.so\.\d)$/;

/**
 * Packages of libraries that the desktop app loads on first use: for the window's widgets, notifications, and the key
 * of Chromium's cookies.
 */
const lazyPackages = ['libgtk-3-0 | libgtk-3-0t64', 'libnotify4', 'libsecret-1-0'];

/**
 * Returns the packages that a directory of programs and libraries needs, except for libraries in the directory.
 * @param {string} directory
 * @param {readonly string[]} [loadedPackages] packages of libraries that are loaded without being linked
 * @returns {string[]} relations as a control file has them
 * @throws SetupError for a library whose package isn't listed here
 */
export function libraryPackages(directory, loadedPackages = lazyPackages) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bundled = new Set(files.map((entry) => entry.name));
  /** @type {Set<string>} */
  const relations = new Set(loadedPackages);
  /** @type {string[]} */
  const versions = [];
  for (const { parentPath, name } of files) {
    const needs = readLinkerNeeds(join(parentPath, name));
    if (needs === null) continue;
    versions.push(...needs.versions);
    for (const library of needs.libraries) {
      if (bundled.has(library) || glibcLibraries.test(library)) continue;
      const relation = packages[library];
      if (relation === undefined) {
        throw new SetupError(
          `${name} is linked to ${library}: its Debian package must be listed in build/package/libraries.mjs ` +
            `(dpkg -S ${library} prints it where it is installed)`,
        );
      }
      relations.add(relation);
    }
  }
  return [`libc6 (>= ${newestGlibc(versions)})`, ...[...relations].toSorted()];
}

/**
 * Returns the version of the oldest glibc that has all these symbol versions.
 * @param {readonly string[]} versions such as `GLIBC_2.25`; those of other libraries are ignored
 * @returns {string} such as `2.25`
 */
export function newestGlibc(versions) {
  const numbers = versions.flatMap((version) => /^GLIBC_(\d+(?:\.\d+)+)$/.exec(version)?.[1] ?? []);
  const sorted = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const newest = sorted.at(-1);
  if (newest === undefined) throw new Error('No program requires a version of glibc');
  return newest;
}
