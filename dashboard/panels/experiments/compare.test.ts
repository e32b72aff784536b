import { describe, expect, it } from 'vitest';
import { sampleWorkflow } from '../../fixtures/workflow.ts';
import { comparedLines, type Compared } from './compare.ts';
import { experimentsTexts } from './texts.ts';

const at = (stamp: string | null | undefined) => (stamp === null || stamp === undefined ? null : Number(stamp));
const result = (label: string, value: number | string) => ({
  id: label,
  label,
  at: null,
  workflow: '',
  value,
  series: null,
});
const one: Compared = {
  experiment: { _id: '1', status: 'completed', ownership_info: {}, started_at: '0', ended_at: '60000' },
  workflows: [
    sampleWorkflow({ parameter_values: { volume: 10, dye: 'red' } }, { completed: true }),
    sampleWorkflow({ parameter_values: { volume: 20, dye: 'red' } }, { failed: true }),
  ],
  results: [result('od', 1), result('od', 2), result('note', 'fine'), { ...result('image', ''), value: null }],
};
const other: Compared = {
  experiment: { _id: '2', status: 'failed', ownership_info: {}, started_at: '0' },
  workflows: [sampleWorkflow({ parameter_values: { dye: 'red' } }, { completed: true })],
  results: [result('od', 3)],
};
const lines = comparedLines([one, other], at, 0);
const of = (group: string, key: string) =>
  lines.find((each) => each.key === group)?.lines.find((line) => line.key === key);

describe('experiments beside each other', () => {
  it('say how each went', () => {
    expect(of('facts', 'state')?.cells).toEqual(['Completed', 'Failed']);
    expect(of('facts', 'duration')?.cells).toEqual(['1 min', '']);
    expect(of('facts', 'workflows')?.cells).toEqual(['2', '1']);
    expect(of('facts', 'failed')?.cells).toEqual(['1', '0']);
  });

  it('say what was given, each value once, and mark what differs', () => {
    expect(of('parameters', 'volume')).toMatchObject({ cells: ['10, 20', ''], differs: true });
    expect(of('parameters', 'dye')).toMatchObject({ cells: ['red', 'red'], differs: false });
  });

  it('say what came of it: the mean of numbers, else the values', () => {
    expect(of('results', 'od')?.cells).toEqual([experimentsTexts.comparing.mean('1.5', 2), '3']);
    expect(of('results', 'note')?.cells).toEqual(['fine', '']);
    expect(of('results', 'image')?.cells).toEqual([experimentsTexts.comparing.datapoints(1), '']);
  });
});
