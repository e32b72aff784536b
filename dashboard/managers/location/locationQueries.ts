/** The transfers that the lab's nodes can make in one step, as they were read last. */
import { createSharedComposable } from '@vueuse/core';
import { computed } from 'vue';
import { locationApi } from '../../../api/managers/location.ts';
import { useManagerVersion } from '../transport/clients.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { derivedEdges, detailedEdges, edgesFrom } from './transferEdges.ts';
import { useLocations } from './useLocations.ts';
import { whyMissing } from '../../../api/version.ts';

/** The transfers that the lab's nodes can make in one step, as they were read last. */
export const useTransferEdges = createSharedComposable(() => {
  const version = useManagerVersion('location');
  /** 0.7 says who reaches whom, but neither by which node nor at what cost. */
  const isDerived = computed(() => version.value === '0.7');
  const locations = useLocations();
  const polled = 'transferGraph';
  const detailed = useManagerQuery(locationApi, 'getDetailedTransferGraph', {
    polled,
    input: () => (isDerived.value ? null : {}),
  });
  const plain = useManagerQuery(locationApi, 'getTransferGraph', {
    polled,
    input: () => (isDerived.value ? {} : null),
  });
  /** `undefined` until they are known. */
  const edges = computed(() => {
    if (!isDerived.value) return detailed.data.value === undefined ? undefined : detailedEdges(detailed.data.value);
    const all = locations.data.value;
    if (all === undefined || (plain.data.value === undefined && plain.failure.value === null)) return undefined;
    return derivedEdges(all, plain.data.value ?? null);
  });
  /** Why they are not known; `null` where they are, or may yet be. */
  const failure = computed(() => (edges.value !== undefined || isDerived.value ? null : detailed.failure.value));
  const from = computed(() => edgesFrom(edges.value ?? []));
  return { edges, failure, from, isDerived };
});

/** Templates of the location manager, as they were read last; 0.7 has none, and isn't asked. */
export const useLocationTemplates = createSharedComposable(() => {
  const version = useManagerVersion('location');
  const missing = computed(() => whyMissing('locationTemplates', version.value));
  const input = () => (missing.value === null ? {} : null);
  const polled = 'locationTemplates';
  return {
    /** Why the lab has none; `null` where it may. */
    missing,
    locations: useManagerQuery(locationApi, 'getLocationTemplates', { polled, input }),
    representations: useManagerQuery(locationApi, 'getRepresentationTemplates', { polled, input }),
  };
});
