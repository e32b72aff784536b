/**
 * The safety stop through the lab manager, for a page that does not reach the workcell manager or the nodes: whether it is
 * offered, and whether this page can stop anything without it.
 */
import { createSharedComposable, until, useDocumentVisibility, useIntervalFn } from '@vueuse/core';
import { computed, ref, watch, type Ref } from 'vue';
import type { AdminCommand, AdminCommandResponse } from '../../../api/managers/action.ts';
import { workcellApi } from '../../../api/managers/workcell.ts';
import type { StopRoutes } from '../../../api/safetyStop/safetyStop.ts';
import { safetyStopTexts as texts } from '../../../api/safetyStop/safetyStopTexts.ts';
import { stopTimeoutMs } from '../../../api/safetyStop/stopRun.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { useSession } from '../lab/session.ts';
import { useAddress, useRelayCommandClient } from '../transport/clients.ts';
import { isMixedContent } from '../transport/addresses.ts';
import { canUseRelay, useRoutes } from '../transport/relay/routes.ts';
import { useWorkcellState } from '../workcell/workcellQueries.ts';

/**
 * Timeout of a command through the relay, in ms: a browser has six connections to the lab manager, and nodes that hang
 * must not keep the others waiting. The manager itself waits longer.
 */
const relayDeadlineMs = 4000;
/** The interval between two checks whether a direct route is open again, and the timeout of one check, in ms. */
const checkIntervalMs = 10_000;
const checkTimeoutMs = 3000;
/** The number of nodes that are checked. */
const maxChecked = 20;

/**
 * Returns whether anything responds at `url`. Without CORS nothing of the response can be read, and a stop needs
 * nothing of it.
 */
async function isReachable(url: string): Promise<true> {
  await fetch(url, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(checkTimeoutMs) });
  return true;
}

/** Returns whether nothing responds at any of the addresses, checked repeatedly while `isChecked`. */
function useClosedRoutes(isChecked: () => boolean, addresses: () => readonly string[]): Ref<boolean> {
  const visibility = useDocumentVisibility();
  const areClosed = ref(false);
  const check = async (): Promise<void> => {
    const candidates = addresses().filter((address) => !isMixedContent(address, location.protocol));
    areClosed.value = !(await Promise.any(candidates.map(isReachable)).catch(() => false));
  };
  const { pause, resume } = useIntervalFn(() => void check(), checkIntervalMs, {
    immediate: false,
    immediateCallback: true,
  });
  watch(
    () => isChecked() && visibility.value === 'visible',
    (isActive) => (isActive ? resume() : pause()),
    { immediate: true },
  );
  return areClosed;
}

export const useRelayStop = createSharedComposable(() => {
  const { relayAccess, findRoute } = useRoutes();
  const { session } = useSession();
  const history = useLabHistory();
  const state = useWorkcellState();
  const workcell = useAddress('workcell');

  /** Whether the workcell manager responds to this page itself. */
  const isDirect = computed(
    () => findRoute('workcell') === 'direct' && state.receivedAt.value !== null && !state.stale.value,
  );

  /** The relay's workcell manager; `null` if the caller may not stop it. */
  const relayClient = useRelayCommandClient(workcellApi);
  const client = computed(() => (relayAccess.value?.stop.refusal === null ? relayClient() : null));

  /** Whether the lab manager has reported what it offers, and who this page's user is. */
  const isKnown = computed(() => relayAccess.value !== null && session.value !== null);

  /**
   * Returns the route to a node through the relay; `null` if there is none for this page. On a newly opened page that is
   * unknown, so `send` waits until it is known.
   */
  function routeTo(node: string): StopRoutes['relayed'] {
    const mayBeOn = history.data.value === undefined || history.data.value.remote_access !== undefined;
    if (!mayBeOn || (isKnown.value && client.value === null)) return null;
    const send = async (command: AdminCommand): Promise<AdminCommandResponse> => {
      await until(isKnown).toBe(true, { timeout: stopTimeoutMs });
      if (client.value === null) throw new Error(relayAccess.value?.stop.refusal ?? texts.noRelay);
      return client.value.sendCommand({ command, node }, { keepalive: true, timeoutMs: relayDeadlineMs });
    };
    return { send, isFirst: !isDirect.value };
  }

  /**
   * Whether this page, or the relay for it, can add a record to the event log; otherwise the lab manager records the
   * stop.
   */
  const canRecord = computed(() => {
    const { value } = relayAccess;
    if (value === null || (value.remote_access === 'operate' && value.role !== null && value.role !== 'viewer'))
      return true;
    return canUseRelay(value) ? findRoute('event') === 'direct' : isDirect.value;
  });

  const refusal = computed(() => (isDirect.value ? null : (relayAccess.value?.stop.refusal ?? null)));
  let nodeAddresses: () => readonly string[] = () => [];
  const hasNoRoute = useClosedRoutes(
    () => refusal.value !== null,
    () => [...(workcell.value === null ? [] : [`${workcell.value}health`]), ...nodeAddresses().slice(0, maxChecked)],
  );

  return {
    routeTo,
    isKnown,
    isAllowed: computed(() => client.value !== null),
    isDirect,
    canRecord,
    /** The names of the nodes in the lab manager's data. */
    nodeNames: computed(() => relayAccess.value?.stop.nodes ?? []),
    /**
     * The reason why this page can't stop anything: neither through the lab manager nor directly; `null` if it can, or
     * may.
     */
    unavailableReason: computed(() => (hasNoRoute.value ? refusal.value : null)),
    /** @param addresses of the nodes that would be commanded directly */
    checkNodes: (addresses: () => readonly string[]): void => void (nodeAddresses = addresses),
  };
});
