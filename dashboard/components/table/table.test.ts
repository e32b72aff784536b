import * as fc from 'fast-check';
import type { LocationQuery } from 'vue-router';
import { describe, expect, it } from 'vitest';
import { formatCsvCell, createCsvFileName, formatCsv } from './rows/csv.ts';
import {
  choiceFromKeys,
  formatGridColumns,
  computeGrowthWidths,
  getMinTableWidth,
  getVisibleColumns,
} from './tableColumns.ts';
import { readRecord } from '../../base/displayChoices.ts';
import { viewToQuery, viewFromQuery } from './tableQuery.ts';
import { arrangeRows } from './rows/arrange.ts';
import {
  type Column,
  type TableView,
  createCells,
  getNextSort,
  defaultView,
  withPinnedRows,
} from './rows/tableRows.ts';

interface Plate {
  readonly name: string;
  readonly state: 'Ready' | 'Busy' | 'Error';
  readonly wells: number | null;
}
const severity = { Ready: 0, Busy: 1, Error: 2 } as const;
const columns: readonly Column<Plate>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'state', title: 'State', value: ({ state }) => severity[state], text: ({ state }) => state, filter: 'choice' },
  { key: 'wells', title: 'Wells', value: ({ wells }) => wells, align: 'end', width: 4, hidden: true },
];
const plates: readonly Plate[] = [
  { name: 'plate 10', state: 'Busy', wells: 96 },
  { name: 'Plate 2', state: 'Ready', wells: null },
  { name: 'rack', state: 'Error', wells: 24 },
  { name: 'plate 2', state: 'Ready', wells: 384 },
];
const names = (view: Partial<TableView>): string[] =>
  arrangeRows(plates, columns)
    .selectRows({ ...defaultView, ...view })
    .map(({ name }) => name);

describe('createCells', () => {
  const [name, state, wells] = columns as [Column<Plate>, Column<Plate>, Column<Plate>];
  const wide = { ...name, covers: { key: 'state', when: ({ wells: wellCount }: Plate) => wellCount === null } };
  const listCells = (columnsToDraw: readonly Column<Plate>[], row: number) =>
    createCells(columnsToDraw, plates[row]!).map(({ column, span }) => `${column.key} ${span}`);

  it('omits a cell that is covered by another one in its row', () => {
    expect(listCells([wide, state, wells], 0)).toEqual(['name 1', 'state 1', 'wells 1']);
    expect(listCells([wide, state, wells], 1)).toEqual(['name 2', 'wells 1']);
  });

  it('omits only an adjacent cell', () => {
    expect(listCells([wide, wells, state], 1)).toEqual(['name 1', 'wells 1', 'state 1']);
    expect(listCells([wide], 1)).toEqual(['name 1']);
  });
});

