/** Suggestions for form fields: locations with their contents, resources with their locations. */
import type { Location } from '#api/managers/location.ts';
import { locationAppearances } from '#api/states.ts';
import type { Suggestion } from '../../components/form/suggestion.ts';
import { getAmount } from '../resource/amount.ts';
import type { ResourceIndex } from '../resource/resourceIndex.ts';
import type { ResourceRow } from '../resource/resourceRow.ts';
import { resourceTexts } from '../resource/texts.ts';
import { locationTexts } from './texts.ts';
import { getLocationContents } from './locationContents.ts';

const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/** @param index `null` if resources can't be read: then contents are omitted */
export function locationSuggestions(
  locations: readonly Location[],
  index: ResourceIndex | null,
): readonly Suggestion[] {
  return locations
    .map((location) => {
      const { state, contents } = getLocationContents(location, index);
      const names = locationTexts.contents(contents.map(({ name }) => name));
      const subtitle = names || (state === 'unknown' ? '' : locationAppearances[state].label);
      return { value: location.location_name, ...(subtitle === '' ? {} : { subtitle }) };
    })
    .toSorted((a, b) => compareNames(a.value, b.value));
}

function resourceSuggestion(row: ResourceRow, index: ResourceIndex): Suggestion {
  const path = index.findPath(row).map(({ name }) => name);
  const amount = getAmount(row);
  const description = [
    path.length > 0 ? path.join(' / ') : row.cls || resourceTexts.type(row.type),
    amount === null ? '' : resourceTexts.amount(amount.value, amount.unit),
  ];
  return { value: row.id, title: row.name, subtitle: description.filter(Boolean).join(' · ') };
}

export function resourceSuggestions(index: ResourceIndex): readonly Suggestion[] {
  return index.all
    .map((row) => resourceSuggestion(row, index))
    .toSorted((a, b) => compareNames(a.title ?? '', b.title ?? ''));
}
