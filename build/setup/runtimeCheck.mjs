// @ts-check
/** Whether a directory holds a whole Electron runtime: a killed download leaves some of its files, the version among them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const startMs = 30_000;

/** Where in the directory the program is, as Electron's own installer has it. */
export function programPath() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * Looks for what is wrong with a runtime, by starting it.
 * @param {string} dist
 * @param {string | null} version the one it must be; `null` is any
 * @returns {string | null} what is wrong, `null` for nothing
 */
export function runtimeFault(dist, version) {
  const installedVersion = textOf(join(dist, 'version'))?.replace(/^v/, '') ?? null;
  if (installedVersion === null) return 'it has no file that says its version';
  if (version !== null && installedVersion !== version) return `it is version ${installedVersion}, not ${version}`;
  // As plain Node it needs neither screen nor sandbox.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', LC_ALL: 'C' };
  const args = ['-p', 'process.versions.electron'];
  const { error, status, stdout, stderr } = spawnSync(join(dist, programPath()), args, {
    env,
    timeout: startMs,
    encoding: 'utf8',
  });
  // That is this system's fault. Whoever wants the window gets the libraries, or is told of them; a build doesn't need them.
  if (stderr?.includes('error while loading shared libraries')) return null;
  if (error || status !== 0) {
    return `its program can't be started (${error?.message ?? (stderr.split('\n')[0] || `exit code ${status}`)})`;
  }
  const found = stdout.trim();
  return found === installedVersion ? null : `its program is version ${found || 'unknown'}, not ${installedVersion}`;
}

/**
 * The same for the runtime that Electron's installer puts into its package. The installer says at the very end where the
 * program is; the files of a runtime that a window needs are more than those that its start as plain Node does.
 * @param {string} electronPackage directory of the package `electron`
 * @returns {string | null}
 */
export function officialFault(electronPackage) {
  if (textOf(join(electronPackage, 'path.txt')) !== programPath()) return 'its download was not finished';
  const { version } = JSON.parse(readFileSync(join(electronPackage, 'package.json'), 'utf8'));
  return runtimeFault(join(electronPackage, 'dist'), version);
}

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null; // Not there, which is an answer.
  }
}
