// @ts-check
/**
 * `npm run test:interop`: tests the contracts, the demo lab, the lab manager and its dashboard against real MADSci
 * managers from PyPI. The suite is skipped if PyPI is unreachable. `--target real` or `demo` selects one
 * target. `--madsci 0.7.1` uses an older workcell manager, location manager and nodes, with their tests.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { failureText } from '../test/reports.mjs';
import { vitest } from '../test/suites.mjs';
import { ensureCached } from './cache.mjs';
import { command, prepare, root } from './prepare.mjs';
import { run } from './run.mjs';
import { cacheDir } from './runtime.mjs';
import { print, announce, SetupError } from './output.mjs';
import { ensureSystemPackages } from './systemPackages.mjs';

/**
 * @typedef {import('../test/reports.mjs').Outcome} Outcome
 *
 * @typedef {'real' | 'demo'} Target the managers under test
 *
 * @typedef {'0.8.1' | '0.7.1'} Version of the workcell and location managers and the nodes; the others are always the
 * newest
 */

const newestVersion = '0.8.1';
/** The tests that need a browser. */
const browserTests = 'e2e/interop/browser/';
/** One package of each requirement set, requested to detect whether a package index is available. */
const probePackages = /** @type {const} */ ({ '0.8.1': 'madsci.squid', '0.7.1': 'madsci.location_manager' });
/** The size of each set, in megabytes. */
const sizesMb = /** @type {const} */ ({ '0.8.1': 530, '0.7.1': 140 });
/** The Python versions of the locked requirements; `python3` is last because it is often older or newer. */
const interpreters = /** @type {const} */ (['python3.11', 'python3.12', 'python3.13', 'python3']);
const execute = promisify(execFile);

/** PyPI, or the index that pip is configured to use, is unreachable. */
class PypiUnreachableError extends Error {}

