/**
 * Applies the relay's announcements to this page's queries. If the announced revision is unchanged, the data counts as
 * new; otherwise the query is read again. Each announcement postpones the next read of its query, so without
 * announcements polling continues as usual.
 */
import { useQueryClient, type QueryClient } from '@tanstack/vue-query';
import { createSharedComposable, useDocumentVisibility } from '@vueuse/core';
import { computed, watch } from 'vue';
import { getAge, getRevision } from '#api/client/responseMetadata.ts';
import { announcedIntervals } from '#api/lab/changes.ts';
import { announcementMarginMs, getPollState } from '../poll/pollState.ts';
import { renewStamp } from '../poll/readings.ts';
import { subscribeToChanges, type CurrentRevision } from './changeStream.ts';
import { useRoutes } from './routes.ts';

/** Follows the announcements while a component needs their queries, and a visible page reads them through the relay. */
export const useAnnouncements = createSharedComposable((): void => {
  const client = useQueryClient();
  const { findRoute } = useRoutes();
  const visibility = useDocumentVisibility();
  const isNeeded = computed(() => visibility.value === 'visible' && findRoute('workcell') === 'relay');
  watch(
    isNeeded,
    (needsStream, _before, onCleanup) => {
      if (needsStream) onCleanup(subscribeToChanges((current) => applyRevision(client, current)));
    },
    { immediate: true },
  );
});

function applyRevision(client: QueryClient, { endpoint, revision, at }: CurrentRevision): void {
  const ageMs = Date.now() - at;
  // A buffering proxy delays announcements, so the page's own reads are newer.
  if (ageMs < 0 || ageMs > announcedIntervals[endpoint] + announcementMarginMs) return;
  const queries = client.getQueryCache().findAll({
    queryKey: ['manager', 'workcell'],
    type: 'active',
    predicate: ({ queryKey }) => queryKey[3] === endpoint,
  });
  for (const query of queries) {
    const state = getPollState(client, query.queryKey);
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
