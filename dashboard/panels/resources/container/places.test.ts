import { describe, expect, it } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { createResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { toResourceRows } from '#dashboard/managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import { listColorings, getPlaces, toWells } from './places.ts';

const well = (id: string, overrides: Partial<Resource> = {}): Resource => ({
  resource_id: id,
  resource_name: `sample ${id}`,
  base_type: 'continuous_consumable',
  quantity: 5,
  ...overrides,
});
const line = (id: string, children: (Resource | null)[]): Resource => ({
  resource_id: id,
  resource_name: id,
  base_type: 'row',
  columns: children.length,
  children,
});
const grid = (id: string, rows: Resource[]): Resource => ({
  resource_id: id,
  resource_name: id,
  base_type: 'grid',
  rows: rows.length,
  columns: 2,
  children: rows,
});
function placesIn(resource: Resource, layer?: number) {
  const index = createResourceIndex(toResourceRows([resource]));
  const root = index.byId.get(resource.resource_id);
  if (root === undefined) throw new Error('The index does not contain the container');
  return getPlaces(root, index, layer);
}
const ids = (places: ReturnType<typeof placesIn>) => places.cells.map((cell) => cell?.id ?? null);

describe('getPlaces', () => {
  it('returns the places of all rows of a grid, including empty ones', () => {
    const places = placesIn(grid('g', [line('r1', [well('a'), null]), line('r2', [null, well('b')])]));
    expect([places.rows, places.columns, ids(places)]).toEqual([2, 2, ['a', null, null, 'b']]);
  });

  it('returns a single line for a row', () => {
    expect(placesIn(line('r', [null, well('a')]))).toMatchObject({ rows: 1, columns: 2 });
  });

  it('returns one layer of a voxel grid', () => {
    const voxels: Resource = {
      resource_id: 'v',
      resource_name: 'v',
      base_type: 'voxel_grid',
      rows: 1,
      columns: 2,
      layers: 2,
      children: [grid('l0', [line('r0', [well('a'), null])]), grid('l1', [line('r1', [null, well('b')])])],
    };
    expect(ids(placesIn(voxels, 0))).toEqual(['a', null]);
    expect(ids(placesIn(voxels, 1))).toEqual([null, 'b']);
    expect(ids(placesIn(voxels, 7))).toEqual([null, null]);
  });

  it('derives the size from the children when the manager returns none', () => {
    const gridWithoutSize: Resource = {
      resource_id: 'g',
      resource_name: 'g',
      base_type: 'grid',
      children: [line('r', [well('a')])],
    };
    expect(placesIn(gridWithoutSize)).toMatchObject({ rows: 1, columns: 1 });
    expect(placesIn({ resource_id: 'g', resource_name: 'g', base_type: 'grid' })).toEqual({
      rows: 0,
      columns: 0,
      cells: [],
    });
  });
});

describe('the colorings of a container', () => {
  const places = placesIn(
    grid('g', [
      line('r', [well('a', { capacity: 10, attributes: { strain: 'BY4741', od: 0.4 } }), well('b', { quantity: 0 })]),
    ]),
  );
  it('are quantity, fill, class, type and the attributes of the wells', () => {
    expect(listColorings(places.cells).map(({ key }) => key)).toEqual([
      'quantity',
      'fill',
      'class',
      'type',
      'attribute.od',
      'attribute.strain',
    ]);
  });
  it.each([
    ['quantity', [5, 0]],
    ['fill', [0.5, null]],
    ['attribute.od', [0.4, null]],
    ['attribute.strain', ['BY4741', null]],
    ['class', [null, null]],
  ])('assign values to the wells: %s assigns %j', (coloring, values) =>
    expect(toWells(places, coloring).map(({ value }) => value)).toEqual(values),
  );
  it('label each well with position, name and quantity', () => {
    expect(toWells(places, 'od')[0]?.label).toBe('A1, sample a, 5 of 10');
  });
});

describe('colorings of wells with units', () => {
  const inUnit = (id: string, quantity: number, unit?: string) =>
    well(id, { quantity, ...(unit !== undefined && { attributes: { unit } }) });
  const readColors = (...wells: Resource[]) => {
    const places = placesIn(grid('g', [line('r', wells)]));
    return listColorings(places.cells)
      .filter(({ key }) => key.startsWith('quantity'))
      .map(({ key, title }) => [title, toWells(places, key).map(({ value }) => value)]);
  };
  const titles = resourcesTexts.page.colorings;

  it('compare quantities in one unit', () => {
    expect(readColors(inUnit('a', 1.5, 'mL'), inUnit('b', 200, 'uL'))).toEqual([[titles.quantityIn('mL'), [1.5, 0.2]]]);
  });

  it('are one per unit for units of different kinds', () => {
    expect(readColors(inUnit('a', 1, 'mL'), inUnit('b', 200, 'mg'), inUnit('c', 3))).toEqual([
      [titles.quantityIn('mL'), [1, null, null]],
      [titles.quantityIn('mg'), [null, 200, null]],
      ['Quantity without a unit', [null, null, 3]],
    ]);
  });
});