describe('selectRows', () => {
  it('returns the same array without filters', () => {
    expect(arrangeRows(plates, columns).selectRows(defaultView)).toBe(plates);
  });

  it.each<[string, Partial<TableView>, string[]]>([
    ['finds text in any column and order', { search: ' BUSY plate' }, ['plate 10']],
    ['finds text in hidden columns', { search: '384' }, ['plate 2']],
    ['does not search the number that a text is sorted by', { search: 'ready 0' }, []],
    [
      'sorts texts with numbers numerically and keeps the order of equal ones',
      { sort: { key: 'name', descending: false } },
      ['Plate 2', 'plate 2', 'plate 10', 'rack'],
    ],
    [
      'keeps the order of equal rows when descending',
      { sort: { key: 'name', descending: true } },
      ['rack', 'plate 10', 'Plate 2', 'plate 2'],
    ],
    [
      'sorts by value, not by text',
      { sort: { key: 'state', descending: true } },
      ['rack', 'plate 10', 'Plate 2', 'plate 2'],
    ],
    [
      'puts rows without a value last',
      { sort: { key: 'wells', descending: false } },
      ['rack', 'plate 10', 'plate 2', 'Plate 2'],
    ],
    [
      'puts rows without a value last when descending too',
      { sort: { key: 'wells', descending: true } },
      ['plate 2', 'plate 10', 'rack', 'Plate 2'],
    ],
    [
      'ignores a sort column that no longer exists',
      { sort: { key: 'missing', descending: true } },
      plates.map(({ name }) => name),
    ],
    ['filters by the selected values', { filters: { state: ['Error', 'Busy'] } }, ['plate 10', 'rack']],
    ['does not filter by an empty selection', { filters: { state: [] } }, plates.map(({ name }) => name)],
    ['ignores a filter of a column without choices', { filters: { name: ['rack'] } }, plates.map(({ name }) => name)],
  ])('%s', (_name, view, expected) => {
    expect(names(view)).toEqual(expected);
  });

  it('sorts ten thousand distinct names', () => {
    const manyPlates = Array.from({ length: 10_000 }, (_, index): Plate => ({
      name: `plate ${(index * 7919) % 10_000}`,
      state: 'Ready',
      wells: index,
    }));
    const visibleRows = arrangeRows(manyPlates, columns).selectRows({
      ...defaultView,
      search: 'plate',
      sort: { key: 'name', descending: false },
    });
    expect([visibleRows[0]?.name, visibleRows.at(-1)?.name]).toEqual(['plate 0', 'plate 9999']);
  });
});

describe('getNextSort', () => {
  it('cycles through ascending, descending and none, and starts again at another column', () => {
    const first = getNextSort(null, 'name');
    expect(first).toEqual({ key: 'name', descending: false });
    const second = getNextSort(first, 'name');
    expect(second).toEqual({ key: 'name', descending: true });
    expect(getNextSort(second, 'name')).toBeNull();
    expect(getNextSort(second, 'state')).toEqual({ key: 'state', descending: false });
  });
});

describe('getChoices', () => {
  it('counts the rows that match the other filters and keeps the selected values', () => {
    const view = { ...defaultView, search: 'plate', filters: { state: ['Busy', 'Removed'] } };
    expect(arrangeRows(plates, columns).getChoices(view, columns[1]!)).toEqual([
      { value: 'Busy', count: 1 },
      { value: 'Error', count: 0 },
      { value: 'Ready', count: 2 },
      { value: 'Removed', count: 0 },
    ]);
  });
});

describe('the columns of a table', () => {
  it('include the default and the selected ones, and always the first', () => {
    const keys = (choice: Record<string, boolean>): string[] =>
      getVisibleColumns(columns, choice).map(({ key }) => key);
    expect(keys({})).toEqual(['name', 'state']);
    expect(keys({ name: false, state: false, wells: true, missing: true })).toEqual(['name', 'wells']);
  });

  it('are stored only as far as they differ from the default', () => {
    expect(choiceFromKeys(columns, ['name', 'state'])).toEqual({});
    expect(choiceFromKeys(columns, ['wells'])).toEqual({ state: false, wells: true });
  });

  it.each([
    ['{"state":false}', { state: false }],
    ['{"state":"no","wells":true}', { wells: true }],
    ['[true]', {}],
    ['null', {}],
    ['nonsense', {}],
  ])('are read from %s', (text, choice) => {
    expect(readRecord(text, (value) => typeof value === 'boolean')).toEqual(choice);
  });

  it('determine the grid columns and the minimum width of the table', () => {
    expect(formatGridColumns(columns)).toBe('minmax(11rem, 10fr) minmax(11rem, 10fr) minmax(5rem, 4fr)');
    expect(getMinTableWidth(columns)).toBe(28);
  });
});

