import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getWellsInRectangle, rowName, makeScale, wellColor, parseWellName, wellName } from './plate.ts';

it.each([
  [0, 'A'],
  [7, 'H'],
  [25, 'Z'],
  [26, 'AA'],
  [31, 'AF'],
])('rowName of row %i is %s', (row, name) => expect(rowName(row)).toBe(name));

it.each([
  ['C4', 8, 12, 27],
  [' h012 ', 8, 12, 95],
  ['AF48', 32, 48, 1535],
  ['I1', 8, 12, null],
  ['A13', 8, 12, null],
  ['A0', 8, 12, null],
  ['4C', 8, 12, null],
  ['', 8, 12, null],
])('parseWellName of %j on a plate of %i by %i is %j', (name, rows, columns, index) =>
  expect(parseWellName(name, rows, columns)).toBe(index),
);

it('parseWellName is the inverse of wellName on any plate', () => {
  const sizes = fc.record({ rows: fc.integer({ min: 1, max: 60 }), columns: fc.integer({ min: 1, max: 99 }) });
  fc.assert(
    fc.property(sizes, fc.nat(5999), ({ rows, columns }, number) => {
      const index = number % (rows * columns);
      expect(parseWellName(wellName(index, columns), rows, columns)).toBe(index);
    }),
  );
});

describe('a rectangle of wells', () => {
  it.each([
    [13, 27, [13, 14, 15, 25, 26, 27]],
    [27, 13, [13, 14, 15, 25, 26, 27]],
    [15, 25, [13, 14, 15, 25, 26, 27]],
    [5, 5, [5]],
  ])('contains the wells between two corners: from %i to %i, %j', (from, to, wells) =>
    expect(getWellsInRectangle(from, to, 12)).toEqual(wells),
  );
});

describe('the color scale of wells', () => {
  const toWells = (...values: (number | string | null)[]) =>
    values.map((value) => ({ label: '', value, isOccupied: value !== null }));

  it.each([
    [toWells(null, null), { kind: 'none' }],
    [toWells(5, null, 200), { kind: 'continuous', min: 0, max: 200 }],
    [toWells(-3, 4), { kind: 'continuous', min: -3, max: 4 }],
    [toWells(0, 0), { kind: 'continuous', min: 0, max: 1 }],
    [toWells('b10', 'b2', 'b10'), { kind: 'categories', names: ['b2', 'b10'] }],
    [toWells(1, 'x'), { kind: 'categories', names: ['1', 'x'] }],
  ])('is derived from %j', (wells, scale) => expect(makeScale(wells)).toEqual(scale));

  it('assigns stronger colors to higher numbers, one color to each category and none to empty wells', () => {
    const wells = toWells(0, 100, 200, null);
    const fills = wells.map((well) => wellColor(well, makeScale(wells)));
    expect(fills.map((fill) => (fill === null ? null : Number(/(\d+)%/.exec(fill)?.[1])))).toEqual([8, 54, 100, null]);
    const classes = toWells('a', 'b', 'a');
    const [first, second, third] = classes.map((well) => wellColor(well, makeScale(classes)));
    expect(first).toBe(third);
    expect(first).not.toBe(second);
  });
});
