import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naturalOrder, searchTerms } from '#dashboard/base/texts.ts';
import { defaultView, type Column, type TableView } from './tableRows.ts';
import { arrangeRows, suggestSearch } from './arrange.ts';

interface Row {
  readonly name: string;
  readonly size: number | null;
  readonly state: string;
}
const columns: readonly Column<Row>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'size', title: 'Size', value: ({ size }) => size },
  { key: 'state', title: 'State', value: ({ state }) => state.length, text: ({ state }) => state, filter: 'choice' },
];
type Value = string | number | null;

/** A reference implementation without caches. */
function arrangeWithoutCaches(rows: readonly Row[], view: TableView): Row[] {
  const terms = searchTerms(view.search);
  const selectedValues = view.filters['state'] ?? [];
  const matchingRows = rows.filter((row) => {
    const text = [row.name, row.size === null ? '' : String(row.size), row.state].join('\n').toLowerCase();
    return (
      terms.every((word) => text.includes(word)) && (selectedValues.length === 0 || selectedValues.includes(row.state))
    );
  });
  const column = columns.find(({ key }) => key === view.sort?.key);
  if (column === undefined) return matchingRows;
  const isEmpty = (value: Value): boolean => value === null || value === '';
  const compare = (a: Value, b: Value): number => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'number') return -1;
    return typeof b === 'number' ? 1 : naturalOrder.compare(a ?? '', b ?? '');
  };
  return matchingRows.toSorted((a, b) => {
    const [first, second] = [column.value(a), column.value(b)];
    if (isEmpty(first) || isEmpty(second)) return Number(isEmpty(first)) - Number(isEmpty(second));
    return (view.sort?.descending ? -1 : 1) * compare(first, second);
  });
}

const row = fc.record({
  name: fc.constantFrom('step 2', 'step 10', 'Step 2', 'plate', '', 'platereader', 'ünit'),
  size: fc.option(fc.integer({ min: -3, max: 12 })),
  state: fc.constantFrom('ready', 'busy', 'errored'),
});
const view = fc.record({
  search: fc.constantFrom('', 'p', 'pl', 'plate', 'PLATE re', 'step 1', 're  st', '1', 'zzz'),
  sort: fc.option(fc.record({ key: fc.constantFrom('name', 'size', 'state', 'missing'), descending: fc.boolean() })),
  filters: fc.record({ state: fc.subarray(['ready', 'busy', 'elsewhere']) }),
});

describe('the rows of a view', () => {
  it('are independent of earlier views', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.array(view, { minLength: 1, maxLength: 8 }), (rows, views) => {
        const arrangedRows = arrangeRows(rows, columns);
        for (const generatedView of views) {
          expect(arrangedRows.selectRows(generatedView)).toEqual(arrangeWithoutCaches(rows, generatedView));
        }
      }),
    );
  });

  it('are read once for any number of searches', () => {
    let readCount = 0;
    const countingColumns: readonly Column<Row>[] = [
      {
        key: 'name',
        title: 'Name',
        value: ({ name }) => {
          readCount += 1;
          return name;
        },
      },
    ];
    const rows: readonly Row[] = ['plate 1', 'plate 2', 'seal'].map((name) => ({ name, size: null, state: 'ready' }));
    for (const tableRows of [rows, [...rows]]) {
      const arrangedRows = arrangeRows(tableRows, countingColumns);
      for (const search of ['p', 'pl', 'pla', 'plate 2', 'seal']) arrangedRows.selectRows({ ...defaultView, search });
    }
    expect(readCount).toBe(rows.length);
  });
});

describe('the choices of a column', () => {
  const rows: readonly Row[] = [
    { name: 'plate', size: 1, state: 'ready' },
    { name: 'plate', size: 2, state: 'busy' },
    { name: 'seal', size: 3, state: 'ready' },
  ];
  const arrangedRows = arrangeRows(rows, columns);

  it.each([
    ['no filter', defaultView, { busy: 1, ready: 2 }],
    ['a search', { ...defaultView, search: 'plate' }, { busy: 1, ready: 1 }],
    ['a search without matches', { ...defaultView, search: 'zzz' }, { busy: 0, ready: 0 }],
    ['its own filter, which is not applied', { ...defaultView, filters: { state: ['busy'] } }, { busy: 1, ready: 2 }],
    [
      'a filter value that no longer exists',
      { ...defaultView, filters: { state: ['errored'] } },
      { busy: 1, errored: 0, ready: 2 },
    ],
  ])('are counted with %s', (_, tableView, counts) => {
    const stateChoices = arrangedRows.getChoices(tableView, columns[2]!);
    expect(Object.fromEntries(stateChoices.map(({ value, count }) => [value, count]))).toEqual(counts);
    expect(stateChoices.map(({ value }) => value)).toEqual(Object.keys(counts));
  });
});

const texts = ['tip_rack_1\ndiscrete consumable', 'reagent_cabinet\ncollection', 'plate_101\n96-well plate'];

it.each([
  ['tips', 'tip'],
  ['tipp rack', 'tip rack'],
  ['reagnet', 'reagent'],
  ['plate colection', 'plate collection'],
  ['zzzzzz', null],
  ['plate', null],
  ['', null],
])('suggestSearch for %j is %j', (search, suggestion) => expect(suggestSearch(search, texts)).toBe(suggestion));
