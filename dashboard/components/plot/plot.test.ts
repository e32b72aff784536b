import { exactValue } from '#api/exactJson.ts';
import { parseExactJson } from '#api/exactJson.ts';
import { describe, expect, it } from 'vitest';
import {
  getAxisRange,
  findCommonUnit,
  createPlotData,
  formatPlotNumber,
  createPlotTable,
  findRange,
  type PlotCell,
  extractUnit,
} from './plot.ts';

describe('the data of a plot', () => {
  it('is numbered from 1 without x values', () => {
    expect(createPlotData(null, [{ name: 'absorbance', values: [3, null, 5] }])).toMatchObject({
      columns: [
        [1, 2, 3],
        [3, null, 5],
      ],
      isScattered: false,
    });
    expect(createPlotData(null, [])).toMatchObject({ columns: [[]], isScattered: false });
  });

  it('is sorted by x, and reported as scattered when it was unsorted', () => {
    const data = createPlotData(
      [0, 2, 1],
      [
        { name: 'a', values: [10, 12, 11] },
        { name: 'b', values: [20, 22, 21] },
      ],
    );
    expect(data).toMatchObject({
      columns: [
        [0, 1, 2],
        [10, 11, 12],
        [20, 21, 22],
      ],
      isScattered: true,
    });
  });

  it('joins series with their own x values and keeps gaps and repeated measurements', () => {
    const joined = createPlotData(null, [
      { name: 'a', x: [0, 2, 2], values: [10, null, 12] },
      { name: 'b', x: [1, 2], values: [21, 22] },
    ]);
    expect(joined).toMatchObject({
      columns: [
        [0, 1, 2, 2],
        [10, undefined, null, 12],
        [undefined, 21, 22, undefined],
      ],
      isScattered: false,
    });
    const [one, large] = [exactValue('1.0'), exactValue('9007199254740993')];
    const exact = createPlotData(null, [
      { name: 'a', x: [1, large], values: [10, 11] },
      { name: 'b', x: [one, exactValue('9007199254740992')], values: [20, 21] },
    ]);
    expect(exact.cells.slice(1)).toEqual([
      [10, 11, undefined],
      [20, undefined, 21],
    ]);
    expect(createPlotData(null, [{ name: 'a', x: [1, 0], values: [1, 2] }]).isScattered).toBe(true);
  });

  it.each([
    [
      [
        [1, 5],
        [-2, null],
      ],
      { from: -2, to: 5 },
    ],
    [[[Number.NaN, Infinity]], null],
    [[], null],
  ])('has the range of its finite values: %j has %j', (lists, range) => expect(findRange(lists)).toEqual(range));
});

describe('the x axis', () => {
  it('covers the values', () => expect(getAxisRange({ from: 3, to: 9 }, true)).toEqual({ from: 3, to: 9 }));

  it('covers one minute around a single moment', () => {
    const now = Date.UTC(2026, 10, 23);
    expect(getAxisRange({ from: now, to: now }, true)).toEqual({ from: now - 30_000, to: now + 30_000 });
  });

  it('covers one unit around a single number', () => {
    expect(getAxisRange({ from: 7, to: 7 }, false)).toEqual({ from: 6.5, to: 7.5 });
  });
});

it.each([
  [0, '0'],
  [0.1 + 0.2, '0.3'],
  [12345.678, '12346'],
  [2_500_000, '2.5e+6'],
  [0.00001, '1.0e-5'],
  [null, '–'],
])('formatPlotNumber of %j is %s', (value, text) => expect(formatPlotNumber(value)).toBe(text));

it.each([
  ['OD600 (AU)', 'AU'],
  ['time [ s ]', 's'],
  ['OD600 (AU) …PBP1XJ', 'AU'],
  ['volume', ''],
  ['(AU)', ''],
  ['run (second) of two', ''],
])('extractUnit of %j is %j', (name, unit) => expect(extractUnit(name)).toBe(unit));

it('findCommonUnit returns the unit that all series share', () => {
  expect(findCommonUnit(['a (nm)', 'b [nm]'])).toBe('nm');
  expect(findCommonUnit(['a (nm)', 'b'])).toBe('');
  expect(findCommonUnit([])).toBe('');
});

it('createPlotTable has a column for x and one for each series, with gaps', () => {
  const series = [
    { name: 'a', values: [1, null] },
    { name: 'b', values: [3] },
  ];
  expect(createPlotTable('time', (x) => `at ${x}`, series, createPlotData([5, 6], series))).toEqual({
    headings: ['time', 'a', 'b'],
    rows: [
      ['at 5', 1, 3],
      ['at 6', null, null],
    ],
  });
});

it('createPlotTable keeps the digits of the values that the plot rounds', () => {
  const [x, y] = [parseExactJson('[1764304800123456788,1764304800123456789]'), parseExactJson('[1.0,10.50]')];
  const series = [{ name: 'OD', values: y as PlotCell[] }];
  const data = createPlotData(x as string[], series);
  expect(data.columns[1]).toEqual([1, 10.5]);
  expect(createPlotTable('t_ns', String, series, data).rows).toEqual([
    ['1764304800123456788', '1.0'],
    ['1764304800123456789', '10.50'],
  ]);
});
