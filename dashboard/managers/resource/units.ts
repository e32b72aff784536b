/** Units of amounts: which are the same, and which can be converted. */

const exponents: Readonly<Record<string, number>> = { f: -15, p: -12, n: -9, u: -6, m: -3, c: -2, d: -1, '': 0, k: 3 };
const metricUnit = /^(f|p|n|u|m|c|d|k|)(l|g|mol|M|m)$/;
const plainUnit = (unit: string): string => unit.trim().replace(/^[µμ]/, 'u').replace(/L$/, 'l');

/** Returns whether both are the same unit, such as `uL` and `µl`. Case matters otherwise: `M` is molar, `m` is metre. */
export const isSameUnit = (a: string, b: string): boolean => a === b || plainUnit(a) === plainUnit(b);

/** Returns the distinct units, each in the spelling of its first occurrence. */
export const distinctUnits = (units: readonly string[]): readonly string[] =>
  units.filter((unit, index) => units.findIndex((other) => isSameUnit(other, unit)) === index);

/** Returns the value in the other unit; `null` if the units are not of the same kind. */
export function convertAmount(value: number, from: string, to: string): number | null {
  if (isSameUnit(from, to)) return value;
  const [, fromPrefix = '', fromBase] = metricUnit.exec(plainUnit(from)) ?? [];
  const [, toPrefix = '', toBase] = metricUnit.exec(plainUnit(to)) ?? [];
  if (fromBase === undefined || fromBase !== toBase) return null;
  const shift = (exponents[fromPrefix] ?? 0) - (exponents[toPrefix] ?? 0);
  // A product such as 2.3 × 1000 has more digits than a quantity.
  return Number((shift < 0 ? value / 10 ** -shift : value * 10 ** shift).toPrecision(15));
}

/** Returns the units that can be converted into each other, as groups, each with the unit that occurs first. */
export const convertibleUnits = (units: readonly string[]): readonly string[] =>
  units.filter((unit, index) => units.findIndex((other) => convertAmount(0, other, unit) !== null) === index);

/** The value in the base unit of its kind, for sorting: in litres for `5 mL`. */
export const toBaseUnit = (value: number, unit: string): number => {
  const base = metricUnit.exec(plainUnit(unit))?.[2];
  return (base === undefined ? null : convertAmount(value, unit, base)) ?? value;
};
