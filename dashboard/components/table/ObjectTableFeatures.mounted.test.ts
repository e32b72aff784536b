import { within } from '@testing-library/dom';
import { h, nextTick, type Component } from 'vue';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { click, fill, mountComponent, press } from '../../fixtures/mounted.ts';
import { componentTexts } from '../texts.ts';
import ObjectTable from './ObjectTable.vue';
import type { Column } from './rows/tableRows.ts';

interface Item {
  readonly name: string;
  readonly children?: readonly Item[];
}
const columns: readonly Column<Item>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'count', title: 'Count', value: ({ children = [] }) => children.length },
];
const texts = componentTexts.table;
const AnyTable = ObjectTable as unknown as Component;

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(36);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
});

async function mountTable(props: Record<string, unknown>, slots = {}) {
  const mounted = mountComponent(
    AnyTable,
    { rows: [], columns, name: 'items', caption: 'Items', rowKey: ({ name }: Item) => name, ...props },
    slots,
  );
  await nextTick();
  const lines = () => [...document.querySelectorAll<HTMLElement>('[role="rowgroup"].body [role="row"]')];
  const line = (name: string) => {
    const rowElement = lines().find((row) => within(row).queryByText(name) !== null);
    if (rowElement === undefined) throw new Error(`There is no row ${name}`);
    return rowElement;
  };
  const names = () =>
    lines()
      .toSorted((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
      .map(
        (row) =>
          within(row)
            .queryAllByRole('gridcell')
            .at(props['selectable'] === true ? 1 : 0)?.textContent,
      );
  await vi.waitFor(() => expect(lines().length).toBeGreaterThan(0));
  return { ...mounted, lines, line, names };
}

describe('a table whose rows can be selected', () => {
  const rows = ['a', 'b', 'c'].map((name) => ({ name }));
  const bulk = ({ rows: input }: { rows: readonly Item[] }) => h('output', input.map(({ name }) => name).join('+'));

  it('passes rows selected by click, range or all at once to its bulk actions', async () => {
    const { page, line } = await mountTable({ rows, selectable: true }, { bulk });
    await click(within(line('a')).getByRole('checkbox'));
    expect(page.getAllByText(texts.rowsSelected(1))).toHaveLength(1);
    expect(document.querySelector('output')?.textContent).toBe('a');
    line('c')
      .querySelector('input')
      ?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
    await nextTick();
    expect(document.querySelector('output')?.textContent).toBe('a+b+c');
    await click(page.getByRole('checkbox', { name: texts.selectAll }));
    expect(document.querySelector('output')).toBeNull();
    await click(page.getByRole('checkbox', { name: texts.selectAll }));
    expect(document.querySelector('output')?.textContent).toBe('a+b+c');
    await click(page.getByRole('button', { name: texts.unselect }));
    expect(page.queryByText(texts.rowsSelected(3))).toBeNull();
  });

  it.each([
    ['list', {}],
    ['tree', { getChildren: () => [] }],
  ])('passes the selected rows of a %s in the order shown', async (_kind, props) => {
    const { page } = await mountTable({ rows, selectable: true, ...props }, { bulk });
    await click(page.getByRole('checkbox', { name: texts.selectAll }));
    expect(document.querySelector('output')?.textContent).toBe('a+b+c');
    const sort = within(page.getByRole('columnheader', { name: /Name/ })).getByRole('button', { name: /Name/ });
    await click(sort);
    await click(sort);
    expect(document.querySelector('output')?.textContent).toBe('c+b+a');
  });

  it('selects by keyboard and sets aria-selected', async () => {
    const { line } = await mountTable({ rows, selectable: true });
    line('b').focus();
    await press(' ');
    expect(line('b').getAttribute('aria-selected')).toBe('true');
    expect(line('a').getAttribute('aria-selected')).toBe('false');
  });
});

describe('a table that is a tree', () => {
  const rows = [{ name: 'stack', children: [{ name: 'plate 10' }, { name: 'plate 2' }] }, { name: 'rack' }];
  const tree = { rows, getChildren: ({ children = [] }: Item) => children };

  it('expands and collapses by arrow keys, which also move to children and parents', async () => {
    const { page, line, names } = await mountTable(tree);
    expect(page.getAllByRole('treegrid', { name: 'Items' })).toHaveLength(1);
    expect(names()).toEqual(['›stack', 'rack']);
    line('stack').focus();
    await press('ArrowRight');
    expect(names()).toEqual(['›stack', 'plate 10', 'plate 2', 'rack']);
    expect([line('stack').getAttribute('aria-expanded'), line('plate 2').getAttribute('aria-level')]).toEqual([
      'true',
      '2',
    ]);
    await press('ArrowRight');
    await vi.waitFor(() => expect(document.activeElement).toBe(line('plate 10')));
    await press('ArrowLeft');
    await vi.waitFor(() => expect(document.activeElement).toBe(line('stack')));
    await press('ArrowLeft');
    expect(names()).toEqual(['›stack', 'rack']);
  });

  it('searches every level and sorts siblings', async () => {
    const { page, names } = await mountTable(tree);
    await fill(page.getByRole('searchbox'), 'plate 2');
    expect(names()).toEqual(['›stack', 'plate 2']);
    await fill(page.getByRole('searchbox'), '');
    await click(page.getByRole('button', { name: 'Open stack' }));
    await click(within(page.getByRole('columnheader', { name: 'Name' })).getByRole('button'));
    expect(names()).toEqual(['rack', '›stack', 'plate 2', 'plate 10']);
  });
});

describe('the widths of columns', () => {
  it('are changed by keyboard and restored when the table is mounted again', async () => {
    const { page, unmount } = await mountTable({ rows: [{ name: 'a' }] });
    const readColumns = () => document.querySelector<HTMLElement>('.grid')?.style.getPropertyValue('--columns');
    const columnsBefore = readColumns();
    within(page.getByRole('columnheader', { name: 'Name' }))
      .getByRole('button')
      .focus();
    await press('ArrowRight', { shiftKey: true });
    await press('ArrowRight', { shiftKey: true });
    const columnsAfter = readColumns();
    expect(columnsAfter).not.toBe(columnsBefore);
    unmount();
    await mountTable({ rows: [{ name: 'a' }] });
    expect(readColumns()).toBe(columnsAfter);
  });
});

describe('a printed table', () => {
  const print = async (type: 'beforeprint' | 'afterprint') => {
    globalThis.dispatchEvent(new Event(type));
    await nextTick();
  };

  it.each([
    [200, 200, 0],
    [1001, 1000, 1],
  ])('of %i rows has %i rows in one line each', async (count, printedCount, noteCount) => {
    vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { matches: true, media }));
    const rows = Array.from({ length: count }, (_row, index) => ({ name: `row ${index}` }));
    const { page, lines } = await mountTable({ rows });
    const shownCount = lines().length;
    expect(shownCount).toBeLessThan(100);
    await print('beforeprint');
    expect(lines()).toHaveLength(printedCount);
    expect(page.queryAllByText(texts.printed(1000, count))).toHaveLength(noteCount);
    expect(page.getByRole('grid').closest('.objects')?.classList.contains('narrow')).toBe(false);
    await print('afterprint');
    expect(lines()).toHaveLength(shownCount);
  });
});
