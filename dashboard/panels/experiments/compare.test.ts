import { describe, expect, it } from 'vitest';
import { sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { toResult, type Result } from '../../managers/data/results.ts';
import { compareExperiments, type ComparisonInput } from './compare.ts';
import { experimentsTexts } from './texts.ts';

const parseStamp = (stamp: string | null | undefined) => (stamp === null || stamp === undefined ? null : Number(stamp));
const result = (label: string, value: unknown, id = label): Result =>
  toResult({ _id: id, data_type: 'json', label, value }, () => null);
const input: ComparisonInput = {
  experiment: { _id: '1', status: 'completed', ownership_info: {}, started_at: '0', ended_at: '60000' },
  workflows: [
    sampleWorkflow({ parameter_values: { volume: 10, dye: 'red' } }, { completed: true }),
    sampleWorkflow({ parameter_values: { volume: 20, dye: 'red' } }, { failed: true }),
  ],
  results: [result('od', 1), result('od', 2), result('note', 'fine'), result('spectrum', [1, 2, 3], 'S1')],
};
const other: ComparisonInput = {
  experiment: { _id: '2', status: 'failed', ownership_info: {}, started_at: '0' },
  workflows: [sampleWorkflow({ parameter_values: { dye: 'red' } }, { completed: true })],
  results: [result('od', 3, 'OD2'), result('spectrum', [1, 2, 4], 'S2')],
};
const lines = compareExperiments([input, other], parseStamp, 0);
const lineAt = (group: string, key: string) =>
  lines.find((candidate) => candidate.key === group)?.lines.find((line) => line.key === key);

describe('the comparison of experiments', () => {
  it('shows the state, the duration and the numbers of workflows of each experiment', () => {
    expect(lineAt('facts', 'state')?.cells.map(({ text }) => text)).toEqual(['Completed', 'Failed']);
    expect(lineAt('facts', 'duration')?.cells.map(({ text }) => text)).toEqual(['1 min', '']);
    expect(lineAt('facts', 'workflows')?.cells.map(({ text }) => text)).toEqual(['2', '1']);
    expect(lineAt('facts', 'failed')?.cells.map(({ text }) => text)).toEqual(['1', '0']);
  });

  it('shows each input value once and marks differences', () => {
    expect(lineAt('parameters', 'volume')).toMatchObject({ cells: [{ text: '10, 20' }, { text: '' }], differs: true });
    expect(lineAt('parameters', 'dye')).toMatchObject({ cells: [{ text: 'red' }, { text: 'red' }], differs: false });
  });

  it('shows the mean of numeric results and the values of others', () => {
    expect(lineAt('results', 'od')?.cells.map(({ text }) => text)).toEqual([
      experimentsTexts.comparing.mean('1.5', 2),
      '3',
    ]);
    expect(lineAt('results', 'note')?.cells.map(({ text }) => text)).toEqual(['fine', '']);
  });

  it('compares the values of lists, not their lengths', () => {
    const spectrum = lineAt('results', 'spectrum');
    const text = experimentsTexts.comparing.values(3);
    expect(spectrum).toMatchObject({ cells: [{ text }, { text }], differs: true });
    const same = [input, { ...other, results: input.results }];
    const repeatedLines = compareExperiments(same, parseStamp, 0).at(-1)?.lines ?? [];
    expect(repeatedLines.filter(({ differs }) => differs)).toEqual([]);
  });

  it('compares single numbers, not only their means', () => {
    const spread = [result('od', 1, 'a'), result('od', 3, 'b')];
    const equal = [result('od', 2, 'c'), result('od', 2, 'd')];
    const [line] =
      compareExperiments(
        [
          { ...input, results: spread },
          { ...other, results: equal },
        ],
        parseStamp,
        0,
      ).at(-1)?.lines ?? [];
    expect(line).toMatchObject({ differs: true });
    expect(new Set(line?.cells.map(({ text }) => text)).size).toBe(1);
  });

  it('treats two files as different unless their checksums are equal', () => {
    const file = (id: string, etag?: string) =>
      toResult({ _id: id, data_type: 'object_storage', label: 'gel', etag: etag ?? null }, () => null);
    const differs = (a: Result, b: Result) =>
      compareExperiments(
        [
          { ...input, results: [a] },
          { ...other, results: [b] },
        ],
        parseStamp,
        0,
      ).at(-1)?.lines[0]?.differs;
    expect(differs(file('a'), file('b'))).toBe(true);
    expect(differs(file('a', 'x'), file('b', 'x'))).toBe(false);
  });

  it('contains the datapoints of each cell', () => {
    expect(lineAt('results', 'spectrum')?.cells.map(({ results }) => results.map(({ id }) => id))).toEqual([
      ['S1'],
      ['S2'],
    ]);
  });
});
