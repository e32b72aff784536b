import { describe, expect, it } from 'vitest';
import type { ResourceVersion } from '../../../../api/managers/resourceTypes.ts';
import { resourceRow } from '../../../managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import { compare } from './comparison.ts';

const columns = resourcesTexts.columns;
const nothing = resourcesTexts.history.nothing;
const version = (number: number, more: Partial<ResourceVersion> = {}): ResourceVersion => ({
  resource_id: 'R',
  resource_name: 'tips',
  base_type: 'discrete_consumable',
  version: number,
  change_type: 'Updated',
  changed_at: String(number * 1000),
  quantity: 96,
  ...more,
});
const now = resourceRow({
  resource_id: 'R',
  resource_name: 'tips',
  base_type: 'discrete_consumable',
  resource_class: 'rack',
  quantity: 6,
  parent_id: 'shelf',
  attributes: { low_mark: 16, lot: 'B' },
});

describe('an earlier version of a resource', () => {
  it('is compared with the current one, with differences marked', () => {
    const then = version(1, { resource_class: 'rack', attributes: { lot: 'A', unit: 'tips' }, parent_id: null });
    const fields = compare(then, now, (id) => `name of ${id}`);
    expect(fields.filter(({ differs }) => differs).map(({ title, before: was, now: is }) => [title, was, is])).toEqual([
      [resourcesTexts.operations.amountField, '96', '6'],
      [columns.place, resourcesTexts.history.nowhere, 'name of shelf'],
      [columns.attribute('lot'), 'A', 'B'],
      [columns.attribute('low_mark'), nothing, '16'],
      [columns.attribute('unit'), 'tips', nothing],
    ]);
    expect(fields.map(({ title }) => title)).toContain(columns.cls);
    expect(fields.map(({ title }) => title)).not.toContain(columns.description);
  });

  it('an earlier version of a container is compared without its amount', () => {
    const stack = resourceRow({ resource_id: 'S', resource_name: 's', base_type: 'stack', quantity: 2, children: [] });
    const then = version(1, { base_type: 'stack', quantity: 5 });
    expect(compare(then, stack, String).map(({ key }) => key)).not.toContain('quantity');
  });
});
