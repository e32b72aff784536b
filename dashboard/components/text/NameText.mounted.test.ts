import { expect, it } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import NameText from './NameText.vue';

it.each([
  ['liquidhandler_1.deck_1', 'liquidhandler_|1.|deck_|1'],
  ['a__b', 'a__|b'],
  ['Growth assay', 'Growth assay'],
])('the name %s breaks only after its separators', (name, expected) => {
  mountComponent(NameText, { name });
  const container = document.querySelector('main')!;
  expect(container.textContent).toBe(name);
  expect(container.innerHTML.replaceAll(/<!--.*?-->/g, '').replaceAll('<wbr>', '|')).toContain(expected);
});
