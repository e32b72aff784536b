import { describe, expect, it } from 'vitest';
import { deckResources, sampleLocation } from '../../fixtures/sampleLocation.ts';
import type { Location } from '#api/managers/location.ts';
import { findResourceLocation, getLocationContents } from './locationContents.ts';

describe('the content of a location', () => {
  it.each<[Partial<Location>, string, string[]]>([
    [{ resource_id: 'deck' }, 'occupied', ['plate']],
    [{ resource_id: 'nest' }, 'empty', []],
    [{ resource_id: 'arm' }, 'occupied', ['arm']],
    [{ resource_id: null }, 'noResource', []],
    [{ resource_id: null, resource_template_name: 'rack' }, 'unresolved', []],
    [{ resource_id: 'gone' }, 'unknown', []],
  ])('is derived from its resource: %j is %s with %j', (overrides, state, contents) => {
    const locationContents = getLocationContents(sampleLocation('x', overrides), deckResources);
    expect([locationContents.state, locationContents.contents.map(({ id }) => id)]).toEqual([state, contents]);
  });

  it('is unknown while resources can’t be read', () => {
    expect(getLocationContents(sampleLocation('x', { resource_id: 'deck' }), null).state).toBe('unknown');
  });
});

it('findResourceLocation returns the location of the attached resource that contains the resource', () => {
  const plate = deckResources.byId.get('plate');
  if (plate === undefined) throw new Error('It is not there');
  expect(
    findResourceLocation(plate, deckResources, [sampleLocation('a'), sampleLocation('b', { resource_id: 'deck' })])
      ?.location_name,
  ).toBe('b');
  expect(findResourceLocation(plate, deckResources, [sampleLocation('a')])).toBeNull();
});
