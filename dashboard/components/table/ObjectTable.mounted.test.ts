import { within } from '@testing-library/dom';
import { nextTick, type Component } from 'vue';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { click, fill, mountComponent, press } from '../../fixtures/mounted.ts';
import { componentTexts } from '../texts.ts';
import ObjectTable from './ObjectTable.vue';
import type { Column } from './rows/tableRows.ts';

interface Plate {
  readonly name: string;
  readonly state: string;
  readonly wells: number;
}
const plates: readonly Plate[] = [
  { name: 'plate 10', state: 'Busy', wells: 96 },
  { name: 'plate 2', state: 'Ready', wells: 384 },
  { name: 'rack', state: 'Ready', wells: 24 },
];
const columns: readonly Column<Plate>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'state', title: 'State', value: ({ state }) => state, filter: 'choice' },
  { key: 'wells', title: 'Wells', value: ({ wells }) => wells },
];
const texts = componentTexts.table;
/** The table for any type of row: `createApp` can't infer the type of a generic component. */
const AnyTable = ObjectTable as unknown as Component;

// Only visible rows are rendered, and a document without a screen has no visible area.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(36);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
});

async function mountTable(rows: readonly Plate[] = plates) {
  const mounted = mountComponent(AnyTable, {
    rows,
    columns,
    name: 'plates',
    caption: 'Plates',
    rowKey: ({ name }: Plate) => name,
    rowTo: ({ name }: Plate) => `/plates/${name}`,
  });
  await nextTick();
  const grid = mounted.page.getByRole('grid', { name: 'Plates' });
  const names = () =>
    within(grid)
      .queryAllByRole('link')
      .toSorted((a, b) => rowIndex(a) - rowIndex(b))
      .map((link) => link.textContent?.trim());
  const header = (name: string) => within(grid).getByRole('columnheader', { name });
  await vi.waitFor(() => expect(names()).toHaveLength(rows.length));
  return { ...mounted, grid, names, header };
}
const rowIndex = (link: Element) => Number(link.closest('[role="row"]')?.getAttribute('aria-rowindex'));

describe('a table of objects', () => {
  it('sorts by a click on a header, descending by the second click, and sets aria-sort', async () => {
    const { header, names } = await mountTable();
    expect(header('Name').getAttribute('aria-sort')).toBeNull();
    await click(within(header('Name')).getByRole('button'));
    expect(header('Name').getAttribute('aria-sort')).toBe('ascending');
    expect(names()).toEqual(['plate 2', 'plate 10', 'rack']);
    await click(within(header('Name')).getByRole('button'));
    expect(header('Name').getAttribute('aria-sort')).toBe('descending');
    expect(names()).toEqual(['rack', 'plate 10', 'plate 2']);
  });

  it('filters by text, counts the matches, and Escape clears the filter', async () => {
    const { page, names } = await mountTable();
    const field = page.getByRole('searchbox', { name: 'Search in Plates' });
    await fill(field, 'ready 384');
    expect(names()).toEqual(['plate 2']);
    expect(page.getByRole('status').textContent?.trim()).toBe(texts.counted(1, 3));
    await fill(field, 'no such thing');
    expect(page.getAllByText('Nothing matches.')).toHaveLength(1);
    field.focus();
    await press('Escape');
    expect(names()).toHaveLength(3);
  });

  it('filters by the values of a column, each with its count', async () => {
    const { page, names } = await mountTable();
    await click(page.getByRole('button', { name: 'State: all' }));
    const choice = await vi.waitFor(() => page.getByRole('checkbox', { name: /^Ready/ }));
    expect(choice.closest('label')?.textContent).toContain('2');
    await click(choice);
    expect(names()).toEqual(['plate 2', 'rack']);
    expect(page.getAllByRole('button', { name: 'State: Ready' })).toHaveLength(1);
  });

  it('suggests only searches that match a row with the same filters', async () => {
    const { page, names } = await mountTable();
    const suggestions = () => page.queryAllByRole('button', { name: /instead$/ }).map(({ textContent }) => textContent);
    await fill(page.getByRole('searchbox', { name: 'Search in Plates' }), 'reads');
    expect(suggestions()).toEqual(['Search for “ready” instead']);
    await click(page.getByRole('button', { name: 'State: all' }));
    await click(await vi.waitFor(() => page.getByRole('checkbox', { name: /^Busy/ })));
    expect(names()).toEqual([]);
    expect(suggestions()).toEqual([]);
  });

  it('is navigated by the arrow keys, Home and End, and entered from the search', async () => {
    const { page } = await mountTable();
    const focusedText = () => document.activeElement?.textContent?.trim();
    page.getByRole('searchbox').focus();
    await press('ArrowDown');
    expect(focusedText()).toBe('plate 10');
    await press('ArrowDown');
    expect(focusedText()).toBe('plate 2');
    await press('End');
    expect(focusedText()).toBe('rack');
    await press('ArrowDown');
    expect(focusedText()).toBe('rack');
    await press('Home');
    expect(focusedText()).toBe('plate 10');
  });

  it('has one tab stop, on the row that was focused last', async () => {
    const { grid } = await mountTable();
    const stops = () =>
      within(grid)
        .getAllByRole('link')
        .filter((link) => link.tabIndex === 0);
    expect(stops().map((link) => link.textContent?.trim())).toEqual(['plate 10']);
    stops()[0]?.focus();
    await press('ArrowDown');
    expect(stops().map((link) => link.textContent?.trim())).toEqual(['plate 2']);
  });

  it('saves the shown rows and columns in their order', async () => {
    const { page, header } = await mountTable();
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
    const revoke = vi.spyOn(URL, 'revokeObjectURL');
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    await click(within(header('Wells')).getByRole('button'));
    await fill(page.getByRole('searchbox'), 'plate');
    vi.useFakeTimers();
    await click(page.getByRole('button', { name: texts.csv }));
    expect(revoke).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(revoke).toHaveBeenCalledWith('blob:1');
    vi.useRealTimers();
    expect(names).toEqual([expect.stringMatching(/^plates.*\.csv$/)]);
    expect((await saved[0]?.text())?.replace(/^\uFEFF/, '').split(/\r?\n/)).toEqual([
      'Name,State,Wells',
      'plate 10,Busy,96',
      'plate 2,Ready,384',
      '',
    ]);
  });

  it('disables saving with a reason when no rows are shown', async () => {
    const { page } = await mountTable();
    await fill(page.getByRole('searchbox'), 'no such thing');
    const save = page.getByRole<HTMLButtonElement>('button', { name: texts.csv });
    expect(save.disabled).toBe(true);
    expect(save.title).toBe('There is no row to save');
  });
});
