/** The session of this page's user at the lab manager, while remote access is on. */
import { useQueryClient } from '@tanstack/vue-query';
import { createSharedComposable } from '@vueuse/core';
import { computed, onScopeDispose, type ComputedRef } from 'vue';
import { accessApi, csrfHeader, type SessionResponse } from '#api/lab/access.ts';
import { createClient } from '#api/client/client.ts';
import { base } from '../../base/serviceAddress.ts';
import { feedbackTexts } from '../../components/texts.ts';
import { usePoll } from '../transport/poll/poll.ts';
import { pollingSchedule } from '../transport/poll/pollingSchedule.ts';
import { managerQueryKey, invalidateManagerQueries } from '../transport/poll/queryKey.ts';
import { useLabHistory } from './labQueries.ts';

export interface PageSession {
  /** `null` while remote access is off, or before the first response. */
  readonly session: ComputedRef<SessionResponse | null>;
  /** @throws ManagerError with the reason as text */
  readonly signIn: (credentials: { name: string; password: string; screen: boolean }) => Promise<void>;
  /** @throws ManagerError with the reason as text */
  readonly signOut: (everywhere: boolean) => Promise<void>;
}

export const useSession = createSharedComposable((): PageSession => {
  const history = useLabHistory();
  const isOn = computed(() => history.data.value?.remote_access !== undefined);
  let token: string | null = null;
  const client = createClient(accessApi, {
    baseUrl: base.href,
    maxRetryMs: 0,
    sendsCookies: true,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      if (token !== null) headers.set(csrfHeader, token);
      return globalThis.fetch(input, { ...init, headers, credentials: 'same-origin' });
    },
  });
  const live = usePoll({
    source: feedbackTexts.stale.labManager,
    key: () => managerQueryKey('lab', isOn.value ? base.href : null, 'getSession'),
    interval: pollingSchedule.session,
    read: async (signal) => {
      const response = await client.getSession({}, { signal });
      token = response.csrf_token;
      return response;
    },
  });
  const queries = useQueryClient();
  /** The relay's access rules depend on the user; otherwise they are read every 30 s. */
  const refresh = async (): Promise<void> => {
    await live.refresh();
    await invalidateManagerQueries(queries, ['manager', 'lab', base.href, 'getManagers']);
  };
  // All windows of the browser share the cookie, and the CSRF token belongs to the cookie, so the other windows must
  // read their session again.
  const channel = globalThis.BroadcastChannel === undefined ? null : new BroadcastChannel(`session ${base.href}`);
  channel?.addEventListener('message', () => void refresh());
  onScopeDispose(() => channel?.close());
  const notifyAndRefresh = async (): Promise<void> => {
    channel?.postMessage(null);
    await refresh();
  };
  return {
    session: computed(() => (isOn.value ? (live.data.value ?? null) : null)),
    signIn: async (credentials) => {
      await client.signIn({ body: credentials });
      await notifyAndRefresh();
    },
    signOut: async (everywhere) => {
      await client.signOut({ everywhere });
      await notifyAndRefresh();
    },
  };
});
