import { describe, expect, it, vi } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { saveRepresentation, templateFor } from './representation.ts';

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
])('%j: made from %s', (more, template) => {
  expect(templateFor(sampleLocation('x', more), 'robotarm_1', [deck])).toBe(template);
});

describe('saving', () => {
  const location = sampleLocation('x', { representations: { arm: { x: 1 } } });
  const client = (stored: unknown) => ({
    findLocation: vi.fn(async () => ({ ...location, representations: { arm: stored } })),
    setRepresentation: vi.fn(async () => location),
  });
  const edit = { location, node: 'arm', value: { x: 2 }, seen: { x: 1 } };

  it.each([
    [{ x: 1 }, true],
    [{ x: 2 }, true],
    [{ x: 3 }, false],
  ])('over %j: %s', async (stored, isSaved) => {
    const all = client(stored);
    expect('saved' in (await saveRepresentation(all, edit))).toBe(isSaved);
    expect(all.setRepresentation).toHaveBeenCalledTimes(isSaved ? 1 : 0);
  });
});
