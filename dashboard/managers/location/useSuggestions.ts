/**
 * Suggestions for a form's fields, from the current state of the lab: locations with their contents, resources with
 * their locations.
 */
import { computed, type ComputedRef } from 'vue';
import { experimentApi } from '#api/managers/experiment.ts';
import type { Location } from '#api/managers/location.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import { locationAppearances } from '#api/states.ts';
import type { FormField } from '../../components/form/field.ts';
import type { Suggestion, SuggestionKind, Suggestions } from '../../components/form/suggestion.ts';
import { shortId } from '../../base/objectPages.ts';
import { naturalOrder } from '../../base/texts.ts';
import { experimentName } from '../experiment/experimentState.ts';
import { getAmount } from '../resource/amount.ts';
import { formatContainers, type ResourceIndex } from '../resource/resourceIndex.ts';
import type { ResourceRow } from '../resource/resourceRow.ts';
import { resourceTexts } from '../resource/texts.ts';
import { useBackgroundResources } from '../resource/useResources.ts';
import { nodeNamesById } from '../workcell/nodeState.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { useCurrentWorkflows, useNodes } from '../workcell/workcellQueries.ts';
import { formatContents, getLocationContents } from './locationContents.ts';
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

/** @param index `null` if resources can't be read: then contents are omitted */
export function locationSuggestions(
  locations: readonly Location[],
  index: ResourceIndex | null,
): readonly Suggestion[] {
  return locations
    .map((location) => {
      const { state, contents } = getLocationContents(location, index);
      const subtitle = formatContents(contents) || (state === 'unknown' ? '' : locationAppearances[state].label);
      return { value: location.location_name, ...(subtitle === '' ? {} : { subtitle }) };
    })
    .toSorted((a, b) => naturalOrder.compare(a.value, b.value));
}

function resourceSuggestion(row: ResourceRow, index: ResourceIndex): Suggestion {
  const amount = getAmount(row);
  const description = [
    formatContainers(row, index) || row.cls || resourceTexts.type(row.type),
    amount === null ? '' : resourceTexts.amount(amount.value, amount.unit),
  ];
  return { value: row.id, title: row.name, subtitle: description.filter(Boolean).join(' · ') };
}

export function resourceSuggestions(index: ResourceIndex): readonly Suggestion[] {
  return index.all
    .map((row) => resourceSuggestion(row, index))
    .toSorted((a, b) => naturalOrder.compare(a.title ?? '', b.title ?? ''));
}
