import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ resolved: z.optional(z.string()), integrity: z.optional(z.string()), link: z.optional(z.boolean()) }),
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
