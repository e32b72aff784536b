/** The select shows the value of its parent component until the parent accepts a choice. */
import { fireEvent } from '@testing-library/dom';
import { nextTick } from 'vue';
import { expect, it } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import Select from './Select.vue';

const choices = [
  { key: 'lab', title: 'The lab' },
  { key: 'a', title: 'Node A', group: 'Nodes' },
  { key: 'b', title: 'Node B', group: 'Nodes' },
];

function openSelect(modelValue: string, onChoose: (key: string) => void = () => {}) {
  const mounted = mountComponent(Select<string>, { choices, modelValue, 'onUpdate:modelValue': onChoose });
  const field = mounted.page.getByRole<HTMLSelectElement>('combobox');
  const text = () => field.selectedOptions[0]?.text;
  const choose = async (title: string) => {
    const optionElement = [...field.options].find((option) => option.text === title);
    fireEvent.change(field, { target: { value: optionElement?.value } });
    await nextTick();
  };
  return { ...mounted, field, text, choose };
}

it('a select emits the key of a choice and shows it when its parent accepts it', async () => {
  const emitted: string[] = [];
  const { text, choose, setProps } = openSelect('lab', (key) => emitted.push(key));
  await choose('Node B');
  expect(emitted).toEqual(['b']);
  expect(text()).toBe('The lab');
  await setProps({ modelValue: 'b' });
  expect(text()).toBe('Node B');
});

it('a select lists choices below the heading of their group', () => {
  const { field } = openSelect('a');
  expect([...field.children].map((child) => [child.tagName, child.getAttribute('label')])).toEqual([
    ['OPTION', null],
    ['OPTGROUP', 'Nodes'],
  ]);
  expect([...field.querySelectorAll('optgroup option')].map(({ textContent }) => textContent)).toEqual([
    'Node A',
    'Node B',
  ]);
});

it('a select keeps its value when choices before it are removed', async () => {
  const { text, setProps } = openSelect('b');
  await setProps({ choices: choices.slice(1) });
  expect(text()).toBe('Node B');
});

it('a select shows its value when that is no longer offered, because a form sends it', async () => {
  const { text, setProps } = openSelect('b');
  await setProps({ choices: choices.slice(0, 1) });
  expect(text()).toBe('b');
});
