import { describe, expect, it } from 'vitest';
import { locationAppearances } from '#api/states.ts';
import { createResourceIndex } from '../resource/resourceIndex.ts';
import { toResourceRows } from '../resource/resourceRow.ts';
import { locationSuggestions, resourceSuggestions } from './useSuggestions.ts';

const index = createResourceIndex(
  toResourceRows([
    {
      resource_id: 'R1',
      resource_name: 'hotel',
      base_type: 'slot',
      children: [{ resource_id: 'R2', resource_name: 'plate 7', base_type: 'asset' }],
    },
    { resource_id: 'R3', resource_name: 'nest', base_type: 'slot', children: [] },
    { resource_id: 'R4', resource_name: 'buffer', base_type: 'consumable', quantity: 12, attributes: { unit: 'ml' } },
  ]),
);
const location = (name: string, resource: string | null) => ({
  location_name: name,
  location_id: name,
  resource_id: resource,
});

describe('the suggestions of a field', () => {
  it('list locations in natural order with their content', () => {
    const places = [location('deck_10', 'R1'), location('deck_9', 'R3'), location('bench', null)];
    expect(locationSuggestions(places, index)).toEqual([
      { value: 'bench', subtitle: locationAppearances.noResource.label },
      { value: 'deck_9', subtitle: locationAppearances.empty.label },
      { value: 'deck_10', subtitle: 'plate 7' },
    ]);
  });

  it('list only the names of locations while resources can’t be read', () => {
    expect(locationSuggestions([location('deck_10', 'R1')], null)).toEqual([{ value: 'deck_10' }]);
  });

  it('list resources by ID with name, location and amount', () => {
    expect(resourceSuggestions(index)).toEqual([
      { value: 'R4', title: 'buffer', subtitle: 'Consumable · 12 ml' },
      expect.objectContaining({ value: 'R1', title: 'hotel' }),
      expect.objectContaining({ value: 'R3', title: 'nest' }),
      { value: 'R2', title: 'plate 7', subtitle: 'hotel' },
    ]);
  });
});
