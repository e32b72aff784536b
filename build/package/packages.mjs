// @ts-check
/** Runs electron-builder for packages that are older than their sources. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fingerprint } from '../bundle/buildStale.mjs';
import { run } from '../setup/run.mjs';
import { announce, SetupError } from '../setup/output.mjs';
import { isOnPath, findProgram } from '../setup/systemPackages.mjs';
import { sourceDateEpoch } from './sourceDate.mjs';

/** The sources of a package, besides the runtime. */
const sources = ['dist', 'resources', 'build', 'package.json', 'package-lock.json', 'LICENSE', 'CHANGELOG.md'];

const unpacked = process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`;

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {readonly string[]} targets arguments of electron-builder
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(root: string) => string | null} output the program or package that it builds; `null` if missing
 *
 * @typedef {object} TestPackages
 * @property {string} app program of the build that accepts a debugger
 * @property {string} releaseApp program of the release build
 * @property {string} deb
 * @property {string} rpm
 */

/** @type {Job} */
const releaseDir = {
  name: 'app',
  targets: ['--linux', 'dir'],
  output: (root) => existingFile(join(root, 'out', unpacked, 'lab-manager')),
};

/** @type {Job} */
const testDir = {
  name: 'app for the tests',
  targets: ['--linux', 'dir'],
  env: { E2E_BUILD: '1' },
  output: (root) => existingFile(join(root, 'out', 'e2e', unpacked, 'lab-manager')),
};

const prepackaged = ['--prepackaged', `out/${unpacked}`];

/** @type {Job} */
const deb = {
  name: 'Debian package',
  targets: ['--linux', 'deb', ...prepackaged],
  output: (root) => findPackage(join(root, 'out'), '.deb'),
};

/** @type {Job} */
const quickDeb = {
  ...deb,
  name: 'Debian package for the tests',
  env: { QUICK_DEB: '1' },
  output: (root) => findPackage(join(root, 'out', 'quick'), '.deb'),
};

/** @type {Job} */
const quickRpm = {
  name: 'RPM package for the tests',
  targets: ['--linux', 'rpm', ...prepackaged],
  env: { QUICK_DEB: '1' },
  output: (root) => findPackage(join(root, 'out', 'quick'), '.rpm'),
};

/** @param {string} file */
function existingFile(file) {
  return existsSync(file) ? file : null;
}

/** @param {string} directory @param {string} ending */
function findPackage(directory, ending) {
  const name = existsSync(directory) ? readdirSync(directory).find((file) => file.endsWith(ending)) : undefined;
  return name === undefined ? null : join(directory, name);
}

/**
 * Builds the packages that this machine can release: on Linux the unpacked app and its Debian package (with RELEASE=1
 * also the RPM package, and the AppImage, whose tools are downloaded), on other systems their installer.
 * @param {string} root @param {import('../setup/runtime.mjs').Runtime} runtime
 */
export async function packageForRelease(root, runtime) {
  if (process.platform !== 'linux') return runElectronBuilder(root, 'installer', []);
  if (process.env['RELEASE'] !== '1') return void (await packageDeb(root, runtime));
  await runJob(root, runtime, releaseDir);
  await runElectronBuilder(root, 'packages', ['--linux']);
}

/**
 * Builds the macOS app as a zip archive, also on Linux, where it is not signed.
 * @param {string} root @param {string} arch `x64` or `arm64`
 */
export async function packageForMac(root, arch) {
  const env = { PACKAGE_PLATFORM: 'darwin', PACKAGE_ARCH: arch };
  await runElectronBuilder(root, 'macOS app', ['--mac', 'zip', `--${arch}`], env);
}

/**
 * Builds the unpacked app for Windows, for `buildWindowsInstaller`.
 * @param {string} root
 * @returns {Promise<string>} its directory
 */
export async function buildWindowsApp(root) {
  const env = { PACKAGE_PLATFORM: 'win32', PACKAGE_ARCH: 'x64' };
  await runElectronBuilder(root, 'Windows app', ['--win', 'dir', '--x64'], env);
  return join(root, 'out', 'win-unpacked');
}

/**
 * Builds the compressed Debian package.
 * @param {string} root @param {import('../setup/runtime.mjs').Runtime} runtime
 * @returns {Promise<string>} its path
 */
export async function packageDeb(root, runtime) {
  await runJob(root, runtime, releaseDir);
  return runJob(root, runtime, deb);
}

/**
 * Builds the packages under test: the release build, its variant for the debugger, and uncompressed packages.
 * @param {string} root @param {import('../setup/runtime.mjs').Runtime} runtime
 * @returns {Promise<TestPackages>}
 */
export async function packageForTests(root, runtime) {
  return {
    releaseApp: await runJob(root, runtime, releaseDir),
    app: await runJob(root, runtime, testDir),
    deb: await packageTestDeb(root, runtime),
    rpm: await runJob(root, runtime, quickRpm),
  };
}

/**
 * Builds only the uncompressed Debian package under test.
 * @param {string} root @param {import('../setup/runtime.mjs').Runtime} runtime
 * @returns {Promise<string>} its path
 */
export async function packageTestDeb(root, runtime) {
  await runJob(root, runtime, releaseDir);
  return runJob(root, runtime, quickDeb);
}

/**
 * Builds only the unpacked release app, which the benches measure.
 * @param {string} root @param {import('../setup/runtime.mjs').Runtime} runtime
 * @returns {Promise<string>} its program
 */
export function packageForBench(root, runtime) {
  return runJob(root, runtime, releaseDir);
}

/** @param {string} root @param {import('../setup/runtime.mjs').Runtime} runtime @param {Job} job */
async function runJob(root, runtime, job) {
  const stampFile = join(root, 'out', '.package', `${job.name.replace(/\W+/g, '-')}.stamp`);
  // The files of a package have the time of the commit.
  const epoch = job.targets.includes('--prepackaged') ? sourceDateEpoch(root) : null;
  const stamp = `${fingerprint(root, sources)} ${runtime.dist} ${runtime.version} ${runtime.origin} ${epoch}`;
  const previous = job.output(root);
  if (previous !== null && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return previous;
  if (previous !== null && job.targets.includes('--prepackaged')) rmSync(previous);
  await runElectronBuilder(root, job.name, job.targets, job.env);
  const packageFile = job.output(root);
  if (packageFile === null) throw new Error(`electron-builder wrote no ${job.name}`);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
  return packageFile;
}

/**
 * @param {string} root
 * @param {string} name
 * @param {readonly string[]} targets
 * @param {NodeJS.ProcessEnv} [extraEnvironment]
 */
async function runElectronBuilder(root, name, targets, extraEnvironment = {}) {
  // Prevents electron-builder from downloading fpm; `fpm.mjs` implements the part that is needed.
  const fpm = isOnPath('fpm')
    ? { USE_SYSTEM_FPM: 'true' }
    : { CUSTOM_FPM_PATH: join(root, 'build', 'package', 'fpm.mjs') };
  // Prevents the download of 7-Zip if the system has it.
  const sevenZip = process.platform === 'linux' ? findProgram('7za') : null;
  const zip = sevenZip === null ? {} : { ELECTRON_BUILDER_7ZIP_PATH: sevenZip };
  const program = join(root, 'node_modules', 'electron-builder', 'cli.js');
  const args = [program, ...targets, '--config', 'build/electron-builder.config.mjs', '--publish', 'never'];
  const epoch = sourceDateEpoch(root);
  const env = {
    ...process.env,
    ...fpm,
    ...zip,
    ...(epoch === null ? {} : { SOURCE_DATE_EPOCH: String(epoch) }),
    ...extraEnvironment,
  };
  await announce(`Packaging: ${name}`, async () => {
    const code = await run(process.execPath, args, { cwd: root, env, quiet: true });
    if (code !== 0) throw new SetupError(`electron-builder ended with exit code ${code} (see above)`);
  });
}
