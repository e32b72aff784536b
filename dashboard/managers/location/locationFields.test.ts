import { describe, expect, it } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { isOverwritten, findRepresentationTemplate } from './locationFields.ts';

const deck = { template_name: 'deck', representation_templates: { arm: 'arm_deck', controller: 'controller_deck' } };

it.each([
  [{ location_template_name: 'deck', node_bindings: { arm: 'robotarm_1' } }, 'arm_deck'],
  [
    { location_template_name: 'deck', node_bindings: { arm: 'robotarm_1', controller: 'robotarm_1' } },
    'controller_deck',
  ],
  [{ location_template_name: 'deck', node_bindings: { arm: 'robotarm_2' } }, null],
  [{ location_template_name: 'gone', node_bindings: { arm: 'robotarm_1' } }, null],
  [{}, null],
])('findRepresentationTemplate for %j is %s', (overrides, template) => {
  expect(findRepresentationTemplate(sampleLocation('x', overrides), 'robotarm_1', [deck])).toBe(template);
});

describe('saving a representation', () => {
  it.each([
    ['the shown value', { x: 1 }, false],
    ['the edited value', { x: 2 }, false],
    ['another value', { x: 3 }, true],
    ['no value', undefined, true],
  ])('overwrites another change when %s is stored: $2', (_what, stored, isLost) => {
    expect(isOverwritten(stored, { x: 1 }, { x: 2 })).toBe(isLost);
  });
});
