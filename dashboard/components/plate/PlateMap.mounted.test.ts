import { fireEvent } from '@testing-library/dom';
import { defineComponent, h, nextTick, ref } from 'vue';
import { expect, it, vi } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import PlateMap from './PlateMap.vue';
import { wellName } from './plate.ts';

function mountPlate() {
  const selected = ref<ReadonlySet<number>>(new Set());
  const current = ref(0);
  const onOpen = vi.fn<(index: number) => void>();
  const wells = Array.from({ length: 96 }, (_well, index) => ({
    label: wellName(index, 12),
    value: index < 80 ? index : null,
    isOccupied: index < 80,
  }));
  const { page } = mountComponent(
    defineComponent({
      setup: () => () =>
        h(PlateMap, {
          rows: 8,
          columns: 12,
          wells,
          label: 'Assay plate 14',
          colorLabel: 'quantity',
          selected: selected.value,
          'onUpdate:selected': (next: ReadonlySet<number>) => (selected.value = next),
          current: current.value,
          'onUpdate:current': (next: number) => (current.value = next),
          onOpen,
        }),
    }),
  );
  const well = (name: string): HTMLElement => page.getByRole('gridcell', { name });
  const press = async (key: string, init: KeyboardEventInit = {}) => {
    await fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init });
    await nextTick();
    await nextTick();
  };
  return {
    page,
    well,
    press,
    selected,
    current,
    onOpen,
    names: () => [...selected.value].map((index) => wellName(index, 12)),
  };
}

it('a plate is navigated by arrow keys, and Enter opens a well', async () => {
  const { well, press, onOpen } = mountPlate();
  well('A1').focus();
  await press('ArrowDown');
  await press('ArrowRight');
  expect(document.activeElement).toBe(well('B2'));
  await press('Enter');
  expect(onOpen).toHaveBeenCalledWith(13);
  await press('End', { ctrlKey: true });
  expect(document.activeElement).toBe(well('H12'));
});

it('Space and Shift with arrow keys select wells, and Escape clears the selection', async () => {
  const { well, press, names } = mountPlate();
  well('A1').focus();
  await press(' ');
  expect(names()).toEqual(['A1']);
  await press('ArrowRight', { shiftKey: true });
  await press('ArrowDown', { shiftKey: true });
  expect(names()).toEqual(['A1', 'A2', 'B1', 'B2']);
  expect(well('B2').getAttribute('aria-selected')).toBe('true');
  // The rectangle shrinks like that of the mouse.
  await press('ArrowUp', { shiftKey: true });
  expect(names()).toEqual(['A1', 'A2']);
  await press('Escape');
  expect(names()).toEqual([]);
});

it('dragging selects a rectangle of wells', async () => {
  const { well, names } = mountPlate();
  await fireEvent.pointerDown(well('B2'), { button: 0 });
  await fireEvent.pointerMove(well('C4'));
  await nextTick();
  expect(names()).toEqual(['B2', 'B3', 'B4', 'C2', 'C3', 'C4']);
  await fireEvent.pointerUp(well('C4'));
  await fireEvent.pointerMove(well('H12'));
  expect(names()).toHaveLength(6);
  await fireEvent.pointerDown(well('A1'), { button: 0 });
  await nextTick();
  expect(names()).toEqual([]);
});
