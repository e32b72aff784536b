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
function untrustedPackages(text: string): string[] {
  const { packages } = lockFile.parse(JSON.parse(text));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .filter(([, { resolved, integrity = '', link = false }]) => {
      const isFromRegistry = resolved === undefined || resolved.startsWith('https://registry.npmjs.org/');
      return link || !isFromRegistry || !/^sha512-[\w+/]{86}==$/.test(integrity);
    })
    .map(([path]) => path);
}

it('every package in the lock file has a SHA-512 hash and comes from the npm registry', async () => {
  const text = await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
  expect(untrustedPackages(text)).toEqual([]);
});

/**
 * Packages with an install script, and why they work without it. npm doesn't run these scripts, because they would have
 * all rights of the account.
 */
const worksWithoutScript = {
  '@scarf/scarf': 'the script reports the installation to its makers',
  'electron-winstaller': 'the script copies 7-Zip for an installer that is not built here',
  esbuild: 'the script replaces a launcher, which also works',
  protobufjs: 'the script only warns about version ranges of the packages that depend on it',
  usocket: 'the script compiles an optional part; the session bus of the tests is reached without it',
  'vue-demi': 'the script chooses the version of Vue; the default is the installed one',
};

it('npm runs no install script, and only packages that work without theirs have one', async () => {
  const read = (file: string) => readFile(join(import.meta.dirname, '../..', file), 'utf8');
  expect((await read('.npmrc')).split('\n')).toContain('ignore-scripts=true');
  const { packages } = lockFile.parse(JSON.parse(await read('package-lock.json')));
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript = false }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect([...new Set(names)].toSorted()).toEqual(Object.keys(worksWithoutScript).toSorted());
});

it.each([
  ['without a hash', {}],
  ['with a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
  ['from another server', { integrity: `sha512-${'a'.repeat(86)}==`, resolved: 'https://example.org/x.tgz' }],
  ['from a repository', { integrity: `sha512-${'a'.repeat(86)}==`, resolved: 'git+ssh://git@github.com/x/y.git#1' }],
  ['from a folder', { link: true, resolved: '../x' }],
])('the check of the lock file finds a package %s', (_name, entry) => {
  const text = JSON.stringify({ packages: { '': {}, 'node_modules/x': entry } });
  expect(untrustedPackages(text)).toEqual(['node_modules/x']);
});
