// @ts-check
/** Reads the numbers of passed, failed and skipped tests, and the failures, from the JSON reports of the test runners. */
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 *
 * @typedef {object} Failure a failed test, file, check or suite
 * @property {string} test its file, and its titles from the outermost
 * @property {string} reason the first lines of the runner's message
 *
 * @typedef {Counts & { failures: readonly Failure[] }} Outcome of a suite
 */

/**
 * @typedef {object} VitestReport the part of Vitest's JSON report that is read here
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly VitestFile[]} testResults
 *
 * @typedef {object} VitestFile
 * @property {string} name its path
 * @property {string} status
 * @property {string} [message] the reason why the file couldn't be loaded
 * @property {readonly VitestAssertion[]} assertionResults
 *
 * @typedef {object} VitestAssertion
 * @property {string} status
 * @property {string} fullName
 * @property {number | null} [duration] in ms
 * @property {readonly string[] | null} failureMessages
 *
 * @typedef {object} PlaywrightReport the part of Playwright's JSON report that is read here
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {readonly { readonly message?: string }[]} errors outside of tests
 * @property {readonly PlaywrightGroup[]} suites
 *
 * @typedef {object} PlaywrightGroup a file, or a `describe` in it
 * @property {string} title
 * @property {readonly PlaywrightGroup[]} [suites]
 * @property {readonly PlaywrightSpec[]} [specs]
 *
 * @typedef {object} PlaywrightSpec
 * @property {string} title
 * @property {readonly { readonly status: string, readonly results: readonly { readonly error?: { readonly message?: string } }[] }[]} tests
 */

/** The maximum number of lines per failure in the summary; the runner's output has the full text. */
const maxReasonLines = 12;

/** @param {VitestReport} report @returns {Outcome} */
export function vitestOutcome({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  // A failed file without a failed test, such as one that can't be loaded, counts as one failed test.
  const failedFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed'),
  );
  const failures = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, duration, failureMessages }) =>
        createFailure(`${name} › ${fullName}`, vitestReason(failureMessages?.[0], duration)),
      ),
  );
  return {
    ...parseCounts(numPassedTests, numFailedTests + failedFiles.length, numPendingTests + numTodoTests),
    failures: [...failures, ...failedFiles.map(({ name, message }) => createFailure(name, message))],
  };
}

/**
 * Vitest's report of a test that exceeded its limit contains a placeholder instead of the reason.
 * @param {string | undefined} message @param {number | null | undefined} duration in ms
 */
function vitestReason(message, duration) {
  return message?.replace(/^Error: STACK_TRACE_ERROR$/m, `timed out after ${((duration ?? 0) / 1000).toFixed(1)} s`);
}

/** A flaky test counts as failed. @param {PlaywrightReport} report @returns {Outcome} */
export function playwrightOutcome({ stats, errors, suites }) {
  return {
    ...parseCounts(stats.expected, stats.unexpected + stats.flaky + errors.length, stats.skipped),
    failures: [
      ...suites.flatMap((group) => groupFailures(group, [])),
      ...errors.map(({ message }) => createFailure('outside of the tests', message)),
    ],
  };
}

/**
 * @param {PlaywrightGroup} group
 * @param {readonly string[]} titles of the enclosing groups
 * @returns {Failure[]}
 */
function groupFailures({ title, suites = [], specs = [] }, titles) {
  const path = [...titles, title];
  const failed = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) =>
        createFailure([...path, spec.title].join(' › '), results.find(({ error }) => error)?.error?.message),
      ),
  );
  return [...failed, ...suites.flatMap((inner) => groupFailures(inner, path))];
}

/** @param {string} test @param {string} [message] the runner's message @returns {Failure} */
export function createFailure(test, message = 'it gave no reason') {
  return { test, reason: stripVTControlCharacters(message).trim().split('\n').slice(0, maxReasonLines).join('\n') };
}

/**
 * Returns the failures as text for the end of a long run: each test's line begins with `FAILED `, its reason's lines with
 * `| `.
 * @param {string} suite @param {readonly Failure[]} failures
 */
export function failureText(suite, failures) {
  return failures.map(({ test, reason }) => `FAILED ${suite}: ${test}\n${reason.replace(/^/gm, '| ')}\n`).join('');
}

/**
 * Prints the failures and the counts of a suite that is a separate command; `.ci/run` reads the last line.
 * @param {string} suite @param {Outcome} outcome
 * @returns {number} the exit code
 */
export function printOutcome(suite, { passed, failed, skipped, failures }) {
  const texts = failureText(suite, failures);
  process.stdout.write(`${texts && `${texts}\n`}${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return failed === 0 ? 0 : 1;
}

/**
 * Reads what `printOutcome` printed at the end of a command.
 * @param {string} output
 * @returns {Outcome | null} `null` when the command ended without its line of counts
 */
export function commandOutcome(output) {
  const counts = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1);
  if (!counts) return null;
  const [passed, failed, skipped] = counts.slice(1).map(Number);
  const failures = [...output.matchAll(/^FAILED [^:]*: (.*)\n((?:\| .*\n)*)/gm)].map(([, test = '', reason = '']) =>
    createFailure(test, reason.replaceAll(/^\| /gm, '')),
  );
  return { ...parseCounts(passed, failed, skipped), failures };
}

/** @param {unknown} passed @param {unknown} failed @param {unknown} skipped @returns {Counts} */
function parseCounts(passed, failed, skipped) {
  for (const count of [passed, failed, skipped]) {
    if (!Number.isInteger(count)) throw new Error(`The report has ${count} where a number of tests should be`);
  }
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}

/**
 * Returns the outcome of a suite. A suite that fails to finish, or runs no test, has at least one failure.
 * @param {Outcome | null} reported `null` when there is no report
 * @param {number} code the runner's exit code
 * @returns {Outcome}
 */
export function suiteOutcome(reported, code) {
  const { passed, failed, skipped, failures } = reported ?? { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (failed > 0 || (code === 0 && passed + skipped > 0)) return { passed, failed, skipped, failures };
  const reason = passed + skipped > 0 ? `it ended with exit code ${code}` : `it ran no test (exit code ${code})`;
  return { passed, failed: 1, skipped, failures: [{ test: 'the suite as a whole', reason }] };
}