describe('a column that grows', () => {
  const growing = columns.map((column, index) => (index === 0 ? { ...column, grows: true } : column));
  const long = { ...plates[0]!, name: 'liquidhandler_1_deck_position_1_labware' };
  const lines = [{ row: long, level: null }];

  it('uses free space up to its longest text before other columns', () => {
    const grown = computeGrowthWidths(growing, lines);
    expect(grown).toEqual({ name: 20.75 });
    expect(formatGridColumns(growing, {}, grown)).toMatch(/^minmax\(11rem, 21\.75rem\) minmax\(11rem, 10fr\)/);
  });

  it('has space for the indent of a tree', () => {
    expect(computeGrowthWidths(growing, [{ row: long, level: 3 }])['name']).toBe(24.5);
  });

  it('has the width that the user set', () => {
    expect(formatGridColumns(growing, { name: 12 }, computeGrowthWidths(growing, lines))).toMatch(/^13rem /);
  });
});

describe('the CSV file of a table', () => {
  it('names units in its heads, and has the IDs of the rows also if no column shows them', () => {
    const id = '01M7YEZGAZMTTE3RWYNVGA29Z5';
    const duration: Column<{ id: string }> = { key: 'd', title: 'Duration', value: () => 3, csvUnit: 's' };
    const getKey = (row: { id: string }) => row.id;
    expect(formatCsv([duration], [{ id }], getKey)).toContain(`Duration (s),ID\r\n3,${id}\r\n`);
    const ids: Column<{ id: string }> = { key: 'id', title: 'ID', value: getKey };
    expect(formatCsv([ids], [{ id }], getKey)).toContain(`ID\r\n${id}\r\n`);
    expect(formatCsv([duration], [{ id: 'robot' }], getKey)).toContain('Duration (s)\r\n3\r\n');
  });

  it('has two columns for a cell with two values', () => {
    const column = {
      key: 'steps',
      title: 'Steps',
      value: ({ done }: { done: number; total: number }) => done,
      text: ({ done, total }: { done: number; total: number }) => `${done}/${total}`,
      csvAs: [
        { title: 'Steps done', value: ({ done }: { done: number }) => done },
        { title: 'Steps', value: ({ total }: { total: number }) => total },
      ],
    };
    expect(formatCsv([column], [{ done: 1, total: 2 }])).toContain('Steps done,Steps\r\n1,2\r\n');
  });

  it('a column that another visible column exports is written once, and other columns with one title are all written', () => {
    const value = ({ id }: { id: string }) => id;
    const named = {
      key: 'name',
      title: 'ID',
      value,
      csvAs: [
        { title: 'ID', value },
        { key: 'id', title: 'ID', value },
      ],
    };
    const id = { key: 'id', title: 'ID', value };
    expect(formatCsv([named, id], [{ id: 'x' }])).toContain('ID,ID\r\nx,x\r\n');
    expect(formatCsv([id], [{ id: 'x' }])).toContain('ID\r\nx\r\n');
  });

  it.each([
    ['plain', 'plain'],
    [null, ''],
    [1.5, '1.5'],
    [-1.5, '-1.5'],
    ['-3e-4', '-3e-4'],
    ['+41', '+41'],
    ['=SUM(A1)', "'=SUM(A1)"],
    ['+41 79', "'+41 79"],
    ['-x', "'-x"],
    ['@x', "'@x"],
    ['\tx', '"\'\tx"'],
    ['x;=1+cmd', '"x;\'=1+cmd"'],
    ['-1\n*cmd', '"\'-1\n*cmd"'],
    ['+1\t&cmd', '"\'+1\t&cmd"'],
    ['x\t@a', '"x\t\'@a"'],
    ['so "=A1"', '"so ""=A1"""'],
    ['x;"=A1"', '"x;""\'=A1"""'],
    ['two\n=A1', '"two\n\'=A1"'],
    ['{"t":"-20 °C"}', '"{""t"":""-20 °C""}"'],
    ['{"a":"b","c":[-1,2],"@id":"+x,-y"}', '"{""a"":""b"",""c"":[-1,2],""@id"":""+x,-y""}"'],
    ['{"a":"b;=c"}', '"{""a"":""b;\\u003dc""}"'],
    ['1;-2', '"1;-2"'],
    ['minus -x', 'minus -x'],
    ['\rx', '"\'\rx"'],
    ['=A1,B1', '"\'=A1,B1"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
  ])('writes %j as %j', (value, cell) => {
    expect(formatCsvCell(value)).toBe(cell);
  });

  it('contains the displayed texts with titles and standard line ends', () => {
    expect(formatCsv(columns, plates.slice(0, 2))).toBe(
      '\uFEFFName,State,Wells\r\nplate 10,Busy,96\r\nPlate 2,Ready,\r\n',
    );
  });

  it('prefers the value that a column declares for the export', () => {
    const column: Column<number> = { key: 'at', title: 'At', value: (at) => at, text: () => 'now', csv: () => 'ISO' };
    expect(formatCsv([column], [1])).toBe('\uFEFFAt\r\nISO\r\n');
  });

  it('has a name with its time', () => {
    expect(createCsvFileName('nodes', new Date(2026, 0, 2, 3, 4).getTime())).toBe('nodes-2026-01-02-0304.csv');
  });
});

describe('the address of a table', () => {
  const initial: TableView = { search: '', sort: { key: 'at', descending: true }, filters: { state: ['Busy'] } };

  it.each<[string, LocationQuery, TableView]>([
    ['no parameters', {}, initial],
    ['a search text', { q: 'plate 14' }, { ...initial, search: 'plate 14' }],
    ['a sort order', { sort: 'name' }, { ...initial, sort: { key: 'name', descending: false } }],
    ['an empty sort order, which means unsorted', { sort: '' }, { ...initial, sort: null }],
    ['filters', { 'is.state': ['a', 'b'], 'is.by': 'c' }, { ...initial, filters: { state: ['a', 'b'], by: ['c'] } }],
    ['a filter without a name, which removes the initial filters', { 'is.': '' }, { ...initial, filters: {} }],
    ['an empty filter value', { 'is.state': null }, { ...initial, filters: { state: [''] } }],
    ['invalid parameters', { q: [null, 'x'], sort: '-' }, { search: '', sort: null, filters: { state: ['Busy'] } }],
  ])('is parsed with %s', (_name, query, view) => {
    expect(viewFromQuery(query, initial)).toEqual(view);
  });

  it('omits defaults and keeps other parameters', () => {
    expect(viewToQuery(initial, { kiosk: null, q: 'old', 'is.state': 'x' }, initial)).toEqual({ kiosk: null });
  });

  it('returns the same view after writing and reading', () => {
    const word = fc.string({ maxLength: 8 });
    const key = fc.stringMatching(/^[a-z]{1,6}$/);
    const view = fc.record({
      search: word,
      sort: fc.option(fc.record({ key, descending: fc.boolean() }), { nil: null }),
      filters: fc.dictionary(key, fc.array(word, { minLength: 1, maxLength: 3 })),
    });
    fc.assert(
      fc.property(view, (generatedView) => {
        const query = viewToQuery(generatedView, { other: 'x' }, initial);
        expect(query['other']).toBe('x');
        const restoredView = viewFromQuery(query as LocationQuery, initial);
        expect({ ...restoredView, filters: sortFilterValues(restoredView.filters) }).toEqual({
          ...generatedView,
          filters: sortFilterValues(generatedView.filters),
        });
      }),
    );
  });
});

function sortFilterValues(filters: TableView['filters']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, values.toSorted()]));
}

describe('rows in the document', () => {
  it('include pinned rows outside the visible ones', () => {
    expect(withPinnedRows([4, 5, 6], [5, -1, 100], 100)).toEqual([4, 5, 6]);
    expect(withPinnedRows([4, 5, 6], [90, 1], 100)).toEqual([1, 4, 5, 6, 90]);
  });
});
