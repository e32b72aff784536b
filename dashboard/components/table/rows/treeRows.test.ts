import { describe, expect, it } from 'vitest';
import { collectRows, findParentLineIndex, createTreeLines, type TreeOptions } from './treeRows.ts';

interface Resource {
  readonly name: string;
  readonly below?: readonly Resource[];
}
const well = (name: string): Resource => ({ name });
const roots: readonly Resource[] = [
  {
    name: 'stack',
    below: [
      { name: 'plate 2', below: [well('A1'), well('B1')] },
      { name: 'plate 1', below: [] },
    ],
  },
  { name: 'rack' },
];
const options = (input: Partial<TreeOptions<Resource>>): TreeOptions<Resource> => ({
  getChildren: ({ below = [] }) => below,
  getKey: ({ name }) => name,
  open: new Set(),
  matches: null,
  sortRows: (rows) => rows,
  ...input,
});
const drawRows = (input: Partial<TreeOptions<Resource>>) =>
  createTreeLines(roots, options(input)).map(
    ({ row, level, open }) => `${'  '.repeat(level - 1)}${open === null ? '' : open ? '- ' : '+ '}${row.name}`,
  );

describe('createTreeLines', () => {
  it.each<[string, Partial<TreeOptions<Resource>>, string[]]>([
    ['collapsed', {}, ['+ stack', 'rack']],
    ['expanded at one level', { open: new Set(['stack']) }, ['- stack', '  + plate 2', '  plate 1', 'rack']],
    ['expanded below a collapsed row', { open: new Set(['plate 2']) }, ['+ stack', 'rack']],
    [
      'sorted among siblings',
      { open: new Set(['stack']), sortRows: (rows) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)) },
      ['rack', '- stack', '  plate 1', '  + plate 2'],
    ],
    [
      'searched, with the ancestors of matches',
      { matches: ({ name }) => name === 'B1' },
      ['- stack', '  - plate 2', '    B1'],
    ],
    [
      'searched, without the children of matches',
      { matches: ({ name }) => name === 'plate 2' },
      ['- stack', '  + plate 2'],
    ],
    ['searched without matches', { matches: () => false }, []],
  ])('returns the lines of a tree that is %s', (_, input, lines) => {
    expect(drawRows(input)).toEqual(lines);
  });

  it('ends at a row that is its own descendant', () => {
    const loop = { name: 'loop' };
    const lines = createTreeLines([loop], options({ getChildren: () => [loop], open: new Set(['loop']) }) as never);
    expect(lines).toHaveLength(2);
  });
});

describe('the rows of a tree', () => {
  it('are collected once each', () => {
    const names = collectRows(roots, options({})).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['A1', 'B1', 'plate 1', 'plate 2', 'rack', 'stack']);
  });

  it.each([
    [0, null],
    [1, 0],
    [3, 2],
    [4, 0],
  ])('have the line of their parent: line %i has %s', (index, parent) => {
    expect(
      findParentLineIndex(
        [1, 2, 2, 3, 2].map((level) => ({ level })),
        index,
      ),
    ).toBe(parent);
  });
});
