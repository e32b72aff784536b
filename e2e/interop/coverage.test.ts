/** Comes last: every endpoint of every table has been asked, has answered, and has refused. */
import { expect, inject, it } from 'vitest';
import { missingOf, readCoverage, tables } from './coverage.ts';

const { coverageFolder } = inject('target');

it.each(tables.map((api) => [api.server, api] as const))(
  'every endpoint of %s answered once and refused once',
  async (_server, api) => {
    expect(missingOf(api, await readCoverage(coverageFolder))).toEqual({ passed: [], refused: [] });
  },
);
