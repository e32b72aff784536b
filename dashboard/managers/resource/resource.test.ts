import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import types from '#api/samples/resource_of_each_type.json' with { type: 'json' };
import { getAmount, readLowMark, needsRefill, formatAmount } from './amount.ts';
import { getActiveLockHolder } from './lockHolder.ts';
import { mergeEdit } from './saveEdit.ts';
import { decideOperation, findTargetProblem, operations, pushCollides } from './operations.ts';
import { createChangeFilter, applyChanges } from './resourceChanges.ts';
import { createResourceIndex } from './resourceIndex.ts';
import { resourceDifferences } from './resourcePremise.ts';
import { toResourceRow, toResourceRows, type ResourceRow } from './resourceRow.ts';
import { resourceTexts } from './texts.ts';

const resource = (id: string, overrides: Partial<Resource> = {}): Resource => ({
  resource_id: id,
  resource_name: `name of ${id}`,
  base_type: 'resource',
  ...overrides,
});
const row = (id: string, overrides: Partial<Resource> = {}): ResourceRow => toResourceRow(resource(id, overrides));

describe('resources as the manager returns them', () => {
  it('are stored once, whether nested, separate or both', () => {
    const tip = resource('tip', { parent_id: 'rack', key: '0' });
    const rack = resource('rack', { base_type: 'stack', children: [tip] });
    const rows = toResourceRows([
      rack,
      tip,
      resource('box', { base_type: 'container', children: { a: resource('in') } }),
    ]);
    expect(rows.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['rack', null],
      ['tip', 'rack'],
      ['box', null],
      ['in', 'box'],
    ]);
  });

  it('have unique IDs, and every child exists, for each base type in a real manager’s response', () => {
    const all = toResourceRows(Object.values(types as object).flat() as Resource[]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const tableRow of all)
      for (const id of tableRow.children)
        if (id !== null) expect(all.some((candidate) => candidate.id === id)).toBe(true);
  });

  it('have the unit from their attribute “unit” in every text with an amount', () => {
    const container = resource('tube', {
      base_type: 'continuous_consumable',
      quantity: 5,
      unit: null,
      attributes: { unit: 'µl' },
    });
    const tube = toResourceRow(container);
    expect(tube.unit).toBe('µl');
    expect(getAmount(tube)?.unit).toBe('µl');
    const shownResource = { row: tube, index: createResourceIndex([tube]) };
    expect(resourceDifferences(shownResource, { ...container, quantity: 7 }, ['quantity'])).toEqual([
      resourceTexts.changed.differs(resourceTexts.changed.quantity, '5 µl', '7 µl'),
    ]);
  });

  it('have a finite path and finite descendants when they contain themselves', () => {
    const index = createResourceIndex([row('a', { parent_id: 'b' }), row('b', { parent_id: 'a' })]);
    expect(index.topLevel.map(({ id }) => id)).toEqual(['a']);
    for (const tableRow of index.all) {
      expect(index.findPath(tableRow).length).toBeLessThan(3);
      expect(index.listDescendants(tableRow).length).toBeLessThan(3);
    }
  });

  it('resources that contain each other are all in the tree', () => {
    const contained = row('c', { parent_id: 'b' });
    const index = createResourceIndex([
      row('top'),
      row('a', { parent_id: 'b' }),
      row('b', { parent_id: 'a' }),
      contained,
    ]);
    expect(index.topLevel.map(({ id }) => id)).toEqual(['top', 'a']);
    expect(index.listDescendants(index.topLevel[1] as ResourceRow).map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('have a path and a list of everything below them', () => {
    const index = createResourceIndex(
      toResourceRows([
        resource('freezer', {
          base_type: 'container',
          children: { shelf: resource('shelf', { base_type: 'stack', children: [resource('plate')] }) },
        }),
      ]),
    );
    const plate = index.byId.get('plate') as ResourceRow;
    expect(index.findPath(plate).map(({ id }) => id)).toEqual(['freezer', 'shelf']);
    expect(index.listDescendants(index.topLevel[0] as ResourceRow).map(({ id }) => id)).toEqual(['shelf', 'plate']);
  });
});

describe('reading all resources again', () => {
  const readings = fc.array(
    fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: 6 }), amount: fc.nat(2) }), { selector: ({ id }) => id }),
    { maxLength: 8 },
  );

  it('sends the changes, which give the page the same list as the manager', () => {
    fc.assert(
      fc.property(readings, (responses) => {
        const filterChanges = createChangeFilter();
        let body: ReturnType<typeof applyChanges> | null = null;
        for (const response of responses) {
          const rows = response.map(({ id, amount }) => row(`R${id}`, { quantity: amount }));
          const { changed, order } = filterChanges('http://lab/', rows, body?.number ?? 0);
          body = applyChanges(body, structuredClone(changed), { order });
          expect(body.rows).toEqual(rows);
        }
      }),
    );
  });

  it('sends no changes while the resources are unchanged', () => {
    const filterChanges = createChangeFilter();
    const rows = [row('a'), row('b')];
    const first = applyChanges(null, ...read(filterChanges('x', rows, 0)));
    const [changed, sentRows] = read(filterChanges('x', [row('a'), row('b')], first.number));
    expect(changed).toEqual([]);
    expect(applyChanges(first, changed, sentRows)).toBe(first);
  });

  it('sends everything to a page without data and for another manager', () => {
    const filterChanges = createChangeFilter();
    filterChanges('x', [row('a')], 0);
    expect(filterChanges('x', [row('a')], 0).changed).toHaveLength(1);
    expect(filterChanges('y', [row('a')], 2).changed).toHaveLength(1);
  });
});
function read({ changed, order }: ReturnType<ReturnType<typeof createChangeFilter>>) {
  return [changed, { order }] as const;
}

