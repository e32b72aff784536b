import { fireEvent } from '@testing-library/dom';
import { computed, defineComponent, h, nextTick, ref } from 'vue';
import { describe, expect, it } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import Combobox from './Combobox.vue';

const all = [
  { key: 'a1', title: 'tips', subtitle: 'rack 1' },
  { key: 'b2', title: 'tips', subtitle: 'rack 2' },
  { key: 'c3', title: 'water' },
];

function mountCombobox() {
  const selectedKey = ref<string | null>(null);
  const query = ref('');
  /** The choice at each submission. */
  const sent: (string | null)[] = [];
  const choices = computed(() => all.filter(({ title }) => title.includes(query.value)));
  const mounted = mountComponent(
    defineComponent({
      setup: () => () =>
        h('form', { onSubmit: (event: Event) => (event.preventDefault(), sent.push(selectedKey.value)) }, [
          h(Combobox, {
            label: 'Resource',
            choices: choices.value,
            current: all.find(({ key }) => key === selectedKey.value) ?? null,
            modelValue: selectedKey.value,
            'onUpdate:modelValue': (key: unknown) => (selectedKey.value = key as string | null),
            query: query.value,
            'onUpdate:query': (text: string) => (query.value = text),
          }),
          h('button', { type: 'submit' }, 'Move'),
        ]),
    }),
  );
  const field = mounted.page.getByRole<HTMLInputElement>('combobox', { name: 'Resource' });
  const type = async (text: string): Promise<void> => {
    field.focus();
    await fireEvent.input(field, { target: { value: text } });
    await nextTick();
    await nextTick();
  };
  return { ...mounted, field, selectedKey, query, sent, type };
}

it('a combobox filters while typing and selects the pressed option', async () => {
  const { page, field, selectedKey, query, type } = mountCombobox();
  await type('tip');
  expect(query.value).toBe('tip');
  const lines = page.getAllByRole('option');
  expect(lines.map((line) => line.textContent)).toEqual(['tipsrack 1', 'tipsrack 2']);
  await fireEvent.click(lines[1] as HTMLElement);
  await nextTick();
  expect(selectedKey.value).toBe('b2');
  await expect.poll(() => page.queryAllByRole('option').length).toBe(0);
  expect(field.value).toBe('tips');
});

it('a combobox shows that nothing matches, and a changed text is no choice', async () => {
  const { page, selectedKey, type } = mountCombobox();
  selectedKey.value = 'c3';
  await nextTick();
  await type('no such');
  expect(page.queryAllByRole('option')).toEqual([]);
  expect(page.getAllByText('Nothing found')).toHaveLength(1);
  expect(selectedKey.value).toBeNull();
});

describe('a form with a text that is no choice', () => {
  const problem = '“no such” is not chosen: select a row of the list, or clear the field.';
  const submissions: Readonly<Record<string, (field: HTMLInputElement) => void>> = {
    'Enter in the field': (field) => field.form?.requestSubmit(),
    'a click on the button': (field) => fireEvent.click(field.form?.querySelector('button') as HTMLElement),
    'a tap on the button': (field) => {
      const button = field.form?.querySelector('button') as HTMLElement;
      fireEvent.pointerDown(button, { pointerType: 'touch' });
      fireEvent.pointerUp(button, { pointerType: 'touch' });
      fireEvent.click(button);
    },
  };
  it.each(Object.entries(submissions))('is not submitted by %s', async (_name, submit) => {
    const { page, field, selectedKey, sent, type } = mountCombobox();
    selectedKey.value = 'c3';
    await nextTick();
    submit(field);
    expect(sent).toEqual(['c3']);
    await type('no such');
    submit(field);
    await nextTick();
    expect(sent).toEqual(['c3']);
    expect(field.value).toBe('no such');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(page.getByRole('alert').textContent).toBe(problem);
  });

  it('keeps the text and its message when the list is closed, and is submitted with the next choice', async () => {
    const { page, field, sent, type } = mountCombobox();
    await type('no such');
    await fireEvent.keyDown(field, { key: 'Escape' });
    await expect.poll(() => page.queryByRole('alert')?.textContent).toBe(problem);
    expect(field.value).toBe('no such');
    await type('wat');
    await fireEvent.click(page.getAllByRole('option')[0] as HTMLElement);
    await nextTick();
    expect(field.value).toBe('water');
    expect(page.queryByRole('alert')).toBeNull();
    field.form?.requestSubmit();
    expect(sent).toEqual(['c3']);
  });

  it('is submitted without a choice once the text is cleared', async () => {
    const { page, field, sent, type } = mountCombobox();
    await type('no such');
    await type('');
    field.form?.requestSubmit();
    expect(sent).toEqual([null]);
    expect(page.queryByRole('alert')).toBeNull();
  });
});

it('a combobox shows the title of its choice when the title arrives later', async () => {
  const choices = ref<typeof all>([]);
  const { page } = mountComponent(
    defineComponent({
      setup: () => () => h(Combobox, { label: 'Resource', choices: choices.value, modelValue: 'c3' }),
    }),
  );
  const field = () => page.getByRole<HTMLInputElement>('combobox', { name: 'Resource' });
  expect(field().value).toBe('');
  choices.value = all;
  await nextTick();
  await expect.poll(() => field().value).toBe('water');
});

it('a combobox has no active option once its list is closed', async () => {
  const { page, field, type } = mountCombobox();
  await type('tip');
  const active = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
  await expect.poll(() => active()?.textContent).toContain('tipsrack 1');
  await fireEvent.click(page.getAllByRole('option')[0] as HTMLElement);
  await expect.poll(() => page.queryAllByRole('option').length).toBe(0);
  expect(field.getAttribute('aria-activedescendant')).toBeNull();
});
