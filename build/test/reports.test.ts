import { describe, expect, test } from 'vitest';
import { playwrightCounts, suiteCounts, vitestCounts } from './reports.mjs';

describe("Vitest's report", () => {
  const report = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };

  test('counts what is pending or to do as skipped', () => {
    const files = [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }];
    expect(vitestCounts({ ...report, testResults: files })).toEqual({ passed: 3, failed: 1, skipped: 3 });
  });

  test('counts a file that could not be loaded as a failure', () => {
    const files = [{ status: 'failed', assertionResults: [] }];
    expect(vitestCounts({ ...report, numFailedTests: 0, testResults: files }).failed).toBe(1);
  });

  test('is refused without its numbers', () => {
    const { numTodoTests: _, ...incomplete } = { ...report, numPassedTests: Number.NaN, testResults: [] };
    expect(() => vitestCounts({ ...incomplete, numTodoTests: 0 })).toThrow('NaN where a number of tests should be');
  });
});

test("Playwright's report counts flaky tests and errors outside of tests as failures", () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
  expect(playwrightCounts({ stats, errors: ['no browser'] })).toEqual({ passed: 5, failed: 3, skipped: 2 });
});

describe('a suite', () => {
  const none = { passed: 0, failed: 0, skipped: 0 };
  test.each([
    ['without a report has failed', null, 0, { ...none, failed: 1 }],
    ['that ran nothing has failed', none, 0, { ...none, failed: 1 }],
    ['whose runner ended badly has failed', { ...none, passed: 2 }, 1, { ...none, passed: 2, failed: 1 }],
    ['keeps its failures as they are', { ...none, failed: 2 }, 1, { ...none, failed: 2 }],
    ['keeps its passes as they are', { ...none, passed: 2, skipped: 1 }, 0, { ...none, passed: 2, skipped: 1 }],
  ])('%s', (_, reported, code, expected) => {
    expect(suiteCounts(reported, code)).toEqual(expected);
  });
});
