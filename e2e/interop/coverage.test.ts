/** Runs last: every endpoint of every table has been requested, has succeeded, and has refused a request. */
import { afterAll, expect, inject, it } from 'vitest';
import { coverageTable, requestedTables, findMissing, readCoverage } from './coverage.ts';

const target = inject('target');

it.each(requestedTables(target).map((api) => [api.server, api] as const))(
  'every endpoint of %s succeeded once and was rejected once',
  async (_server, api) => {
    const coverage = await readCoverage(target.coverageFolder);
    expect(findMissing(api, coverage, target.madsci)).toEqual({ passed: [], refused: [], unexpected: [] });
  },
);

afterAll(async () => {
  process.stdout.write(`\n${coverageTable(target, await readCoverage(target.coverageFolder))}\n`);
});
