import { fireEvent } from '@testing-library/dom';
import { h } from 'vue';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import TitleTooltip from './TitleTooltip.vue';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Mounts a text and controls with titles; a touch always hits the element that is pressed. */
function mountControls() {
  const { page } = mountComponent({
    render: () => [
      h('p', { title: 'the whole sentence' }, [h('span', { class: 'text' }, 'the whole…')]),
      h('button', { class: 'control', title: 'why it is blocked' }, 'Pause'),
      h('button', { class: 'same', title: 'Cancel' }, 'Cancel'),
      h(TitleTooltip),
    ],
  });
  const find = (selector: string): HTMLElement => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element === null) throw new Error(`The page has no ${selector}`);
    return element;
  };
  const press = async (selector: string): Promise<void> => {
    document.elementFromPoint = () => find(selector);
    await fireEvent.pointerDown(find(selector), { pointerType: 'touch', isPrimary: true, clientX: 5, clientY: 5 });
  };
  const lift = (selector: string) => fireEvent.pointerUp(find(selector), { pointerType: 'touch', isPrimary: true });
  const tooltipTexts = (): string[] => page.queryAllByRole('tooltip').map((element) => element.textContent ?? '');
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { find, press, lift, tooltipTexts, settle };
}

it('a tap on a text shows its title until the next touch', async () => {
  const { press, lift, tooltipTexts, settle } = mountControls();
  await press('.text');
  await lift('.text');
  await settle();
  expect(tooltipTexts()).toEqual(['the whole sentence']);
  await press('.control');
  await settle();
  expect(tooltipTexts()).toEqual([]);
});

it('a tap on a control only activates it, and a long press shows its title', async () => {
  const { press, lift, tooltipTexts, settle } = mountControls();
  await press('.control');
  await lift('.control');
  await settle();
  expect(tooltipTexts()).toEqual([]);
  await press('.control');
  await vi.advanceTimersByTimeAsync(1000);
  expect(tooltipTexts()).toEqual(['why it is blocked']);
});

it('a touch that scrolls shows no title', async () => {
  const { find, press, lift, tooltipTexts } = mountControls();
  await press('.text');
  await fireEvent.pointerMove(find('.text'), { pointerType: 'touch', clientX: 5, clientY: 40 });
  await vi.advanceTimersByTimeAsync(1000);
  await lift('.text');
  await vi.advanceTimersByTimeAsync(0);
  expect(tooltipTexts()).toEqual([]);
});

it('Tab shows the title of the reached control, unless the title repeats its text', async () => {
  const { find, tooltipTexts, settle } = mountControls();
  await fireEvent.keyDown(document.body, { key: 'Tab' });
  find('.control').focus();
  await settle();
  expect(tooltipTexts()).toEqual(['why it is blocked']);
  await fireEvent.keyDown(find('.control'), { key: 'Tab' });
  find('.same').focus();
  await settle();
  expect(tooltipTexts()).toEqual([]);
});
