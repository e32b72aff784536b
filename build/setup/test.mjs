// @ts-check
/**
 * `npm test`: the fast layer. `npm run test:all`: all suites; `-- --rest`: those that `npm test` does not run.
 * `-- --only unit,browser`: only these. `-- --changed [commit]`: the checks and the tests that the changes since the commit
 * (default: the uncommitted ones) affect.
 */
import { execFileSync } from 'node:child_process';
import { command, prepare, root } from './prepare.mjs';
import { ensureSandbox, sandboxText } from './sandbox.mjs';
import { SetupError } from './output.mjs';
import { failureText, suiteOutcome } from '../test/reports.mjs';
import { groupSuites, openBench, suites } from '../test/suites.mjs';

await command(async () => {
  const { selected, vitestOptions } = selectSuites(process.argv.slice(2));
  const { runtime } = await prepare({ system: selected.flatMap(({ system }) => system), runtime: true, build: true });
  if (!runtime) throw new Error('prepare() returned no runtime');
  const sandbox = ensureSandbox(runtime.dist);
  // As root, the apps under test get a separate helper for the ordinary user who starts them.
  const hasWindow = process.getuid?.() === 0 || sandbox.kind !== 'none';
  const { bench, stop } = openBench(root, runtime, { hasWindow, vitestOptions });
  const total = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  const lines = [];
  let failureTexts = '';
  /** @param {import('../test/suites.mjs').Suite} suite */
  const runOne = async (suite) => {
    const started = performance.now();
    const { passed, failed, skipped, failures } = await suite.run(bench).catch((error) => {
      process.stderr.write(`${suite.name} ended with an error: ${error instanceof Error ? error.stack : error}\n`);
      return suiteOutcome(null, 1);
    });
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    failureTexts += failureText(suite.name, failures);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const line = `${suite.name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds} s)`;
    lines.push(line);
    process.stdout.write(`\n${line}\n\n`);
  };
  /** @param {readonly import('../test/suites.mjs').Suite[]} lane */
  const runSequence = async (lane) => {
    for (const suite of lane) await runOne(suite);
  };
  try {
    for (const lanes of groupSuites(selected)) await Promise.all(lanes.map(runSequence));
  } finally {
    await stop();
  }
  process.stdout.write(`${failureTexts && `${failureTexts}\n`}${lines.join('\n')}\n\n`);
  if (!hasWindow) {
    process.stdout.write(`Everything that needs a window in its sandbox was left out. ${sandboxText(sandbox)}\n`);
  }
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed === 0 && hasWindow ? 0 : 1;
});

/** @param {readonly string[]} args */
function selectSuites(args) {
  const [layer, ...rest] = args[0] === '--all' ? args : ['--fast', ...args];
  const [option, value, ...excess] = rest;
  const names = suites.map(({ name }) => name);
  const isFast = layer === '--fast';
  if (option === undefined)
    return { selected: suites.filter((suite) => !isFast || suite.layer === 'fast'), vitestOptions: [] };
  if (option === '--rest' && !isFast && value === undefined)
    return { selected: suites.filter((suite) => suite.layer !== 'fast'), vitestOptions: [] };
  if (option === '--only' && excess.length === 0 && value?.split(',').every((name) => names.includes(name)))
    return { selected: suites.filter(({ name }) => value.split(',').includes(name)), vitestOptions: [] };
  if (option === '--changed' && isFast && excess.length === 0) return selectChanged(value ?? 'HEAD');
  throw new SetupError(
    `npm test accepts only --only with some of ${names.join(',')}, or --changed; npm run test:all only --rest or --only`,
  );
}

/**
 * Vitest selects the test files by their imports; the tests of the pages and of the app run if the program has changed.
 * @param {string} commit
 */
function selectChanged(commit) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const files = [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')];
  const isOfProgram = (/** @type {string} */ file) =>
    /^(api|dashboard|demo|electron|server)\//.test(file) && !file.endsWith('.test.ts');
  const names = new Set(['check', 'unit', 'contract', 'service', ...(files.some(isOfProgram) ? ['pages', 'app'] : [])]);
  const vitestOptions = ['--changed', commit, '--passWithNoTests'];
  return { selected: suites.filter(({ name }) => names.has(name)), vitestOptions };
}
