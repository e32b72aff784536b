import { describe, expect, it } from 'vitest';
import type { Location } from '../../../api/managers/location.ts';
import { resourceIndex } from '../resource/resourceIndex.ts';
import { resourceRows } from '../resource/resourceRow.ts';
import { whereabouts } from './whereabouts.ts';

const place = (name: string, more: Partial<Location> = {}): Location => ({
  location_name: name,
  location_id: `id of ${name}`,
  ...more,
});
const index = resourceIndex(
  resourceRows([
    {
      resource_id: 'deck',
      resource_name: 'deck',
      base_type: 'slot',
      children: [{ resource_id: 'plate', resource_name: 'plate', base_type: 'asset' }],
    },
    { resource_id: 'nest', resource_name: 'nest', base_type: 'slot', children: [] },
    { resource_id: 'arm', resource_name: 'arm', base_type: 'asset' },
  ]),
);

describe('the content of a location', () => {
  it.each<[Partial<Location>, string, string[]]>([
    [{ resource_id: 'deck' }, 'occupied', ['plate']],
    [{ resource_id: 'nest' }, 'empty', []],
    [{ resource_id: 'arm' }, 'occupied', ['arm']],
    [{ resource_id: null }, 'noResource', []],
    [{ resource_id: null, resource_template_name: 'rack' }, 'unresolved', []],
    [{ resource_id: 'gone' }, 'unknown', []],
  ])('a location with %j is %s with the content %j', (more, state, contents) => {
    const found = whereabouts(place('x', more), index);
    expect([found.state, found.contents.map(({ id }) => id)]).toEqual([state, contents]);
  });

  it('is unknown while resources can’t be read', () => {
    expect(whereabouts(place('x', { resource_id: 'deck' }), null).state).toBe('unknown');
  });
});
