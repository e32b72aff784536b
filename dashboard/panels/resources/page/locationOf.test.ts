import { expect, it } from 'vitest';
import type { Location } from '../../../../api/managers/location.ts';
import { resourceIndex } from '../../../managers/resource/resourceIndex.ts';
import { resourceRows } from '../../../managers/resource/resourceRow.ts';
import { locationOf } from './locationOf.ts';

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

it('the location of a resource is that of the attached resource that contains it', () => {
  const plate = index.byId.get('plate');
  if (plate === undefined) throw new Error('It is not there');
  expect(locationOf(plate, index, [place('a'), place('b', { resource_id: 'deck' })])?.location_name).toBe('b');
  expect(locationOf(plate, index, [place('a')])).toBeNull();
});
