import { describe, expect, it } from 'vitest';
import {
  listDatapoints,
  fileKind,
  datapointFileName,
  originFilter,
  findParts,
  formatShortNumber,
  chooseDisplay,
  summarize,
} from './datapoint.ts';

describe('the datapoints of a result', () => {
  it('are returned one by one from every format', () => {
    expect(listDatapoints({ datapoints: { a: 'A', b: ['B', 'C'], c: { _id: 'D' }, d: { odd: 1 } } })).toEqual([
      { label: 'a', id: 'A' },
      { label: 'b 1', id: 'B' },
      { label: 'b 2', id: 'C' },
      { label: 'c', id: 'D' },
    ]);
    expect(listDatapoints(null)).toEqual([]);
    expect(listDatapoints({ datapoints: null })).toEqual([]);
  });

  const id = '01M7YEZGAZMTTE3RWYNVGA29Z5';
  it.each([
    [{ data_type: 'json' }, 'curve', 'curve.json'],
    [{ data_type: 'file', path: `/data/2026/11/21/${id}_plate.csv` }, 'file', 'plate.csv'],
    [{ data_type: 'file', path: `C:\\data\\${id}_tmp8x_1.png` }, 'gel', 'gel.png'],
    [{ data_type: 'file', path: `/data/${id}_file.csv` }, 'absorbance.csv', 'absorbance.csv'],
    [{ data_type: 'object_storage', object_name: `${id}_scan.tiff`, path: null }, 'scan', 'scan.tiff'],
    [{ data_type: 'file' }, 'raw', 'raw'],
    [{ data_type: 'hologram' }, '', id],
  ])('have file names: %j labelled “%s” has %s', (fields, label, name) => {
    expect(datapointFileName({ _id: id, ...fields }, label)).toBe(name);
  });

  it.each([
    ['a.PNG', 'image'],
    ['a.csv', 'table'],
    ['a.log', 'text'],
    ['report.PDF', 'pdf'],
    ['a.bin', 'other'],
    ['a', 'other'],
  ])('have files of a kind: %s is of the kind %s', (name, kind) => {
    expect(fileKind(name)).toBe(kind);
  });
});

