import { expect, it } from 'vitest';
import { deckResources, sampleLocation } from '../../../fixtures/sampleLocation.ts';
import { locationOf } from './locationOf.ts';

it('the location of a resource is that of the attached resource that contains it', () => {
  const plate = deckResources.byId.get('plate');
  if (plate === undefined) throw new Error('It is not there');
  expect(
    locationOf(plate, deckResources, [sampleLocation('a'), sampleLocation('b', { resource_id: 'deck' })])
      ?.location_name,
  ).toBe('b');
  expect(locationOf(plate, deckResources, [sampleLocation('a')])).toBeNull();
});
