// @ts-check
/**
 * Runs the static checks: types, lint, layers, unused exports, identical blocks, format, spelling, workflows; one process per processor at a time.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { sourceFolders } from './layers.mjs';
import { createFailure } from './reports.mjs';

/** @typedef {{ readonly name: string, readonly program: string, readonly args: readonly string[] }} Step */

/** The native compiler. It has no API, so vue-tsc and the build use the package `typescript`. */
const typescript = 'node_modules/typescript-7/bin/tsc';

/**
 * The checks of `npm test`. In both lists, the slowest is first, which shortens the total time.
 * @type {readonly Step[]}
 */
const codeSteps = [
  {
    // The project of the shell's pages contains the dashboard.
    name: "types of the dashboard and the shell's pages",
    program: 'node_modules/vue-tsc/bin/vue-tsc.js',
    args: ['--noEmit', '-p', 'electron/pages', '--incremental', '--tsBuildInfoFile', 'out/pages.tsbuildinfo'],
  },
  {
    name: 'layers',
    program: 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--config', 'build/test/layers.mjs', '--output-type', 'err', ...sourceFolders],
  },
  { name: 'types', program: typescript, args: ['--noEmit', '-p', '.'] },
  { name: 'types of the end-to-end tests and the bench', program: typescript, args: ['--noEmit', '-p', 'e2e'] },
  { name: 'lint', program: 'node_modules/oxlint/bin/oxlint', args: ['--deny-warnings'] },
];

/** @type {readonly Step[]} */
const styleSteps = [
  {
    name: 'unused exports, files and dependencies',
    program: 'node_modules/knip/bin/knip.js',
    args: ['--config', 'build/test/knip.json', '--no-progress', '--treat-config-hints-as-errors'],
  },
  { name: 'format', program: 'node_modules/prettier/bin/prettier.cjs', args: ['--check', '--log-level', 'warn', '.'] },
  {
    name: 'spelling',
    program: 'node_modules/cspell/bin.mjs',
    args: [
      'lint',
      '--config',
      'build/test/cspell.json',
      '--root',
      '.',
      '--no-progress',
      '--no-summary',
      '**/*.{ts,mjs,vue,md}',
    ],
  },
  { name: 'workflows', program: 'node_modules/tsx/dist/cli.mjs', args: ['build/test/workflows.ts'] },
  { name: 'identical blocks', program: 'build/test/duplicates.mjs', args: [] },
];

/** Checks types, lint and layers. @param {string} root */
export function checkCode(root) {
  return runSteps(root, codeSteps);
}

/**
 * Checks format and spelling, and finds unused exports, identical blocks and mistakes in workflows.
 * @param {string} root
 */
export function checkStyle(root) {
  return runSteps(root, styleSteps);
}

/**
 * Runs checks, and prints the findings and the result of each when it ends.
 * @param {string} root @param {readonly Step[]} steps
 * @returns {Promise<import('./reports.mjs').Outcome>} each check counts as one test
 */
async function runSteps(root, steps) {
  const pending = [...steps];
  /** @type {import('./reports.mjs').Failure[]} */
  const failures = [];
  const runPendingSteps = async () => {
    for (let step = pending.shift(); step; step = pending.shift()) {
      const started = performance.now();
      const { code, output } = await runCollected(root, step);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (code !== 0) failures.push(createFailure(step.name, output));
      process.stdout.write(
        `${code === 0 ? '' : output}check ${step.name}: ${code === 0 ? 'ok' : 'failed'} (${seconds} s)\n`,
      );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runPendingSteps));
  return { passed: steps.length - failures.length, failed: failures.length, skipped: 0, failures };
}

/**
 * @param {string} root @param {Step} step
 * @returns {Promise<{ code: number, output: string }>}
 */
function runCollected(root, step) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, step.program), ...step.args], { cwd: root });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