describe('the amount of a resource', () => {
  const consumable = (quantity: number, capacity: number | null, mark?: unknown) =>
    row('c', {
      base_type: 'discrete_consumable',
      quantity,
      capacity,
      attributes: mark === undefined ? {} : ({ low_mark: mark } as never),
    });
  it.each([
    [consumable(38, 960, 96), 'low'],
    [consumable(96, 960, 96), 'low'],
    [consumable(97, 960, 96), 'inStock'],
    [consumable(0, 960, 96), 'out'],
    [consumable(0, 960), 'empty'],
    [consumable(960, 960), 'full'],
    [consumable(5, null), 'inStock'],
    [consumable(5, 10, 'many'), 'inStock'],
    [consumable(5, 10, -1), 'inStock'],
  ])('has the state $1 (case %#)', (resourceRow, state) => expect(getAmount(resourceRow)?.state).toBe(state));

  it('is null for an asset, and needs no refill without a low mark', () => {
    expect(getAmount(row('a', { base_type: 'asset' }))).toBeNull();
    expect(needsRefill(consumable(0, 10))).toBe(false);
    expect(needsRefill(consumable(1, 10, 2))).toBe(true);
    expect(readLowMark(consumable(1, 1, Number.NaN))).toBeNull();
  });

  it('is the number of occupied positions in a rack of plates, for which MADSci counts 0', () => {
    const plate = (id: string) => ({ ...resource(id), base_type: 'asset' as const, quantity: null });
    const rack = (...children: (Resource | null)[]) =>
      row('rack', { base_type: 'row', quantity: 0, capacity: null, children });
    const plates = ['a', 'b', 'c', 'd', 'e', 'f'].map(plate);
    expect(getAmount(rack(...plates))).toMatchObject({ value: 6, capacity: 6, state: 'full', basis: 'children' });
    expect(getAmount(rack(...plates.slice(1), null))).toMatchObject({ value: 5, capacity: 6, state: 'occupied' });
    expect(getAmount(rack(null, null))).toMatchObject({ value: 0, state: 'empty', basis: 'sum' });
    const grid = row('grid', {
      base_type: 'grid',
      quantity: 0,
      children: [1, 2].map((number) => ({
        ...resource(`r${number}`),
        base_type: 'row' as const,
        quantity: 0,
        children: [plate(`p${number}`), null],
      })),
    });
    expect(getAmount(grid)).toMatchObject({ value: 2, capacity: 4, state: 'occupied' });
  });

  it('is the number of occupied wells for contents of several units, and of empty tubes', () => {
    const tube = (id: string, unit: string, quantity: number) => ({
      ...resource(id),
      base_type: 'continuous_consumable' as const,
      quantity,
      attributes: { unit },
    });
    const line = (quantity: number, ...children: (Resource | null)[]) =>
      row('line', { base_type: 'row', quantity, children });
    const mixed = line(305, tube('a', 'µl', 100), tube('b', 'µl', 200), tube('c', 'mg', 5), null);
    expect(mixed.totals).toEqual({ µl: 300, mg: 5 });
    expect(getAmount(mixed)).toMatchObject({ basis: 'children', value: 3, capacity: 4, state: 'occupied', unit: '' });
    expect(getAmount(line(300, tube('a', 'µl', 300), null))).toMatchObject({ basis: 'sum', value: 300, unit: 'µl' });
    expect(getAmount(line(0, tube('a', 'µl', 0), null))).toMatchObject({ value: 1, capacity: 2, state: 'occupied' });
    const pool = row('pool', {
      base_type: 'pool',
      quantity: 105,
      children: { a: tube('a', 'µl', 100), b: tube('b', 'mg', 5) },
    });
    expect(getAmount(pool)).toMatchObject({ basis: 'children', value: 2, capacity: null });
  });

  const well = (id: string, quantity: number, unit?: string) => ({
    ...resource(id),
    base_type: 'continuous_consumable' as const,
    quantity,
    ...(unit !== undefined && { attributes: { unit } }),
  });
  const pool = (attributes: Record<string, unknown>, ...wells: ReturnType<typeof well>[]) =>
    row('pool', {
      base_type: 'pool',
      // The manager adds up the numbers.
      quantity: wells.reduce((sum, { quantity }) => sum + quantity, 0),
      capacity: 10,
      attributes,
      children: Object.fromEntries(wells.map((child) => [child.resource_id, child])),
    });

  it('of a container converts the units of its contents into its own', () => {
    const converted = pool({ unit: 'mL', low_mark: 2 }, well('a', 1, 'mL'), well('b', 500, 'µl'));
    expect(getAmount(converted)).toMatchObject({
      basis: 'sum',
      value: 1.5,
      unit: 'mL',
      capacity: 10,
      fraction: 0.15,
      state: 'low',
      mixedUnits: [],
    });
    expect(getAmount(pool({ unit: 'mL' }, well('a', 500, 'µl')))).toMatchObject({ value: 0.5, unit: 'mL' });
    expect(getAmount(pool({ unit: 'mL' }, well('a', 5)))).toMatchObject({ value: 5, unit: 'mL' });
  });

  it('of a container is not compared with a low mark and a capacity whose unit is unknown', () => {
    const mixed = pool({ low_mark: 200 }, well('a', 1, 'mL'), well('b', 500, 'µl'));
    expect(getAmount(mixed)).toMatchObject({
      value: 1.5,
      unit: 'mL',
      lowMark: null,
      capacity: null,
      fraction: null,
      state: 'occupied',
      mixedUnits: ['mL', 'µl'],
    });
    expect(needsRefill(mixed)).toBe(false);
    const incompatible = pool({ low_mark: 200, unit: 'mL' }, well('a', 1, 'mL'), well('b', 5, 'mg'));
    expect(getAmount(incompatible)).toMatchObject({ basis: 'children', value: 2, mixedUnits: ['mL', 'mg'] });
    expect(needsRefill(incompatible)).toBe(false);
  });

  it('counts two spellings of a unit as one', () => {
    const spelled = pool({ low_mark: 200 }, well('a', 100, 'uL'), well('b', 50, 'µl'));
    expect(spelled.totals).toEqual({ uL: 150 });
    expect(getAmount(spelled)).toMatchObject({ value: 150, unit: 'uL', lowMark: 200, state: 'low' });
  });

  it('differs from what was shown if only its unit has changed, or only its last digits', () => {
    const container = { ...resource('tube'), base_type: 'continuous_consumable' as const, quantity: 5 };
    const tube = toResourceRow({ ...container, attributes: { unit: 'mL' } });
    const shown = { row: tube, index: createResourceIndex([tube]) };
    const { differs, quantity } = resourceTexts.changed;
    const findDifferences = (attributes: Record<string, unknown>, amount: number) =>
      resourceDifferences(shown, { ...container, quantity: amount, attributes }, ['quantity']);
    expect(findDifferences({ unit: 'µL' }, 5)).toEqual([differs(quantity, '5 mL', '5 µL')]);
    expect(findDifferences({ unit: 'ml' }, 5)).toEqual([]);
    expect(findDifferences({ unit: 'mL' }, 5.000_001)).toEqual([differs(quantity, '5 mL', '5.000001 mL')]);
  });

  it.each([
    [0.0004, 'mL', '0.0004 mL'],
    [0.123456, '', '0.1235'],
    [1e-9, 'L', '1e-9 L'],
    [-0.02, '', '-0.02'],
    [0, 'mL', '0 mL'],
    [12_500, '', '12,500'],
  ])('is formatted: %d %s is shown as %s', (value, unit, text) => expect(formatAmount(value, unit)).toBe(text));

  it.each([
    ['grid', 'sum'],
    ['pool', 'sum'],
    ['stack', 'children'],
    ['consumable', 'quantity'],
  ])('is counted for a %s by %s', (type, basis) =>
    expect(getAmount(row('x', { base_type: type, quantity: 1 }))?.basis).toBe(basis),
  );
});

