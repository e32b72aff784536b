/** The contents of a location, from the most recently loaded resources, and the nodes for its representations. */
import { type ComputedRef, computed } from 'vue';
import type { Location } from '#api/managers/location.ts';
import { useResources } from '../resource/useResources.ts';
import { type LocationContents, representedNodes, getLocationContents } from './locationContents.ts';
import { useNodes } from '../workcell/workcellQueries.ts';
import { useLocations } from './useLocations.ts';

/** Returns a new function after each response, so that computed values update. */
export function useLocationContents(): ComputedRef<(location: Location) => LocationContents> {
  const { live, index } = useResources();
  return computed(() => {
    const loadedIndex = live.data.value === undefined ? null : index.value;
    return (location) => getLocationContents(location, loadedIndex);
  });
}

/**
 * Returns the names of the nodes for which a location can have a representation: those of the workcell, and those that
 * already have one at any location.
 */
export function useKnownNodes(): ComputedRef<readonly string[]> {
  const nodes = useNodes();
  const live = useLocations();
  return computed(() => {
    const names = [...Object.keys(nodes.value), ...(live.data.value ?? []).flatMap(representedNodes)];
    return [...new Set(names)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  });
}
