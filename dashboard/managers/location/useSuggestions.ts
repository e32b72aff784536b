/** Suggestions for a form's fields, as the lab is now. */
import { computed, type ComputedRef } from 'vue';
import type { Location } from '../../../api/managers/location.ts';
import type { FormField } from '../../components/form/field.ts';
import type { Suggestions } from '../../components/form/suggestion.ts';
import { useResourcesBeside } from '../resource/useResources.ts';
import { locationSuggestions, resourceSuggestions } from './suggestions.ts';
import { useLocationsBeside } from './useLocations.ts';

/**
 * Reads only what the form's fields name.
 * @param offered which locations make sense here; all unless told
 */
export function useSuggestions(
  fields: () => readonly FormField[],
  offered: (location: Location) => boolean = () => true,
): ComputedRef<Suggestions> {
  const wants = (kind: keyof Suggestions) => fields().some(({ names }) => names === kind);
  const locations = useLocationsBeside(() => wants('locations'));
  const { live, index } = useResourcesBeside(() => wants('locations') || wants('resources'));
  const known = computed(() => (live.data.value === undefined ? null : index.value));
  return computed(() => ({
    locations: locationSuggestions(locations.value.filter(offered), known.value),
    resources: wants('resources') && known.value !== null ? resourceSuggestions(known.value) : [],
  }));
}