describe('the operations of a resource', () => {
  const listPossible = (type: string, overrides: Partial<Resource> = {}) =>
    operations.filter(
      (operation) =>
        decideOperation(operation, row('x', { base_type: type, ...overrides }), overrides.locked_by ?? null) === null,
    );
  it.each([
    ['asset', {}, ['move', 'lock', 'remove']],
    [
      'discrete_consumable',
      { quantity: 3, capacity: 5 },
      ['quantity', 'capacity', 'fill', 'empty', 'move', 'lock', 'remove'],
    ],
    ['discrete_consumable', { quantity: 0 }, ['quantity', 'capacity', 'move', 'lock', 'remove']],
    ['stack', { children: [resource('a')] }, ['capacity', 'push', 'pop', 'move', 'lock', 'remove']],
    ['slot', { children: [resource('a')] }, ['pop', 'move', 'lock', 'remove']],
    ['slot', { children: [] }, ['push', 'move', 'lock', 'remove']],
    [
      'collection',
      { children: { a: resource('a') } },
      ['capacity', 'empty', 'setChild', 'removeChild', 'move', 'lock', 'remove'],
    ],
    ['grid', { rows: 1, columns: 1, children: [resource('a')] }, ['capacity', 'move', 'lock', 'remove']],
    ['centrifuge', {}, ['move', 'lock', 'remove']],
    ['asset', { locked_by: 'me' }, ['move', 'unlock', 'remove']],
  ])('are those that the type and content of a %s permit (case %#)', (type, overrides, possible) =>
    expect(listPossible(type, overrides as Partial<Resource>)).toEqual(possible),
  );

  it.each([
    ['stack', {}, null],
    ['stack', { capacity: 1, children: [resource('a')] }, 'full'],
    ['slot', { children: [resource('a')] }, 'full'],
    ['slot', { children: [] }, null],
    ['collection', { capacity: 1, children: { a: resource('a') } }, 'full'],
    ['collection', {}, null],
    ['row', { columns: 2, children: [resource('a'), null] }, null],
    ['row', { columns: 1, children: [resource('a')] }, 'full'],
    ['asset', {}, 'noContainer'],
  ] as const)('include adding a child to a %s with %j unless %s', (type, overrides, reason) =>
    expect(findTargetProblem(row('x', { base_type: type, ...(overrides as Partial<Resource>) }))).toBe(
      reason && resourceTexts.notAllowed[reason],
    ),
  );

  it('include no push to a queue after a pop, because the keys would collide', () => {
    const queue = row('q', { base_type: 'queue' });
    expect(pushCollides(queue, [row('a', { key: '0' }), row('b', { key: '1' })])).toBe(false);
    expect(pushCollides(queue, [row('b', { key: '1' })])).toBe(true);
    expect(pushCollides(row('s', { base_type: 'stack' }), [row('b', { key: '1' })])).toBe(false);
  });
});

