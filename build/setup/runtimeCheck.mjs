// @ts-check
/**
 * Checks whether a directory contains a complete Electron runtime: an interrupted download leaves some files, including
 * the version.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const startTimeoutMs = 30_000;

/** Returns the program's path in the directory, as Electron's installer defines it. */
export function programPath() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * Checks a runtime by starting it.
 * @param {string} dist
 * @param {string | null} version the required version; `null` accepts any
 * @returns {string | null} the fault, `null` for none
 */
export function runtimeFault(dist, version) {
  const installedVersion = readText(join(dist, 'version'))?.replace(/^v/, '') ?? null;
  if (installedVersion === null) return 'it has no file with its version';
  if (version !== null && installedVersion !== version) return `it is version ${installedVersion}, not ${version}`;
  // As plain Node it needs neither screen nor sandbox.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', LC_ALL: 'C' };
  const args = ['-p', 'process.versions.electron'];
  const { error, status, stdout, stderr } = spawnSync(join(dist, programPath()), args, {
    env,
    timeout: startTimeoutMs,
    encoding: 'utf8',
  });
  // Missing system libraries aren't the runtime's fault. A build doesn't need them; starting a window installs or
  // reports them.
  if (stderr?.includes('error while loading shared libraries')) return null;
  if (error || status !== 0) {
    return `its program can't be started (${error?.message ?? (stderr.split('\n')[0] || `exit code ${status}`)})`;
  }
  const reportedVersion = stdout.trim();
  return reportedVersion === installedVersion
    ? null
    : `its program is version ${reportedVersion || 'unknown'}, not ${installedVersion}`;
}

/**
 * Checks the runtime in the package of Electron's installer. The installer writes the program's path last; starting the
 * runtime as plain Node doesn't load all the files that a window needs.
 * @param {string} electronPackage directory of the package `electron`
 * @returns {string | null}
 */
export function officialFault(electronPackage) {
  if (readText(join(electronPackage, 'path.txt')) !== programPath()) return 'its download was not finished';
  const { version } = JSON.parse(readFileSync(join(electronPackage, 'package.json'), 'utf8'));
  return runtimeFault(join(electronPackage, 'dist'), version);
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null; // A missing file is a valid result.
  }
}
