import { describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { click, fill, mountComponent, press } from '../../fixtures/mounted.ts';
import { componentTexts } from '../texts.ts';
import JsonView from './JsonView.vue';

const texts = componentTexts.json;
const value = { plate: { name: 'A1', wells: [96, 384] }, done: false };

async function mountTree(root: unknown = value) {
  const { page } = mountComponent(JsonView, { value: root, label: 'Result' });
  await nextTick();
  const lines = () => page.getAllByRole('treeitem').map((line) => line.textContent?.replace('›', '').trim() ?? '');
  const line = (start: string) => {
    const match = page.getAllByRole('treeitem').find((item) => item.textContent?.replace('›', '').startsWith(start));
    if (match === undefined) throw new Error(`There is no line ${start} among: ${lines().join(' | ')}`);
    return match;
  };
  return { page, lines, line };
}

describe('a JSON value as a tree', () => {
  it('has a name, and its lines have level, position and set size', async () => {
    const { page, line } = await mountTree();
    expect(page.getAllByRole('tree', { name: 'Result' })).toHaveLength(1);
    expect(line('done').getAttribute('aria-level')).toBe('2');
    expect(line('done').getAttribute('aria-posinset')).toBe('2');
    expect(line('done').getAttribute('aria-setsize')).toBe('2');
  });

  it('collapses and expands a line on a click', async () => {
    const { line, lines } = await mountTree();
    const open = () => line('plate').getAttribute('aria-expanded');
    const lineCount = lines().length;
    const initial = open();
    await click(line('plate'));
    expect(open()).toBe(initial === 'true' ? 'false' : 'true');
    expect(lines().length).not.toBe(lineCount);
    await click(line('plate'));
    expect(lines().length).toBe(lineCount);
  });

  it.each([
    [
      'an object',
      Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field_${index}`, index])),
      'field_100',
    ],
    ['a list', Array.from({ length: 150 }, (_, index) => index), '100'],
  ])('“show more” moves the focus to the first line that it adds to %s', async (_kind, root, firstLine) => {
    const { line, lines } = await mountTree(root);
    await click(line(lines().at(-1) ?? ''));
    expect(document.activeElement?.textContent?.replace('›', '').trim()).toMatch(new RegExp(`^${firstLine}\\b`));
  });

  it('is navigated by the arrow keys, Home and End', async () => {
    const { page } = await mountTree();
    const focusedText = () => document.activeElement?.textContent?.replace('›', '').trim();
    page.getAllByRole('treeitem')[0]?.focus();
    await press('ArrowDown');
    expect(focusedText()).toMatch(/^plate: /);
    // Left collapses a line or moves to its parent; Right expands it or moves to its first child.
    for (
      let presses = 0;
      document.activeElement?.getAttribute('aria-expanded') !== 'false' && presses < 3;
      presses += 1
    )
      await press('ArrowLeft');
    expect(focusedText()).toMatch(/^plate: /);
    await press('ArrowRight');
    expect(document.activeElement?.getAttribute('aria-expanded')).toBe('true');
    await press('ArrowRight');
    expect(focusedText()).toBe('name: A1');
    await press('ArrowLeft');
    expect(focusedText()).toMatch(/^plate: /);
    await press('End');
    expect(focusedText()).toBe('done: false');
    await press('Home');
    expect(document.activeElement?.getAttribute('aria-level')).toBe('1');
  });

  it('finds a value, expands its ancestors, selects it and counts the matches', async () => {
    const wells = Array.from({ length: 15 }, (_none, index) => index * 24);
    const { page, lines, line } = await mountTree({ plate: { name: 'A1', wells: [96, 384] }, wells });
    await fill(page.getByRole('searchbox', { name: 'Search names and values' }), '384');
    await nextTick();
    expect(page.getByRole('status').textContent).toBe(texts.found(1));
    expect(lines()).toContain('1: 384');
    expect(line('1: 384').getAttribute('aria-selected')).toBe('true');
  });

  it('has no search field for a small value', async () => {
    const { page } = await mountTree();
    expect(page.queryByRole('searchbox')).toBeNull();
    expect(page.getByRole('button', { name: texts.copyValue }).tagName).toBe('BUTTON');
  });

  it('copies the value of a line and its path', async () => {
    const { page, line } = await mountTree();
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    await click(line('done'));
    await click(page.getByRole('button', { name: texts.copyValue }));
    await click(page.getByRole('button', { name: 'Copy path' }));
    await vi.waitFor(() => expect(copied).toEqual(['false', 'done']));
  });

  it('shows markup as plain text', async () => {
    const { page, lines } = await mountTree({ note: '<img src=x onerror=alert(1)>' });
    expect(lines().join('\n')).toContain('<img src=x');
    expect(page.queryByRole('img')).toBeNull();
  });
});
