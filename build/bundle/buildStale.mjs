// @ts-check
/** Builds the targets whose sources have changed since their last build. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { print } from '../setup/output.mjs';
import { buildPages } from './pages.mjs';

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {readonly string[]} sources files and folders, relative to the project
 * @property {string} output a file or folder that exists after the build
 * @property {(root: string) => Promise<void>} build loads its tools only when it is needed
 */

/** @type {readonly Target[]} */
const targets = [
  {
    name: 'program',
    sources: [
      'api',
      'server',
      'electron',
      'demo',
      'build/bundle/program.mjs',
      'build/bundle/licences.mjs',
      'package-lock.json',
    ],
    output: 'dist/server/main.js',
    build: async (root) => (await import('./program.mjs')).build(root),
  },
  {
    name: 'dashboard',
    sources: ['api', 'dashboard', 'build/icons/appIcon.ts', 'build/bundle/pages.mjs', 'package-lock.json'],
    output: 'dist/dashboard/index.html',
    build: (root) => buildPages(root, 'dashboard/vite.config.ts'),
  },
  {
    name: 'shell pages',
    sources: ['api', 'dashboard', 'electron', 'server', 'build/bundle/pages.mjs', 'package-lock.json'],
    output: 'dist/shell/index.html',
    build: (root) => buildPages(root, 'electron/pages/vite.config.ts'),
  },
  {
    name: 'user guide',
    sources: [
      'docs/guide',
      'docs/screenshots',
      'api/managers.ts',
      'api/nearestName.ts',
      'api/states.ts',
      'api/themeColors.ts',
      'build/bundle/guide.mjs',
      'build/guide',
      'build/icons/appIcon.ts',
      'electron/pages/guide',
      'server/settings',
      'package-lock.json',
    ],
    output: 'dist/help/index.html',
    build: async (root) => (await import('./guide.mjs')).build(root),
  },
  {
    name: 'API documentation pages',
    sources: ['build/bundle/swaggerUi.mjs', 'package-lock.json'],
    output: 'dist/swagger-ui/swagger-ui.css',
    build: async (root) => (await import('./swaggerUi.mjs')).build(root),
  },
  {
    name: 'icons',
    sources: ['build/icons', 'build/bundle/icons.mjs', 'api/states.ts', 'api/stateShapes.ts', 'package-lock.json'],
    output: 'dist/icons/icon.png',
    build: async (root) => (await import('./icons.mjs')).build(root),
  },
];

/**
 * Builds the stale targets; first it waits while another process builds the same folder, such as another worker of a
 * test run. Writes nothing if every target is fresh: an ordinary user runs what root has built.
 * @param {string} root
 */
export async function buildStale(root) {
  if (listStaleTargets(root).length === 0) return;
  const unlock = await lockBuild(join(root, 'dist', '.built'));
  try {
    for (const { target, stampFile, stamp } of listStaleTargets(root)) {
      print(`Building the ${target.name}`);
      await target.build(root);
      writeFileSync(stampFile, stamp);
    }
  } finally {
    unlock();
  }
}

/** Returns the targets to build, with the file and the content that mark each as fresh. @param {string} root */
function listStaleTargets(root) {
  return targets
    .map((target) => ({
      target,
      stampFile: join(root, 'dist', '.built', target.name.replace(/\W+/g, '-')),
      stamp: fingerprint(root, target.sources),
    }))
    .filter(
      ({ target, stampFile, stamp }) =>
        !existsSync(join(root, target.output)) || !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp,
    );
}

/**
 * Creates the lock file of a build, and returns the function that removes it. A file that an interrupted build has left
 * is replaced.
 * @param {string} folder @returns {Promise<() => void>}
 */
async function lockBuild(folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  for (let isFirst = true; ; isFirst = false) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (isAbandoned(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (isFirst) print(`Waiting for another build, which has the lock file ${file}`);
    await sleep(100);
  }
}

/** @param {string} file a lock file, or one that has just been removed */
function isAbandoned(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // The file is empty between its creation and the write of the process ID.
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * Returns a hash of the paths, sizes and modification times of the sources without tests, which changes with any of
 * them.
 * @param {string} root @param {readonly string[]} sources files and folders, relative to the project
 */
export function fingerprint(root, sources) {
  const hash = createHash('sha256');
  for (const source of sources) addPath(join(root, source));
  return hash.digest('hex');

  /** @param {string} path */
  function addPath(path) {
    const stats = statSync(path);
    if (!stats.isDirectory()) return void hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
    for (const name of readdirSync(path).toSorted()) {
      if (!name.endsWith('.test.ts')) addPath(join(path, name));
    }
  }
}
