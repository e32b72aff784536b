// @ts-check
/**
 * `npm run test:stability [-- --runs 20] [--only unit,contract]`: repeats the tests of the fast layer, or other suites of
 * Vitest or Playwright, while two processes keep both cores busy and random test processes are stopped for up to 2 s. In
 * Vitest, the monotonic clock also runs thirty times as fast. A test that fails here depends on the machine's speed.
 */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { command, root } from './prepare.mjs';
import { SetupError } from './output.mjs';

const busyProcesses = 2;
const maxStopMs = 2000;
const stopIntervalMs = 1500;
const defaultSuites = 'unit,contract,pages,app';

await command(async () => {
  const { runs, only } = parseOptions(process.argv.slice(2));
  const load = Array.from({ length: busyProcesses }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  let failedRuns = 0;
  try {
    for (let run = 1; run <= runs; run += 1) {
      const started = performance.now();
      const { code, output } = await runOnce(only);
      if (code !== 0) failedRuns += 1;
      const failures = output.split('\n').filter((line) => /^(FAILED |\| )/.test(line));
      const seconds = Math.round((performance.now() - started) / 1000);
      process.stdout.write(
        [`run ${run} of ${runs}: ${code === 0 ? 'passed' : 'failed'} (${seconds} s)`, ...failures, ''].join('\n'),
      );
    }
  } finally {
    for (const child of load) child.kill('SIGKILL');
  }
  process.stdout.write(`\n${runs - failedRuns} of ${runs} runs passed\n`);
  return failedRuns === 0 ? 0 : 1;
});

/** @param {readonly string[]} args */
function parseOptions(args) {
  let [runs, only] = [20, defaultSuites];
  for (let index = 0; index < args.length; index += 2) {
    const [option, value = ''] = args.slice(index, index + 2);
    if (option === '--runs' && /^[1-9]\d*$/.test(value)) runs = Number(value);
    else if (option === '--only' && value !== '') only = value;
    else throw new SetupError('npm run test:stability accepts only --runs with a number and --only with suites');
  }
  return { runs, only };
}

/** Runs the suites once. @param {string} only @returns {Promise<{ code: number, output: string }>} */
function runOnce(only) {
  return new Promise((resolve, reject) => {
    const args = [join(root, 'build', 'setup', 'test.mjs'), '--all', '--only', only];
    const env = { ...process.env, TEST_CLOCK_FACTOR: '30' };
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const pauses = setInterval(() => stopRandomProcess(child.pid ?? 0), stopIntervalMs);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(pauses);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Stops a random process of a test run for a random time. @param {number} ancestor */
function stopRandomProcess(ancestor) {
  const candidates = findDescendants(ancestor);
  const pid = candidates[Math.floor(Math.random() * candidates.length)];
  if (pid === undefined) return;
  signal(pid, 'SIGSTOP');
  setTimeout(() => signal(pid, 'SIGCONT'), Math.random() * maxStopMs);
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    return; // The process has ended since it was listed.
  }
}

/** @param {number} ancestor @returns {number[]} */
function findDescendants(ancestor) {
  /** @type {Map<number, number>} */
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      continue; // The process has ended since it was listed.
    }
  }
  const isDescendant = (/** @type {number} */ pid) => {
    for (let parent = parents.get(pid); parent !== undefined; parent = parents.get(parent))
      if (parent === ancestor) return true;
    return false;
  };
  return [...parents.keys()].filter(isDescendant);
}