describe('a resource lock', () => {
  it.each([
    [{ lockedBy: null }, 200, null],
    [{ lockedBy: 'arm' }, 200, 'arm'],
    [{ lockedBy: 'arm' }, 100, null],
    [{ lockedBy: 'arm' }, null, 'arm'],
  ])('has a holder until it expires: %j until %j belongs to %j', (lock, until, holder) =>
    expect(getActiveLockHolder(lock, until, 100)).toBe(holder),
  );
});

describe('an edit of a resource', () => {
  const initialResource = resource('x', {
    resource_class: 'tips',
    parent_id: 'p',
    key: '3',
    attributes: { lot: 1, use: 'a' },
  });
  it('keeps the changes of others and the position of the resource', () => {
    const now = {
      ...initialResource,
      resource_name: 'renamed',
      attributes: { lot: 2, use: 'a', seen: true },
    } as Resource;
    const { body, conflicts } = mergeEdit(initialResource, now, {
      fields: { resource_class: 'racks' },
      attributes: { use: 'b' },
    });
    expect(conflicts).toEqual([]);
    expect(body).toMatchObject({
      resource_name: 'renamed',
      resource_class: 'racks',
      parent_id: 'p',
      key: '3',
      attributes: { lot: 2, use: 'b', seen: true },
    });
  });

  it('names each field that two users changed to different values', () => {
    const now = { ...initialResource, resource_class: 'theirs', attributes: { lot: 9, use: 'mine too' } } as Resource;
    const { conflicts } = mergeEdit(initialResource, now, {
      fields: { resource_class: 'mine' },
      attributes: { lot: undefined, use: 'mine too' },
    });
    expect(conflicts).toEqual([
      { field: 'resource_class', initialValue: 'tips', currentValue: 'theirs', editedValue: 'mine' },
      { field: 'attributes.lot', initialValue: 1, currentValue: 9, editedValue: undefined },
    ]);
  });

  it('never loses another user’s change', () => {
    const attributes = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(3));
    fc.assert(
      fc.property(attributes, attributes, attributes, (initial, current, mine) => {
        const { body } = mergeEdit(resource('x', { attributes: initial }), resource('x', { attributes: current }), {
          fields: {},
          attributes: mine,
        });
        expect(body.attributes).toEqual({ ...current, ...mine });
      }),
    );
  });
});
