/** Names of the nodes that may know a location: those of the workcell, and those that know one already. */
import { computed, type ComputedRef } from 'vue';
import { useNodes } from '../workcell/workcellQueries.ts';
import { useLocations } from './useLocations.ts';
import { nodesOf } from './whereabouts.ts';

export function useKnownNodes(): ComputedRef<readonly string[]> {
  const nodes = useNodes();
  const live = useLocations();
  return computed(() => {
    const names = [...Object.keys(nodes.value), ...(live.data.value ?? []).flatMap(nodesOf)];
    return [...new Set(names)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  });
}
