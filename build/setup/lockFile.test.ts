import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.optional(z.string()),
      integrity: z.optional(z.string()),
      link: z.optional(z.boolean()),
      hasInstallScript: z.optional(z.boolean()),
    }),
  ),
});

/**
 * Returns the packages of a lock file that npm would install without an integrity check or from another source than its
 * registry.
 */
function untrusted(text: string): string[] {
  const { packages } = lockFile.parse(JSON.parse(text));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .filter(([, { resolved, integrity = '', link = false }]) => {
      const isOfRegistry = resolved === undefined || resolved.startsWith('https://registry.npmjs.org/');
      return link || !isOfRegistry || !/^sha512-[\w+/]{86}==$/.test(integrity);
    })
    .map(([path]) => path);
}

it('every package in the lock file has a SHA-512 hash and comes from the npm registry', async () => {
  const text = await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
  expect(untrusted(text)).toEqual([]);
});

/**
 * What each script does: an install script has all rights of the account that installs.
 */
const reviewedScripts = {
  '@scarf/scarf': 'reports the installation to its makers; package.json switches it off',
  'electron-winstaller': 'copies the 7-Zip of this processor into its own folder',
  esbuild: 'puts its program in the place of its launcher',
  usocket: 'compiles itself; optional, for the session bus of the tests',
  'vue-demi': 'chooses between its own files by the version of Vue',
};

it('only packages whose install script was read have one', async () => {
  const text = await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
  const { packages } = lockFile.parse(JSON.parse(text));
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript = false }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect([...new Set(names)].toSorted()).toEqual(Object.keys(reviewedScripts).toSorted());
});

it.each([
  ['without a hash', {}],
  ['with a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
  ['from another server', { integrity: `sha512-${'a'.repeat(86)}==`, resolved: 'https://example.org/x.tgz' }],
  ['from a repository', { integrity: `sha512-${'a'.repeat(86)}==`, resolved: 'git+ssh://git@github.com/x/y.git#1' }],
  ['from a folder', { link: true, resolved: '../x' }],
])('the check of the lock file finds a package %s', (_name, entry) => {
  const text = JSON.stringify({ packages: { '': {}, 'node_modules/x': entry } });
  expect(untrusted(text)).toEqual(['node_modules/x']);
});
