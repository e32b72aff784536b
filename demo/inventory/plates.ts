/** 96-well plates with contents. Amounts are in microlitres; the unit is an attribute, because the manager drops it. */
import type { JsonObject } from '../../api/client/wire.ts';
import type { Random } from '../base/random.ts';

const letters = 'ABCDEFGH';
const columns = 12;

/** Returns a well with a culture, whose density follows `growth`. */
function well(name: string, random: Random, growth: number): JsonObject {
  return {
    base_type: 'continuous_consumable',
    resource_name: name,
    resource_class: 'well',
    quantity: Math.round(random.between(60, 195)),
    capacity: 300,
    attributes: { unit: 'µl', od600: Number((growth * random.between(0.8, 1.2)).toFixed(3)) },
  };
}

/** Returns a well with a mixture of two liquids, one of them diluted along the row. */
function mixture(name: string, column: number): JsonObject {
  const dye = 200 / 2 ** column;
  const liquid = (resource_name: string, quantity: number): JsonObject => ({
    base_type: 'continuous_consumable',
    resource_name,
    resource_class: 'liquid',
    quantity: Number(quantity.toFixed(2)),
    attributes: { unit: 'µl' },
  });
  return {
    base_type: 'pool',
    resource_name: name,
    resource_class: 'well',
    capacity: 300,
    attributes: { unit: 'µl' },
    children: { dye: liquid(`${name}_dye`, dye), water: liquid(`${name}_water`, 200 - dye) },
  };
}

/** The pattern in which the wells of a plate are filled. */
type Filling = 'growth' | 'dilution' | 'empty';

/** Returns a plate; `filled` is the number of its columns with contents. */
export function plate(name: string, random: Random, filling: Filling, filled = columns): JsonObject {
  const rows = [...letters].map((letter, row) => {
    const wells = Array.from({ length: columns }, (_value, column) => {
      const label = `${name}_${letter}${column + 1}`;
      if (filling === 'empty' || column >= filled) return null;
      if (filling === 'dilution') return row === 0 ? mixture(label, column) : null;
      // A few wells are left empty.
      return random.chance(0.06) ? null : well(label, random, 0.1 + (row * columns + column) / 100);
    });
    return {
      base_type: 'row',
      resource_name: `${name}_row_${row}`,
      resource_class: 'plate_row',
      columns,
      children: wells,
    };
  });
  return {
    base_type: 'grid',
    resource_name: name,
    resource_class: 'plate_96',
    resource_description: '96-well plate',
    columns,
    rows: letters.length,
    attributes: { wells: 96, barcode: `P${random.int(100_000, 999_999)}` },
    children: rows,
  };
}
