/**
 * Applies what the relay announces to this page's queries. An unchanged revision makes data as new as a read of the page would,
 * and a changed one is read. Each announcement postpones the next read of a query, so polling continues by itself without
 * announcements.
 */
import { useQueryClient, type QueryClient } from '@tanstack/vue-query';
import { createSharedComposable, useDocumentVisibility } from '@vueuse/core';
import { computed, watch } from 'vue';
import { getAge, getRevision } from '../../../../api/client/answerAge.ts';
import { announcedIntervals } from '../../../../api/lab/changes.ts';
import { announcementMarginMs, pollStateOf } from '../poll/pollState.ts';
import { renewStamp } from '../time/stamps.ts';
import { followChanges, type CurrentRevision } from './changeStream.ts';
import { useRoutes } from './routes.ts';

/** Follows the announcements while a component needs their queries, and a visible page reads them through the relay. */
export const useAnnouncements = createSharedComposable((): void => {
  const client = useQueryClient();
  const { routeOf } = useRoutes();
  const visibility = useDocumentVisibility();
  const isNeeded = computed(() => visibility.value === 'visible' && routeOf('workcell') === 'relay');
  watch(
    isNeeded,
    (needed, _before, onCleanup) => {
      if (needed) onCleanup(followChanges((current) => apply(client, current)));
    },
    { immediate: true },
  );
});

function apply(client: QueryClient, { endpoint, revision, at }: CurrentRevision): void {
  const ageMs = Date.now() - at;
  // A proxy that collects data before it forwards them makes announcements late: reads are newer.
  if (ageMs < 0 || ageMs > announcedIntervals[endpoint] + announcementMarginMs) return;
  const queries = client.getQueryCache().findAll({
    queryKey: ['manager', 'workcell'],
    type: 'active',
    predicate: ({ queryKey }) => queryKey[3] === endpoint,
  });
  for (const query of queries) {
    const state = pollStateOf(client, query.queryKey);
    // A failing query waits for its next retry.
    if (state.failures > 0) continue;
    state.announcedAt = Date.now();
    const { data, dataUpdatedAt, fetchStatus } = query.state;
    if (typeof data !== 'object' || data === null || fetchStatus !== 'idle') continue;
    if (getRevision(data) !== revision) void client.refetchQueries({ queryKey: query.queryKey, exact: true });
    else if (at > dataUpdatedAt - getAge(data)) {
      renewStamp(data, ageMs);
      query.setData(data, { updatedAt: at, manual: true });
    }
  }
}
