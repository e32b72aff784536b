// @ts-check
/** The test suites in their order, the layer of each, and the ones that run in parallel. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageForTests } from '../package/packages.mjs';
import { run } from '../setup/run.mjs';
import { shareSandbox } from '../setup/sandbox.mjs';
import { checkCode, checkStyle } from './checks.mjs';
import { startDesktopSession } from './desktopSession.mjs';
import { commandOutcome, playwrightOutcome, suiteOutcome, vitestOutcome } from './reports.mjs';

/**
 * @typedef {import('./reports.mjs').Outcome} Outcome
 *
 * @typedef {object} Bench the resources shared by the suites; each is created on first use
 * @property {string} root
 * @property {import('../setup/runtime.mjs').Runtime} runtime
 * @property {boolean} hasWindow whether Chromium can use its sandbox; without it, suites that open a window in it are
 * skipped
 * @property {readonly string[]} vitestOptions
 * @property {() => Promise<NodeJS.ProcessEnv>} desktop a screen and a session bus
 * @property {() => Promise<NodeJS.ProcessEnv>} packages the same with the paths of the packages
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {'fast' | 'all'} layer `fast`: part of `npm test`; `all`: only of `npm run test:all`
 * @property {readonly import('../setup/systemPackages.mjs').Use[]} system the system packages that it needs
 * @property {(bench: Bench) => Promise<Outcome>} run
 * @property {string} [lane] consecutive suites with lanes run in parallel, those of one lane in sequence. A suite without a
 * lane runs alone.
 */

/** A tag of Playwright: one test per panel, the safety stop, and one start of the app. */
const fastTag = '@fast';
/** Where the sandbox of a window does not work. */
const skippedOutcome = { passed: 0, failed: 0, skipped: 1, failures: [] };

/** @type {readonly Suite[]} */
export const suites = [
  // Two lanes of about the same duration. The starts of the app and of the browser mostly wait.
  { ...vitestSuite('unit', 'fast', ['pure', 'isolated', 'mounted']), lane: 'tests' },
  { ...vitestSuite('contract', 'fast', ['contract']), lane: 'tests' },
  { name: 'check', layer: 'fast', system: [], lane: 'programs', run: ({ root }) => checkCode(root) },
  {
    name: 'app',
    layer: 'fast',
    system: ['window', 'screen'],
    lane: 'programs',
    // The app as `npm start` runs it, without a package.
    run: async ({ root, runtime, desktop, hasWindow }) => {
      if (!hasWindow) return skippedOutcome;
      const app = { LAB_MANAGER_APP: runtime.executable, LAB_MANAGER_APP_ARGS: root };
      return runPlaywright(root, 'app', ['packaged-app'], { ...(await desktop()), ...app }, ['--grep', fastTag]);
    },
  },
  {
    name: 'pages',
    layer: 'fast',
    system: ['browser'],
    lane: 'programs',
    run: ({ root }) => runPlaywright(root, 'pages', ['browser'], process.env, ['--grep', fastTag]),
  },
  // Separates the lanes of the two layers.
  { name: 'style', layer: 'all', system: [], run: ({ root }) => checkStyle(root) },
  // The lab of real managers, and the installed app, mostly wait.
  commandSuite('interop-real', 'managers', ['interop', 'browser'], ['interop.mjs', '--target', 'real']),
  // Compares processor times of one run, which the other lanes hardly affect.
  commandSuite('guard', 'managers', [], ['bench.mjs', 'guard']),
  {
    name: 'interop',
    layer: 'all',
    system: [],
    lane: 'apps',
    // The demo lab.
    run: ({ root }) =>
      vitest(root, 'interop', 'e2e/interop/vitest.config.ts', { ...process.env, INTEROP_TARGET: 'demo' }),
  },
  {
    name: 'installed-app',
    layer: 'all',
    system: ['window', 'screen', 'packages'],
    lane: 'apps',
    run: async ({ root, packages }) =>
      vitest(root, 'installed-app', 'build/package/vitest.packages.config.ts', await packages()),
  },
  { ...vitestSuite('service', 'all', ['properties', 'tools', 'service']), lane: 'service', system: ['network'] },
  commandSuite('windows', 'service', ['windows'], ['windows.mjs']),
  commandSuite('container', 'service', ['containerTests'], ['testContainer.mjs']),
  commandSuite('engines', 'service', ['engines'], ['engines.mjs']),
  {
    // Not in a lane: the container tests change the machine's networks, which cuts the connections of browsers.
    name: 'browser',
    layer: 'all',
    system: ['browser'],
    // The fast layer has run the others.
    run: ({ root }) => runPlaywright(root, 'browser', ['browser'], process.env, ['--grep-invert', fastTag]),
  },
  {
    name: 'network',
    layer: 'all',
    system: ['browser', 'network'],
    run: ({ root }) => runPlaywright(root, 'network', ['network'], process.env),
  },
  // Not in parallel with the browser tests: the app's tests add addresses to the machine, which cuts their connections.
  {
    name: 'packaged-app',
    layer: 'all',
    system: ['window', 'screen', 'panels', 'packages'],
    // These projects mostly wait, so they share their workers.
    run: async ({ root, packages, hasWindow }) =>
      hasWindow
        ? runPlaywright(root, 'packaged-app', ['usual-port', 'packaged-app', 'app-process'], await packages())
        : skippedOutcome,
  },
];

