// @ts-check
/** The test suites in their order, and the ones that run in parallel. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageForTests } from '../package/packages.mjs';
import { run } from '../setup/run.mjs';
import { shareSandbox } from '../setup/sandbox.mjs';
import { check } from './checks.mjs';
import { startDesktopSession } from './desktopSession.mjs';
import { playwrightOutcome, suiteOutcome, vitestOutcome } from './reports.mjs';

/**
 * @typedef {import('./reports.mjs').Outcome} Outcome
 *
 * @typedef {object} Bench the resources shared by the suites; each is created on first use
 * @property {string} root
 * @property {boolean} hasWindow whether Chromium can use its sandbox; without it, suites that open a window in it are
 * skipped
 * @property {() => Promise<NodeJS.ProcessEnv>} desktop a screen, a session bus, and the paths of the packages
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {(bench: Bench) => Promise<Outcome>} run
 * @property {'waiting' | 'busy'} [lane] suites with a lane run in parallel with those of the other lane: a waiting
 * suite uses little CPU and tolerates a busy machine. A suite without a lane runs alone.
 */

/** @type {readonly Suite[]} */
export const suites = [
  {
    name: 'interop',
    lane: 'waiting',
    // This target needs no network; the real managers have a separate command.
    run: ({ root }) =>
      vitest(root, 'interop', 'e2e/interop/vitest.config.ts', { ...process.env, INTEROP_TARGET: 'demo' }),
  },
  { name: 'check', lane: 'busy', run: ({ root }) => check(root) },
  {
    name: 'installed-app',
    lane: 'waiting',
    run: async ({ root, desktop }) =>
      vitest(root, 'installed-app', 'build/package/vitest.packages.config.ts', await desktop()),
  },
  { name: 'unit', lane: 'busy', run: ({ root }) => vitest(root, 'unit', 'vitest.config.ts', process.env) },
  // Each suite has one or more Playwright projects. The app's projects mostly wait, so they share their workers.
  ...Object.entries({ browser: ['browser'], network: ['network'] }).map(([name, projects]) => ({
    name,
    run: async (/** @type {Bench} */ { root, desktop }) => runPlaywright(root, name, projects, await desktop()),
  })),
  {
    name: 'packaged-app',
    run: async ({ root, desktop, hasWindow }) =>
      hasWindow
        ? runPlaywright(root, 'packaged-app', ['usual-port', 'packaged-app', 'app-process'], await desktop())
        : { passed: 0, failed: 0, skipped: 1, failures: [] },
  },
];

/**
 * Groups consecutive suites with a lane. The groups run in sequence, the lanes of a group in parallel, and the suites
 * of a lane in sequence.
 * @template {{ readonly lane?: 'waiting' | 'busy' }} One
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
 * @param {string} root @param {import('../setup/runtime.mjs').Runtime} runtime @param {boolean} hasWindow
 * @returns {{ bench: Bench, stop: () => Promise<void> }}
 */
export function openBench(root, runtime, hasWindow = true) {
  /** @type {Promise<import('./desktopSession.mjs').DesktopSession> | null} */
  let session = null;
  return {
    bench: {
      root,
      hasWindow,
      desktop: async () => {
        const { app, releaseApp, deb, rpm } = await packageForTests(root, runtime);
        // The helper may be a link here, because the test build is never packaged.
        if (hasWindow) shareSandbox(dirname(app), runtime.dist);
        session ??= startDesktopSession();
        const { env } = await session;
        const packages = {
          LAB_MANAGER_APP: app,
          LAB_MANAGER_RELEASE_APP: releaseApp,
          LAB_MANAGER_DEB: deb,
          LAB_MANAGER_RPM: rpm,
          LAB_MANAGER_RUNTIME: runtime.dist,
        };
        const windowEnvironment = hasWindow ? {} : { LAB_MANAGER_WINDOW: 'none' };
        return { ...process.env, ...env, ...packages, ...windowEnvironment };
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
 * @returns {Promise<Outcome>}
 */
export async function vitest(root, name, config, env) {
  const report = freshReport(root, name);
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(process.execPath, [program, 'run', '--config', config, ...reporters], { cwd: root, env });
  return suiteOutcome(readReport(report, vitestOutcome), code);
}

/**
 * @param {string} root
 * @param {string} name of the suite's report
 * @param {readonly string[]} projects
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Outcome>}
 */
async function runPlaywright(root, name, projects, env) {
  const report = freshReport(root, name);
  const program = join(root, 'node_modules', 'playwright', 'cli.js');
  const chosen = projects.map((project) => `--project=${project}`);
  const args = ['test', '-c', 'e2e/playwright.config.ts', ...chosen, '--reporter=line,json'];
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
