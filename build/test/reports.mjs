// @ts-check
/** How many tests passed, failed and were skipped, from what the test runners write for machines. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * @typedef {object} VitestReport the part of Vitest's JSON report that is read here
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly { readonly status: string, readonly assertionResults: readonly { readonly status: string }[] }[]} testResults
 *
 * @typedef {object} PlaywrightReport the part of Playwright's JSON report that is read here
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {readonly unknown[]} errors
 */

/** @param {VitestReport} report @returns {Counts} */
export function vitestCounts({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  // A file that can't be loaded has failed without a test of its own.
  const unloaded = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed'),
  );
  return counts(numPassedTests, numFailedTests + unloaded.length, numPendingTests + numTodoTests);
}

/** A flaky test is one that failed. @param {PlaywrightReport} report @returns {Counts} */
export function playwrightCounts({ stats, errors }) {
  return counts(stats.expected, stats.unexpected + stats.flaky + errors.length, stats.skipped);
}

/** @param {unknown} passed @param {unknown} failed @param {unknown} skipped @returns {Counts} */
function counts(passed, failed, skipped) {
  for (const count of [passed, failed, skipped]) {
    if (!Number.isInteger(count)) throw new Error(`The report has ${count} where a number of tests should be`);
  }
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}

/**
 * The counts of a suite, whatever came of it: one that ended badly, or ran nothing, has at least one failure.
 * @param {Counts | null} reported `null` when there is no report
 * @param {number} code the runner's exit code
 * @returns {Counts}
 */
export function suiteCounts(reported, code) {
  if (reported === null) return { passed: 0, failed: 1, skipped: 0 };
  const ranNothing = reported.passed + reported.failed + reported.skipped === 0;
  const failed = reported.failed === 0 && (code !== 0 || ranNothing) ? 1 : reported.failed;
  return { ...reported, failed };
}