/**
 * @param {string} name @param {Suite['layer']} layer @param {readonly string[]} projects of Vitest
 * @returns {Suite}
 */
function vitestSuite(name, layer, projects) {
  const options = projects.map((project) => `--project=${project}`);
  return {
    name,
    layer,
    system: [],
    run: ({ root, vitestOptions }) =>
      vitest(root, name, 'vitest.config.ts', process.env, [...options, ...vitestOptions]),
  };
}

/**
 * A suite that is also a separate command, which ends with a line of counts.
 * @param {string} name @param {string} lane @param {Suite['system']} system
 * @param {readonly [string, ...string[]]} command a file in `build/setup`, and its arguments
 * @returns {Suite}
 */
function commandSuite(name, lane, system, [file, ...args]) {
  return {
    name,
    layer: 'all',
    system,
    lane,
    run: ({ root }) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [join(root, 'build', 'setup', file), ...args], {
          cwd: root,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let output = '';
        child.stdout.on('data', (chunk) => {
          output += chunk;
          process.stdout.write(chunk);
        });
        child.once('error', reject);
        child.once('close', (code) => resolve(suiteOutcome(commandOutcome(output), code ?? 1)));
      }),
  };
}

/**
 * Groups consecutive suites with a lane. The groups run in sequence, the lanes of a group in parallel, and the suites
 * of a lane in sequence.
 * @template {{ readonly lane?: string }} One
 * @param {readonly One[]} chosen
 * @returns {One[][][]}
 */
export function groupSuites(chosen) {
  /** @type {Map<string, One[]>[]} */
  const groups = [];
  for (const [index, suite] of chosen.entries()) {
    const { lane = 'alone' } = suite;
    if (lane === 'alone' || index === 0 || chosen[index - 1]?.lane === undefined) groups.push(new Map());
    const lanes = groups.at(-1);
    lanes?.set(lane, [...(lanes.get(lane) ?? []), suite]);
  }
  return groups.map((lanes) => [...lanes.values()]);
}

/**
 * @param {string} root @param {import('../setup/runtime.mjs').Runtime} runtime
 * @param {{ hasWindow?: boolean, vitestOptions?: readonly string[] }} [options]
 * @returns {{ bench: Bench, stop: () => Promise<void> }}
 */
export function openBench(root, runtime, { hasWindow = true, vitestOptions = [] } = {}) {
  /** @type {Promise<import('./desktopSession.mjs').DesktopSession> | null} */
  let session = null;
  const desktop = async () => {
    session ??= startDesktopSession();
    const { env } = await session;
    return { ...process.env, ...env, ...(hasWindow ? {} : { LAB_MANAGER_WINDOW: 'none' }) };
  };
  return {
    bench: {
      root,
      runtime,
      hasWindow,
      vitestOptions,
      desktop,
      packages: async () => {
        const { app, releaseApp, deb, rpm } = await packageForTests(root, runtime);
        // The helper may be a link here, because the test build is never packaged.
        if (hasWindow) shareSandbox(dirname(app), runtime.dist);
        return {
          ...(await desktop()),
          LAB_MANAGER_APP: app,
          LAB_MANAGER_RELEASE_APP: releaseApp,
          LAB_MANAGER_DEB: deb,
          LAB_MANAGER_RPM: rpm,
          LAB_MANAGER_RUNTIME: runtime.dist,
        };
      },
    },
    stop: async () => (await session)?.stop(),
  };
}

/**
 * @param {string} root
 * @param {string} name of the suite's report
 * @param {string} config path of Vitest's configuration, relative to `root`
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [options]
 * @returns {Promise<Outcome>}
 */
export async function vitest(root, name, config, env, options = []) {
  const report = freshReport(root, name);
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = [program, 'run', '--config', config, ...reporters, ...options];
  const code = await run(process.execPath, args, { cwd: root, env });
  const outcome = readReport(report, vitestOutcome);
  // A change that no test file of these projects imports.
  if (options.includes('--passWithNoTests') && code === 0) return outcome ?? { ...skippedOutcome, skipped: 0 };
  return suiteOutcome(outcome, code);
}

/**
 * @param {string} root
 * @param {string} name of the suite's report
 * @param {readonly string[]} projects
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [options]
 * @returns {Promise<Outcome>}
 */
async function runPlaywright(root, name, projects, env, options = []) {
  const report = freshReport(root, name);
  const program = join(root, 'node_modules', 'playwright', 'cli.js');
  const chosen = projects.map((project) => `--project=${project}`);
  // Each run empties its folder of results.
  const output = `--output=${join(root, 'test-results', name)}`;
  const args = ['test', '-c', 'e2e/playwright.config.ts', ...chosen, ...options, output, '--reporter=line,json'];
  const code = await run(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  return suiteOutcome(readReport(report, playwrightOutcome), code);
}

/**
 * Returns the path of a report after deleting the report of the previous run. @param {string} root @param {string} name
 */
function freshReport(root, name) {
  const file = join(root, 'out', 'reports', `${name}.json`);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

/**
 * @template Report
 * @param {string} file @param {(report: Report) => Outcome} count
 * @returns {Outcome | null} `null` when the runner ended without a report
 */
function readReport(file, count) {
  return existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8'))) : null;
}
