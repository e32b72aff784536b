import { expect, it } from 'vitest';
import { convertAmount, convertibleUnits, distinctUnits, toBaseUnit } from './units.ts';

it.each([
  [2.3, 'mL', 'µl', 2300],
  [1, 'uL', 'mL', 0.001],
  [1e-9, 'L', 'nl', 1],
  [7, 'kg', 'mg', 7_000_000],
  [3, 'mmol', 'umol', 3000],
  [5, 'mM', 'M', 0.005],
  [5, 'cm', 'mm', 50],
  [5, 'tips', 'tips', 5],
  [5, '', '', 5],
  [5, 'mL', 'mg', null],
  [5, 'mM', 'mm', null],
  [5, 'M', 'm', null],
  [5, 'mL', '', null],
  [5, 'min', 'm', null],
  [5, 'tips', 'boxes', null],
])('converts %d %s into %s as %s', (value, from, to, converted) =>
  expect(convertAmount(value, from, to)).toBe(converted),
);

it('groups the units that can be converted into each other', () => {
  const units = ['mL', 'uL', 'µl', '', 'mg', 'g', 'tips'];
  expect(distinctUnits(units)).toEqual(['mL', 'uL', '', 'mg', 'g', 'tips']);
  expect(convertibleUnits(units)).toEqual(['mL', '', 'mg', 'tips']);
});

it('sorts amounts of one kind by their size', () => {
  const amounts = [
    { value: 1, unit: 'mL' },
    { value: 200, unit: 'uL' },
    { value: 0.5, unit: 'L' },
  ];
  const sorted = amounts.toSorted((a, b) => toBaseUnit(a.value, a.unit) - toBaseUnit(b.value, b.unit));
  expect(sorted.map(({ unit }) => unit)).toEqual(['uL', 'mL', 'L']);
});
