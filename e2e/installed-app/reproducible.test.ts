/**
 * The Debian package is byte-identical when it is built again in another folder: anyone can check that it is made of these
 * sources.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sourceDateEpoch } from '../../build/package/sourceDate.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const deb = process.env['LAB_MANAGER_DEB'] ?? '';

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

test.skipIf(sourceDateEpoch(root) === null)(
  'a second build in another folder and with another umask makes the same package',
  { timeout: 240_000 },
  () => {
    mkdirSync(join(root, 'out'), { recursive: true });
    const copy = mkdtempSync(join(root, 'out', 'again-'));
    try {
      const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
      const sources = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
      for (const file of sources) {
        mkdirSync(dirname(join(copy, file)), { recursive: true });
        // Without their times, which are those of this checkout.
        cpSync(join(root, file), join(copy, file));
      }
      execFileSync('cp', ['--archive', '--link', join(root, 'node_modules'), join(copy, 'node_modules')]);
      const build = ['-c', 'umask 077 && exec "$0" build/setup/package.mjs --test-deb', process.execPath];
      // A test runner's own settings change what bundlers make.
      const environment = Object.entries(process.env).filter(
        ([name]) => !/^(VITEST|NODE_ENV|TEST|DEV|PROD|MODE|SSR|BASE_URL)/.test(name),
      );
      execFileSync('sh', build, { cwd: copy, env: Object.fromEntries(environment), stdio: 'pipe' });
      const secondDeb = readdirSync(join(copy, 'out', 'quick')).find((name) => name.endsWith('.deb')) ?? '';
      expect(secondDeb).toBe(basename(deb));
      expect(sha256(join(copy, 'out', 'quick', secondDeb))).toBe(sha256(deb));
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  },
);
