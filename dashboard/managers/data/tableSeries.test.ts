import { expect, it } from 'vitest';
import { readCsv } from '../../components/csv/readCsv.ts';
import { extractSeries } from './tableSeries.ts';

function parseSeries(text: string) {
  const read = readCsv(new TextEncoder().encode(text));
  if (!read.ok) throw new Error(read.problem);
  return extractSeries(read.file);
}

it('extractSeries plots columns of numbers over a first increasing column', () => {
  expect(parseSeries('time,od,note\n0,0.1,a\n1,0.2,b\n2,0.4,c\n')).toEqual({
    x: { name: 'time', values: [0, 1, 2] },
    series: [{ name: 'od', values: [0.1, 0.2, 0.4] }],
  });
});

it('extractSeries numbers the rows without an increasing column and leaves gaps for missing values', () => {
  expect(parseSeries('well,od\nA1,0.1\nA2,\nA3,NaN\nA4,0.3\nA5,0.2\n')).toEqual({
    x: null,
    series: [{ name: 'od', values: [0.1, null, null, 0.3, 0.2] }],
  });
});

it('extractSeries reads decimal commas in a file with another separator', () => {
  expect(parseSeries('t;od\n0;0,1\n1;0,2\n2;0,3\n')?.series[0]?.values).toEqual([0.1, 0.2, 0.3]);
});

it('extractSeries returns null for a table of texts', () => {
  expect(parseSeries('well,strain\nA1,K12\nA2,B\nA3,C\n')).toBeNull();
});
