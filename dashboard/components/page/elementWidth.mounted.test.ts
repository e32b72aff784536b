import { afterEach, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick, ref } from 'vue';
import { mountComponent } from '../../fixtures/mounted.ts';
import { useElementWidth } from './elementWidth.ts';

afterEach(() => vi.restoreAllMocks());

const Box = defineComponent(() => {
  const box = ref<HTMLElement>();
  const width = useElementWidth(box, 900);
  return () => h('p', { ref: box, style: { paddingLeft: '8px' } }, `width ${width.value}`);
});

it('the width of an element is known before it is painted', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1238);
  const { page } = mountComponent(Box);
  await nextTick();
  expect(page.getAllByText('width 1230')).toHaveLength(1);
});

it('an element that is not laid out has the initial width', async () => {
  const { page } = mountComponent(Box);
  await nextTick();
  expect(page.getAllByText('width 900')).toHaveLength(1);
});
