import { describe, expect, test } from 'vitest';
import { commandOutcome, failureText, playwrightOutcome, suiteOutcome, vitestOutcome } from './reports.mjs';

describe('the report of Vitest', () => {
  const report = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
  const failed = {
    status: 'failed',
    fullName: 'a plate holds',
    failureMessages: ['\u001b[31mno\u001b[39m\n at line 3'],
  };
  const passed = { status: 'passed', fullName: 'a plate is', failureMessages: null };

  test('counts pending and todo tests as skipped and lists the failures', () => {
    const testResults = [{ name: 'plate.test.ts', status: 'failed', assertionResults: [failed, passed] }];
    const failures = [{ test: 'plate.test.ts › a plate holds', reason: 'no\n at line 3' }];
    expect(vitestOutcome({ ...report, testResults })).toEqual({ passed: 3, failed: 1, skipped: 3, failures });
  });

  test('states how long a test took that exceeded its limit', () => {
    const exceeded = { ...failed, duration: 120_345, failureMessages: ['Error: STACK_TRACE_ERROR\n at line 3'] };
    const testResults = [{ name: 'plate.test.ts', status: 'failed', assertionResults: [exceeded] }];
    expect(vitestOutcome({ ...report, testResults }).failures[0]?.reason).toBe('timed out after 120.3 s\n at line 3');
  });

  test('counts a file that could not be loaded as a failure', () => {
    const testResults = [{ name: 'plate.test.ts', status: 'failed', message: 'no such file', assertionResults: [] }];
    const { failed: failedCount, failures } = vitestOutcome({ ...report, numFailedTests: 0, testResults });
    expect(failedCount).toBe(1);
    expect(failures).toEqual([{ test: 'plate.test.ts', reason: 'no such file' }]);
  });

  test('is refused when a number of tests is not a number', () => {
    const { numTodoTests: _, ...incomplete } = { ...report, numPassedTests: Number.NaN, testResults: [] };
    expect(() => vitestOutcome({ ...incomplete, numTodoTests: 0 })).toThrow('NaN where a number of tests should be');
  });
});

test('the report of Playwright counts flaky tests and errors outside of tests as failures and lists them', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
  const outcome = (status: string, message: string) => ({ status, results: [{}, { error: { message } }] });
  const wells = { title: 'wells', specs: [{ title: 'are filled', tests: [outcome('flaky', 'late')] }] };
  const specs = [
    { title: 'is shown', tests: [outcome('unexpected', 'not there')] },
    { title: 'is hidden', tests: [outcome('expected', '')] },
  ];
  const suites = [{ title: 'plate.spec.ts', specs, suites: [wells] }];
  expect(playwrightOutcome({ stats, errors: [{ message: 'no browser' }], suites })).toEqual({
    passed: 5,
    failed: 3,
    skipped: 2,
    failures: [
      { test: 'plate.spec.ts › is shown', reason: 'not there' },
      { test: 'plate.spec.ts › wells › are filled', reason: 'late' },
      { test: 'outside of the tests', reason: 'no browser' },
    ],
  });
});

test('a failure is printed with the first lines of its reason', () => {
  const reason = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
  const suites = [
    {
      title: 'a',
      specs: [{ title: 'b', tests: [{ status: 'unexpected', results: [{ error: { message: reason } }] }] }],
    },
  ];
  const { failures } = playwrightOutcome({
    stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 },
    errors: [],
    suites,
  });
  const lines = failureText('browser', failures).split('\n');
  expect(lines[0]).toBe('FAILED browser: a › b');
  expect(lines.slice(1, -1)).toEqual(Array.from({ length: 12 }, (_, line) => `| line ${line}`));
});

describe('a test suite', () => {
  const none = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const suiteName = 'the suite as a whole';
  const failures = [{ test: 'a › b', reason: 'c' }];
  test.each([
    [
      'fails without a report',
      null,
      0,
      { ...none, failed: 1, failures: [{ test: suiteName, reason: 'it ran no test (exit code 0)' }] },
    ],
    [
      'fails when it ran no test',
      none,
      0,
      { ...none, failed: 1, failures: [{ test: suiteName, reason: 'it ran no test (exit code 0)' }] },
    ],
    [
      'fails when its runner exits with an error',
      { ...none, passed: 2 },
      1,
      { ...none, passed: 2, failed: 1, failures: [{ test: suiteName, reason: 'it ended with exit code 1' }] },
    ],
    ['keeps its reported failures', { ...none, failed: 2, failures }, 1, { ...none, failed: 2, failures }],
    ['keeps its reported passes', { ...none, passed: 2, skipped: 1 }, 0, { ...none, passed: 2, skipped: 1 }],
  ])('%s', (_, reported, code, expected) => {
    expect(suiteOutcome(reported, code)).toEqual(expected);
  });
});

test('the outcome of a separate command is read from its last line of counts and its list of failures', () => {
  const failures = [
    { test: 'a › b', reason: 'first\nsecond' },
    { test: 'c', reason: 'third' },
  ];
  const output = `1 passed, 0 failed, 0 skipped\nlog\n${failureText('windows', failures)}\n7 passed, 2 failed, 1 skipped\n`;
  expect(commandOutcome(output)).toEqual({ passed: 7, failed: 2, skipped: 1, failures });
  expect(commandOutcome('it ended early\n')).toBeNull();
});
