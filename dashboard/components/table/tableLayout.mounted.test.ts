/**
 * The layout of a table: empty columns collapse, columns of times are as wide as their texts, and on a narrow screen a
 * row has two lines.
 */
import { within } from '@testing-library/dom';
import { nextTick, type Component } from 'vue';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import ObjectTable from './ObjectTable.vue';
import { computeFittedWidths, findCollapsedColumns } from './tableColumns.ts';
import type { Column } from './rows/tableRows.ts';

interface Run {
  readonly name: string;
  readonly state: string;
  readonly author: string;
  readonly submitted: string;
}
const columns: readonly Column<Run>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'state', title: 'State', value: ({ state }) => state },
  { key: 'author', title: 'Author', value: ({ author }) => author, collapsesWhenEmpty: true },
  { key: 'submitted', title: 'Submitted', value: ({ submitted }) => submitted, fits: true },
];
const runs: readonly Run[] = [
  { name: 'assay', state: 'Running', author: '', submitted: '14:02' },
  { name: 'wash', state: 'Queued', author: '', submitted: '21 Nov 2025 23:52' },
];
const AnyTable = ObjectTable as unknown as Component;

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(36);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
});

async function mountTable(rows: readonly Run[] = runs) {
  const mounted = mountComponent(AnyTable, {
    rows,
    columns,
    name: 'runs',
    caption: 'Runs',
    rowKey: ({ name }: Run) => name,
  });
  await nextTick();
  const grid = mounted.page.getByRole('grid', { name: 'Runs' });
  await vi.waitFor(() => expect(within(grid).getAllByRole('row')).toHaveLength(rows.length + 1));
  const titles = () =>
    within(grid)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent?.trim());
  return { ...mounted, grid, titles };
}

describe('a column of a table', () => {
  it('is hidden while all its cells are empty', async () => {
    const { titles, setProps } = await mountTable();
    expect(titles()).toEqual(['Name', 'State', 'Submitted']);
    await setProps({ rows: [...runs, { name: 'heat', state: 'Queued', author: 'Ada', submitted: '' }] });
    await nextTick();
    expect(titles()).toEqual(['Name', 'State', 'Author', 'Submitted']);
  });

  it('stays visible without rows, and when it is not collapsible', () => {
    expect(findCollapsedColumns(columns, [])).toEqual([]);
    expect(findCollapsedColumns(columns, [{ ...runs[0]!, submitted: '' }])).toEqual(['author']);
  });

  it('is as wide as its longest text if it shows times, and at least as wide as its title', () => {
    const width = (rows: readonly Run[]) => computeFittedWidths(columns, rows)['submitted'] ?? 0;
    expect(width(runs)).toBeGreaterThan(7.5);
    expect(width([runs[0]!])).toBeGreaterThan(4.5);
    expect(width([runs[0]!])).toBeLessThan(5.5);
  });
});

describe('a row of a table', () => {
  it('has two lines on a narrow screen, the first with name and state', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
      const list = new EventTarget() as MediaQueryList;
      return Object.assign(list, { matches: query.includes('width < 900px'), media: query });
    });
    const { grid } = await mountTable();
    const [, row] = within(grid).getAllByRole('row');
    const lines = [...(row?.children ?? [])].map((line) =>
      [...line.querySelectorAll('[role="gridcell"]')].map(({ textContent }) => textContent?.trim()),
    );
    expect(lines).toEqual([['assay', 'Running'], ['14:02']]);
  });

  it('has one line on a wide screen', async () => {
    const { grid } = await mountTable();
    const [, row] = within(grid).getAllByRole('row');
    expect(row?.children).toHaveLength(1);
  });
});
