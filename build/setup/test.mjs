// @ts-check
/**
 * `npm test`: runs all suites; suites that mostly wait run in parallel with others. `npm test -- --only unit,installed-app`
 * runs only these.
 */
import { command, prepare, root } from './prepare.mjs';
import { ensureSandbox, sandboxText } from './sandbox.mjs';
import { SetupError } from './output.mjs';

await command(async () => {
  const args = process.argv.slice(2);
  const only = args[0] === '--only' && args.length === 2 ? (args[1] ?? '').split(',') : null;
  const { runtime } = await prepare({ system: 'tests', runtime: true, build: true });
  if (!runtime) throw new Error('prepare() returned no runtime');
  const { groupSuites, openBench, suites } = await import('../test/suites.mjs');
  const { failureText, suiteOutcome } = await import('../test/reports.mjs');
  const names = suites.map(({ name }) => name);
  if ((args.length > 0 && !only) || only?.some((name) => !names.includes(name))) {
    throw new SetupError(`npm test accepts only --only with some of ${names.join(',')}`);
  }
  const sandbox = ensureSandbox(runtime.dist);
  // As root, the apps under test get a separate helper for the ordinary user who starts them.
  const hasWindow = process.getuid?.() === 0 || sandbox.kind !== 'none';
  const { bench, stop } = openBench(root, runtime, hasWindow);
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
    const selectedSuites = suites.filter(({ name }) => only?.includes(name) ?? true);
    for (const lanes of groupSuites(selectedSuites)) await Promise.all(lanes.map(runSequence));
  } finally {
    await stop();
  }
  const ranCount = total.passed + total.failed;
  process.stdout.write(`${failureTexts && `${failureTexts}\n`}${lines.join('\n')}\n\n${ranCount} tests ran\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  if (!hasWindow) {
    process.stdout.write(`\nEverything that needs a window in its sandbox was left out. ${sandboxText(sandbox)}`);
  }
  return total.failed === 0 && hasWindow ? 0 : 1;
});