describe('the presentation of a value', () => {
  it.each([
    ['a number', 0.41, { kind: 'value', text: '0.41' }],
    ['null', null, { kind: 'value', text: 'null' }],
    ['a list of numbers', [1, 2, 3], { kind: 'series', x: null, series: [{ name: '', values: [1, 2, 3] }] }],
    ['a list that is too short to plot', [1, 2], { kind: 'tree' }],
    [
      'lists with an increasing list as x axis',
      { time: [0, 1, 2], od: [3, 3, 1] },
      { kind: 'series', x: { name: 'time', values: [0, 1, 2] }, series: [{ name: 'od', values: [3, 3, 1] }] },
    ],
    [
      'lists without an increasing list',
      { a: [1, 1, 1], b: [3, 3, 1] },
      {
        kind: 'series',
        x: null,
        series: [
          { name: 'a', values: [1, 1, 1] },
          { name: 'b', values: [3, 3, 1] },
        ],
      },
    ],
    ['lists of two lengths', { a: [1, 1, 1], b: [3, 3] }, { kind: 'tree' }],
    ['lists and other values', { a: [1, 2, 3], unit: 'nm' }, { kind: 'tree' }],
    [
      'a list of flat objects',
      [
        { well: 'A1', od: 0.4 },
        { well: 'A2', note: null },
      ],
      {
        kind: 'table',
        columns: ['well', 'od', 'note'],
        rows: [
          ['A1', '0.4', ''],
          ['A2', '', ''],
        ],
      },
    ],
    ['a list of nested objects', [{ a: { b: 1 } }], { kind: 'tree' }],
    ['an empty list', [], { kind: 'tree' }],
    ['an empty object', {}, { kind: 'tree' }],
    ['a list with a gap', [1, null, 3], { kind: 'series', x: null, series: [{ name: '', values: [1, null, 3] }] }],
    [
      'lists with gaps and an increasing list as x axis',
      { time: [0, 1, 2], od: [3, null, 1] },
      { kind: 'series', x: { name: 'time', values: [0, 1, 2] }, series: [{ name: 'od', values: [3, null, 1] }] },
    ],
    ['a list of gaps only', [null, null, null], { kind: 'tree' }],
  ])('matches the content of %s', (_name, value, expected) => {
    expect(chooseDisplay(value)).toEqual(expected);
  });

  it('is a table for rows of equal length', () => {
    expect(
      chooseDisplay([
        ['A', 1],
        ['B', null],
      ]),
    ).toEqual({
      kind: 'table',
      columns: ['1', '2'],
      rows: [
        ['A', '1'],
        ['B', ''],
      ],
    });
    expect(chooseDisplay([[1, 2], [3]])).toEqual({ kind: 'tree' });
  });

  it.each([
    [0, '0'],
    [0.41234567, '0.4123'],
    [1234.5, '1235'],
    [12_345_678, '1.23e+7'],
    [0.00001234, '1.23e-5'],
  ])('has rounded numbers: %f is shown as %s', (value, expected) => {
    expect(formatShortNumber(value)).toBe(expected);
  });

  it.each([
    [[1, 2, 6], '3 values, mean 3'],
    [[1, 2, null, 4], '3 values, 1 missing, mean 2.333'],
    [[null, null], '0 values, 2 missing'],
    [[], '0 values'],
  ])('has a summary: %j has “%s”', (values, expected) => {
    expect(summarize([{ values }])).toBe(expected);
  });

  it('has a summary without a mean for several series', () => {
    expect(summarize([{ values: [1, null] }, { values: [3, 4] }])).toBe('2 values');
  });
});

describe('the parts of a value that are plots or tables', () => {
  const paths = (value: unknown) => findParts(value).map(({ path }) => path);
  it.each([
    ['a deeply nested list', { run: { spectrum: [1, 2, 3] } }, ['run']],
    ['lists of equal length, together', { read: { nm: [400, 500, 600], od: [1, 2, 3], note: 'x' } }, ['read']],
    ['lists beside plain values at the top', { nm: [400, 500, 600], od: [1, 2, 3], note: 'x' }, ['nm, od']],
    ['lists of different lengths, separately', { a: [1, 2, 3], b: [1, 2, 3, 4] }, ['a', 'b']],
    ['a nested table', { wells: [{ well: 'A1', od: 1 }], note: 'x' }, ['wells']],
    [
      'a matrix',
      {
        plate: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      ['plate'],
    ],
    ['a list of objects', [{ deep: { od: [1, 2, 3] } }], ['[0].deep']],
  ])('are found in %s', (_name, value, found) => {
    expect(paths(value)).toEqual(found);
  });

  it('are not found in plain values', () => {
    expect(paths({ a: 1, b: { c: 'x' } })).toEqual([]);
  });

  it('are limited in number and in depth', () => {
    const manyRuns = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`run${index}`, { od: [1, 2, 3] }]));
    expect(findParts(manyRuns)).toHaveLength(12);
    const deep = { a: { a: { a: { a: { a: { a: { od: [1, 2, 3] } } } } } } };
    expect(findParts(deep)).toEqual([]);
  });
});

it('originFilter also finds the datapoints of an experiment by its workflows', () => {
  expect(originFilter(['X'], ['V', 'W'])).toEqual({
    $or: [{ 'ownership_info.experiment_id': { $in: ['X'] } }, { 'ownership_info.workflow_id': { $in: ['V', 'W'] } }],
  });
  expect(originFilter([], ['V'])).toEqual({ $or: [{ 'ownership_info.workflow_id': { $in: ['V'] } }] });
});
