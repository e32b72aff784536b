/** Suggestions for a form's fields, from the current state of the lab. */
import { computed, type ComputedRef } from 'vue';
import { experimentApi } from '#api/managers/experiment.ts';
import type { Location } from '#api/managers/location.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import type { FormField } from '../../components/form/field.ts';
import type { Suggestion, SuggestionKind, Suggestions } from '../../components/form/suggestion.ts';
import { shortId } from '../../base/objectPages.ts';
import { experimentName } from '../experiment/experimentState.ts';
import { useBackgroundResources } from '../resource/useResources.ts';
import { nodeNamesById } from '../workcell/nodeState.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { useCurrentWorkflows, useNodes } from '../workcell/workcellQueries.ts';
import { locationSuggestions, resourceSuggestions } from './suggestions.ts';
import { useBackgroundLocations } from './useLocations.ts';

/** The maximum number of archived workflows; older ones can be entered by their ID. */
const maxWorkflows = 100;

/**
 * Reads only the kinds of objects that the form's fields refer to.
 * @param isOffered filters the locations that make sense; all by default
 */
export function useSuggestions(
  fields: () => readonly FormField[],
  isOffered: (location: Location) => boolean = () => true,
): ComputedRef<Suggestions> {
  const needs = (kind: SuggestionKind) => fields().some(({ refersTo }) => refersTo === kind);
  const locations = useBackgroundLocations(() => needs('locations') || needs('locationIds'));
  const { live, index } = useBackgroundResources(() => needs('locations') || needs('resources'));
  const resourceIndex = computed(() => (live.data.value === undefined ? null : index.value));
  const nodes = useNodes();
  const experiments = useManagerQuery(experimentApi, 'getExperiments', {
    schedule: 'experiments',
    input: () => (needs('experiments') ? { number: 0 } : null),
  });
  const archived = useManagerQuery(workcellApi, 'getArchivedWorkflows', {
    schedule: 'archivedWorkflows',
    input: () => (needs('workflows') ? { number: maxWorkflows } : null),
  });
  const current = useCurrentWorkflows();
  const toSuggestions = (names: Iterable<readonly [string, string]>) =>
    [...names].map(([value, title]): Suggestion => ({ value, title, subtitle: shortId(value) }));
  return computed(() => ({
    locations: locationSuggestions(locations.value.filter(isOffered), resourceIndex.value),
    resources: needs('resources') && resourceIndex.value !== null ? resourceSuggestions(resourceIndex.value) : [],
    locationIds: needs('locationIds')
      ? toSuggestions(locations.value.map(({ location_id: id, location_name: name }) => [id, name] as const))
      : [],
    nodeIds: needs('nodeIds') ? toSuggestions(nodeNamesById(nodes.value)) : [],
    experiments: toSuggestions(
      (experiments.data.value ?? []).map((experiment) => [experiment['_id'], experimentName(experiment)] as const),
    ),
    workflows: needs('workflows')
      ? toSuggestions(
          [...current.value, ...Object.values(archived.data.value ?? {})].map(
            ({ workflow_id: id, name }) => [id, name] as const,
          ),
        )
      : [],
  }));
}