await command(async () => {
  const { targets, madsci } = parseOptions(process.argv.slice(2));
  // The dashboard is tested in a browser only with the newest real managers.
  const testsDashboard = targets.includes('real') && madsci === newestVersion;
  await prepare({ system: testsDashboard ? ['browser'] : [], runtime: false, build: testsDashboard });
  /** @type {Outcome[]} */
  const outcomes = [];
  let failureTexts = '';
  for (const target of targets) {
    const outcome = await runTarget(target, madsci);
    failureTexts += failureText(`interop-${target}`, outcome.failures);
    outcomes.push(outcome);
  }
  const total = addOutcomes(outcomes);
  process.stdout.write(failureTexts && `${failureTexts}\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed === 0 ? 0 : 1;
});

/** @param {readonly Outcome[]} outcomes @returns {Outcome} */
function addOutcomes(outcomes) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), failures };
}

/** @param {readonly string[]} args @returns {{ targets: readonly Target[], madsci: Version }} */
function parseOptions(args) {
  const [option, value, ...rest] = args;
  if (option === undefined) return { targets: ['real', 'demo'], madsci: newestVersion };
  if (rest.length === 0 && option === '--target' && (value === 'real' || value === 'demo'))
    return { targets: [value], madsci: newestVersion };
  // The demo lab imitates only the newest version.
  if (rest.length === 0 && option === '--madsci' && value === '0.7.1') return { targets: ['real'], madsci: value };
  if (rest.length === 0 && option === '--madsci' && value === newestVersion)
    return { targets: ['real'], madsci: newestVersion };
  throw new SetupError('npm run test:interop accepts only one of --target real|demo and --madsci 0.8.1|0.7.1');
}

/** @param {Target} target @param {Version} madsci @returns {Promise<Outcome>} */
async function runTarget(target, madsci) {
  try {
    const python = target === 'real' ? { LAB_MANAGER_MADSCI_PYTHON: await ensureMadsci(newestVersion) } : {};
    const versionEnvironment =
      madsci === newestVersion ? {} : { LAB_MANAGER_MADSCI_07_PYTHON: await ensureMadsci(madsci) };
    const name = `interop-${madsci === newestVersion ? target : madsci}`;
    const env = { ...process.env, ...python, ...versionEnvironment, INTEROP_TARGET: target };
    const runPart = (/** @type {string} */ part, /** @type {readonly string[]} */ options) =>
      vitest(root, part, 'e2e/interop/vitest.config.ts', env, options);
    if (target === 'demo' || madsci !== newestVersion) return await runPart(name, []);
    // Two labs, because their tests wait more than they compute.
    return addOutcomes(
      await Promise.all([
        runPart(name, ['--exclude', `${browserTests}**`]),
        runPart(`${name}-browser`, [browserTests]),
      ]),
    );
  } catch (error) {
    if (!(error instanceof PypiUnreachableError)) throw error;
    process.stdout.write(`SKIPPED: ${error.message}\n`);
    return { passed: 0, failed: 0, skipped: 1, failures: [] };
  }
}

/**
 * Returns the Python of a virtual environment with MADSci's packages, creating it if missing.
 * @param {Version} madsci
 * @returns {Promise<string>}
 */
async function ensureMadsci(madsci) {
  await ensureSystemPackages(['interop']);
  const requirements = join(root, 'e2e', 'interop', `requirements-${madsci}.txt`);
  const { path, version } = await findPython(madsci);
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const target = join(cacheDir(), `madsci-${madsci}-python${version}-${hash}`);
  await ensureCached(target, async (folder) => {
    await createVirtualEnvironment(path, folder, madsci, requirements);
    return folder;
  });
  return join(target, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
}

/** @param {Version} madsci @returns {Promise<{ path: string, version: string }>} */
async function findPython(madsci) {
  const script = 'import sys, ensurepip, venv; print(sys.executable, "%d.%d" % sys.version_info[:2], sep="\\n")';
  for (const name of interpreters) {
    const result = await execute(name, ['-c', script]).catch(() => null); // Missing, or without venv: try the next one.
    const [path = '', output = ''] = result?.stdout.trim().split(/\r?\n/) ?? [];
    if (['3.11', '3.12', '3.13'].includes(output)) return { path, version: output };
  }
  throw new PypiUnreachableError(
    `MADSci ${madsci} needs Python 3.11, 3.12 or 3.13 with its venv module, and there is none here`,
  );
}

/** @param {string} python @param {string} folder @param {Version} madsci @param {string} requirements */
async function createVirtualEnvironment(python, folder, madsci, requirements) {
  await execute(python, ['-m', 'venv', folder]);
  const pip = [join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python'), '-m', 'pip'];
  const [program = '', ...args] = [...pip, '--disable-pip-version-check', '--no-input'];
  await assertPypiReachable(program, args, folder, madsci);
  const install = ['install', '--quiet', '--require-hashes', '--only-binary', ':all:', '-r', requirements];
  const code = await announce(`Installing MADSci ${madsci} from PyPI (${sizesMb[madsci]} MB)`, () =>
    run(program, [...args, ...install], { quiet: true }),
  );
  if (code !== 0) throw new SetupError(`pip could not install ${requirements} (see above)`);
}

/**
 * Throws `PypiUnreachableError` if no package index is available.
 * @param {string} program @param {readonly string[]} args @param {string} folder @param {Version} madsci
 */
async function assertPypiReachable(program, args, folder, madsci) {
  const downloadOptions = ['--no-deps', '--retries', '1', '--timeout', '20', '--dest', join(folder, 'probe')];
  try {
    await execute(program, [...args, 'download', '--quiet', ...downloadOptions, `${probePackages[madsci]}==${madsci}`]);
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n') : [];
    const cause = output.find((line) => /retrying|connection|timed out|proxy|ssl|resolution|http error/i.test(line));
    if (cause === undefined)
      throw new SetupError(`pip could not fetch ${probePackages[madsci]} ${madsci}:\n\n${output.join('\n')}`);
    print(output.join('\n'));
    const short = cause
      .replace(/^.*broken by '/, '')
      .replaceAll(/<[^>]*>/g, '')
      .slice(0, 80);
    throw new PypiUnreachableError(`PyPI cannot be reached, so MADSci ${madsci} cannot be installed: ${short} …`);
  }
}
