import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { createResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { toResourceRows } from '#dashboard/managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import { parseRowName, rowName } from '#dashboard/components/plate/plate.ts';
import { planFill, fillOrder, type FillOptions, maxNames, parsePattern } from './fillPlan.ts';
import { fillTexts as texts } from '../batch/texts.ts';

const defaultOptions: FillOptions = { start: '', order: 'row', occupiedMode: 'next', layer: 0, type: 'asset' };
const createResource = (id: string, overrides: Partial<Resource> = {}): Resource => ({
  resource_id: id,
  resource_name: `name of ${id}`,
  base_type: 'asset',
  ...overrides,
});
const line = (id: string, children: (Resource | null)[]): Resource =>
  createResource(id, { base_type: 'row', columns: children.length, children });
const plate = createResource('plate', {
  base_type: 'grid',
  rows: 2,
  columns: 3,
  children: [line('r0', [null, createResource('held'), null]), line('r1', [null, null, null])],
});
function plan(resource: Resource, names: readonly string[], overrides: Partial<FillOptions> = {}) {
  const index = createResourceIndex(toResourceRows([resource]));
  const row = index.byId.get(resource.resource_id);
  if (row === undefined) throw new Error('The index does not contain the container');
  return planFill(row, index, names, { ...defaultOptions, ...overrides });
}
const listPlaces = (fillPlan: ReturnType<typeof plan>) =>
  fillPlan.children.map(({ name, place }) => `${name} ${place}`);

describe('planFill', () => {
  it.each([
    [{}, ['a A1', 'b A3', 'c B1']],
    [{ occupiedMode: 'leaveOut' }, ['a A1', 'c A3']],
    [{ order: 'column' }, ['a A1', 'b B1', 'c B2']],
    [{ start: 'b2' }, ['a B2', 'b B3']],
    [{ start: 'A03', order: 'column' }, ['a A3', 'b B3']],
  ] as const)('assigns places on a plate with %o', (overrides, expected) => {
    expect(listPlaces(plan(plate, ['a', 'b', 'c'], overrides))).toEqual(expected);
  });

  it('lists occupied places and names without a place', () => {
    const fillPlan = plan(plate, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(fillPlan.occupied).toEqual([{ place: 'A2', name: 'name of held' }]);
    expect(fillPlan.unplacedNames).toEqual(['f', 'g']);
    expect(fillPlan.children[2]).toEqual({ name: 'c', place: 'B1', parentId: 'r1', key: '0', plateIndex: 3 });
  });

  it.each(['C1', 'A4', 'x', '0'])('rejects the start position %s', (start) => {
    expect(plan(plate, ['a'], { start }).problem).toBe(
      `${start} is not a position of this container. Enter one such as B3.`,
    );
  });

  it('accepts a number as the start position in a row', () => {
    const row = line('row', [null, null, null]);
    expect(listPlaces(plan(row, ['a', 'b'], { start: '2' }))).toEqual(['a A2', 'b A3']);
  });

  it('uses the selected layer of a voxel grid', () => {
    const layer = (id: string) =>
      createResource(id, { base_type: 'grid', rows: 1, columns: 2, children: [line(`${id}r`, [null, null])] });
    const voxels = createResource('v', {
      base_type: 'voxel_grid',
      rows: 1,
      columns: 2,
      layers: 2,
      children: [layer('l0'), layer('l1')],
    });
    expect(plan(voxels, ['a'], { layer: 1 }).children[0]?.parentId).toBe('l1r');
  });

  it('reports a missing row', () => {
    expect(plan({ ...plate, children: [] }, ['a']).problem).toBe('One of its rows is missing in the resource manager.');
  });

  it.each([
    ['stack', 3, ['a', 'b'], ['c']],
    ['queue', null, ['a', 'b', 'c'], []],
    ['slot', null, [], ['a', 'b', 'c']],
  ])('fills a %s up to its capacity', (base_type, capacity, placed, unplaced) => {
    const stored = [createResource('held', { key: '0' })];
    const fillPlan = plan(createResource('c', { base_type, capacity, children: stored }), ['a', 'b', 'c']);
    expect(fillPlan.children.map(({ name }) => name)).toEqual(placed);
    expect(fillPlan.unplacedNames).toEqual(unplaced);
    expect(fillPlan.children.every(({ key }) => key === null)).toBe(true);
  });

  it('rejects a queue whose next key is occupied', () => {
    const children = [createResource('x', { key: '1' })];
    expect(plan(createResource('q', { base_type: 'queue', children }), ['a']).problem).toBe(
      resourcesTexts.operations.pushCollides,
    );
  });

  it('uses free keys of a collection, and only the types that a pool accepts', () => {
    const children = { b: createResource('held', { key: 'b' }) };
    const fillPlan = plan(createResource('box', { base_type: 'collection', capacity: 3, children }), [
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(listPlaces(fillPlan)).toEqual(['a a', 'c c']);
    expect(fillPlan.occupied).toEqual([{ place: 'b', name: 'name of held' }]);
    expect(fillPlan.unplacedNames).toEqual(['d']);
    expect(plan(createResource('pool', { base_type: 'pool', children: {} }), ['a']).problem).toBe(
      'A pool accepts only consumables.',
    );
    const poolPlan = plan(createResource('pool', { base_type: 'pool', children: {} }), ['a'], {
      type: 'continuous_consumable',
    });
    expect(listPlaces(poolPlan)).toEqual(['a a']);
  });

  it('visits every place once, by row or by column', () => {
    const size = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(size, size, fc.constantFrom('row', 'column'), (rows, columns, order) => {
        const path = fillOrder(rows, columns, 0, order);
        expect(path.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: rows * columns }, (_place, position) => position),
        );
        expect(path[1] ?? 0).toBe(rows * columns === 1 ? 0 : order === 'row' || rows === 1 ? 1 : columns);
      }),
    );
  });

  it('never uses an occupied place or one place twice', () => {
    const cell = fc.boolean();
    const cells = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    const rest = fc.record({
      order: fc.constantFrom('row' as const, 'column' as const),
      occupiedMode: fc.constantFrom('next' as const, 'leaveOut' as const),
      count: fc.nat(20),
    });
    fc.assert(
      fc.property(cells, rest, (occupancy, { order, occupiedMode, count }) => {
        const lines = occupancy.map((rowFlags, row) =>
          line(
            `r${row}`,
            rowFlags.map((isFilled, column) => (isFilled ? createResource(`${row}.${column}`) : null)),
          ),
        );
        const grid = createResource('p', { base_type: 'grid', rows: lines.length, columns: 4, children: lines });
        const names = Array.from({ length: count }, (_name, number) => `n${number}`);
        const fillPlan = plan(grid, names, { order, occupiedMode });
        const usedPlaces = fillPlan.children.map(({ parentId, key }) => `${parentId} ${key}`);
        expect(new Set(usedPlaces).size).toBe(usedPlaces.length);
        for (const { parentId, key } of fillPlan.children)
          expect(occupancy[Number(parentId.slice(1))]?.[Number(key)]).toBe(false);
        const omittedCount = occupiedMode === 'leaveOut' ? fillPlan.occupied.length : 0;
        expect(fillPlan.children.length + fillPlan.unplacedNames.length + omittedCount).toBe(count);
      }),
    );
  });
});

const patternTexts = texts.pattern;
function expandNames(pattern: string): readonly string[] {
  const result = parsePattern(pattern);
  if (!result.ok) throw new Error(result.problem);
  return result.names;
}

describe('parsePattern', () => {
  it.each([
    ['rack', ['rack']],
    ['s_{1..3}', ['s_1', 's_2', 's_3']],
    ['s_{008..011}', ['s_008', 's_009', 's_010', 's_011']],
    ['s_{8..011}', ['s_008', 's_009', 's_010', 's_011']],
    ['{0..2}', ['0', '1', '2']],
    ['{3..1}', ['3', '2', '1']],
    ['{2..10..4}', ['2', '6', '10']],
    ['{A..C}', ['A', 'B', 'C']],
    ['{y..ab}', ['y', 'z', 'aa', 'ab']],
    ['{A..B}{01..02}', ['A01', 'A02', 'B01', 'B02']],
    ['{left, right}_tip', ['left_tip', 'right_tip']],
    ['{{x}}_{1..2}', ['{x}_1', '{x}_2']],
  ])('expands %s', (pattern, expected) => {
    expect(expandNames(pattern)).toEqual(expected);
  });

  it.each([
    ['', 'Enter a pattern, such as sample_{001..096}.'],
    ['  ', 'Enter a pattern, such as sample_{001..096}.'],
    ['a{1..3', patternTexts.unclosed(2)],
    ['a}', patternTexts.unopened(2)],
    ['{}', patternTexts.braces('{}')],
    ['{one}', patternTexts.braces('{one}')],
    ['{a,,b}', patternTexts.braces('{a,,b}')],
    ['{1..C}', patternTexts.ends('{1..C}')],
    ['{A..c}', patternTexts.ends('{A..c}')],
    ['{-3..2}', patternTexts.ends('{-3..2}')],
    ['{1..3..0}', 'The step of {1..3..0} is 0.'],
    ['{1..99999}', patternTexts.tooMany(99_999, maxNames)],
    ['{1..500}{1..500}', patternTexts.tooMany(250_000, maxNames)],
    ['{a,a}', 'The pattern produces “a” twice.'],
  ])('reports the problem of “%s”', (pattern, problem) => {
    expect(parsePattern(pattern)).toEqual({ ok: false, problem });
  });

  it('returns as many names as the product of the ranges, in order and unique', () => {
    const range = fc.record({
      from: fc.nat(60),
      count: fc.integer({ min: 1, max: 12 }),
      width: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(range, range, (first, second) => {
        const text = (number: number, width: number) => String(number).padStart(width, '0');
        const braces = ({ from, count, width }: typeof first) =>
          `{${text(from, width)}..${text(from + count - 1, width)}}`;
        const expandedNames = expandNames(`a${braces(first)}_${braces(second)}`);
        expect(expandedNames).toHaveLength(first.count * second.count);
        expect(new Set(expandedNames).size).toBe(expandedNames.length);
        const numbers = expandedNames.map((name) => name.slice(1).split('_').map(Number) as [number, number]);
        expect(numbers).toEqual(numbers.toSorted(([a, b], [c, d]) => a - c || b - d));
      }),
    );
  });

  it('returns names or a reason for any pattern', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '.', ',', '1', '0', 'A', 'b', '-', ' ') }), (pattern) => {
        const result = parsePattern(pattern);
        if (result.ok) expect(result.names.length).toBeGreaterThan(0);
        else expect(result.problem).not.toBe('');
      }),
    );
  });
});

it('parseRowName is the inverse of rowName', () => {
  fc.assert(fc.property(fc.nat(700), (value) => parseRowName(rowName(value)) === value));
});
