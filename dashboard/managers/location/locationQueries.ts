/** What is known about locations beyond their list: contents, nodes, possible transfers and templates, as last read. */
import { createSharedComposable } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import { locationApi, type Location } from '#api/managers/location.ts';
import { naturalOrder } from '../../base/texts.ts';
import { useResources } from '../resource/useResources.ts';
import { useManagerVersion } from '../transport/clients.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { groupBy } from '../../base/grouping.ts';
import { deriveTransferEdges, toTransferEdges } from './transfers.ts';
import { type LocationContents, representedNodes, getLocationContents } from './locationContents.ts';
import { useNodes } from '../workcell/workcellQueries.ts';
import { useLocations } from './useLocations.ts';
import { unsupportedReason } from '#api/version.ts';

/** The transfers that the lab's nodes can make in one step, as last read. */
export const useTransferEdges = createSharedComposable(() => {
  const version = useManagerVersion('location');
  /** MADSci 0.7 reports which locations are connected, but neither the nodes nor the costs. */
  const isDerived = computed(() => version.value === '0.7');
  const locations = useLocations();
  const schedule = 'transferGraph';
  const detailed = useManagerQuery(locationApi, 'getDetailedTransferGraph', {
    schedule,
    input: () => (isDerived.value ? null : {}),
  });
  const connections = useManagerQuery(locationApi, 'getTransferGraph', {
    schedule,
    input: () => (isDerived.value ? {} : null),
  });
  /** `undefined` until the edges are known. */
  const edges = computed(() => {
    if (!isDerived.value) return detailed.data.value === undefined ? undefined : toTransferEdges(detailed.data.value);
    const all = locations.data.value;
    if (all === undefined || (connections.data.value === undefined && connections.failure.value === null))
      return undefined;
    return deriveTransferEdges(all, connections.data.value ?? null);
  });
  /** The reason why the edges are unknown; `null` if they are known or still loading. */
  const failure = computed(() => (edges.value !== undefined || isDerived.value ? null : detailed.failure.value));
  const edgesBySource = computed(() => groupBy(edges.value ?? [], ({ source }) => source));
  return { edges, failure, edgesBySource, isDerived };
});

/** The templates of the location manager, as last read. MADSci 0.7 has none, so no request is sent to it. */
export const useLocationTemplates = createSharedComposable(() => {
  const version = useManagerVersion('location');
  const missingReason = computed(() => unsupportedReason('locationTemplates', version.value));
  const input = () => (missingReason.value === null ? {} : null);
  const schedule = 'locationTemplates';
  return {
    /** The reason why the manager has no templates; `null` if it may have some. */
    missingReason,
    locations: useManagerQuery(locationApi, 'getLocationTemplates', { schedule, input }),
    representations: useManagerQuery(locationApi, 'getRepresentationTemplates', { schedule, input }),
  };
});

/** Returns the contents of a location: a new function after each response, so that computed values update. */
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
    return [...new Set(names)].toSorted(naturalOrder.compare);
  });
}
