/** The page's safety stop: the service runs it, or else the page itself; its state, its report and its release. */
import { useEventListener } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch, type ComputedRef } from 'vue';
import { errorText } from '../../../api/errorText.ts';
import { FallbackStop } from '../../../api/safetyStop/fallbackStop.ts';
import type { LabStop } from '../../../api/safetyStop/labStop.ts';
import { workcellDelayMs } from '../../../api/safetyStop/safetyStop.ts';
import { safetyStopTexts as texts } from '../../../api/safetyStop/safetyStopTexts.ts';
import { planReleases, type Release } from '../../../api/safetyStop/stopReport.ts';
import { useCommandLog } from '../commands/commandLog.ts';
import { useOutcomes } from '../commands/outcomes.ts';
import { useCommandRefusal, useLabHistory } from '../lab/labQueries.ts';
import { useWorkcellState } from '../workcell/workcellQueries.ts';
import { canReadNodes, useKnownNodes } from './knownNodes.ts';
import { useStopUnavailableReason } from './stopAvailability.ts';
import { useStopService } from './stopService.ts';

export const useSafetyStop = defineStore('safetyStop', () => {
  const service = useStopService();
  const { targets, routesTo } = useKnownNodes();
  const unavailableReason = useStopUnavailableReason();
  const refusal = useCommandRefusal();
  const outcomes = useOutcomes();
  const log = useCommandLog();
  const history = useLabHistory();
  const workcellState = useWorkcellState();
  const open = ref(false);
  /** Whether the service has not answered to the press yet. */
  const isAsking = ref(false);
  /** The number of presses: each one shows a new report. */
  const presses = ref(0);

  /** While the service doesn't respond, the last published stop stays in force. */
  const { state } = service;
  const published = computed(() => (state.value?.in_effect === true ? state.value.stop : null));
  /** The stop that this page has sent itself. */
  const local = shallowRef<LabStop | null>(null);
  /** Whether the service has published it. */
  let isLocalPublished = false;
  const fallback: FallbackStop = new FallbackStop({
    askService: service.stop,
    targets,
    routesTo,
    delayMs: canReadNodes() ? workcellDelayMs : 0,
    sender: () => ({ machine: history.data.value?.client ?? null, application: 'dashboard' }),
    published: () => published.value,
    record: ({ fields, title }) => log.record(fields, title).id,
    onChange: () => {
      local.value = fallback.stop;
      isAsking.value = false;
    },
  });
  watch(state, (now) => {
    const { value: own } = local;
    if (own === null || own.sending === true || now === null) return;
    const isPublished = published.value !== null && published.value.id === own.id;
    const isReplaced = (published.value?.at ?? '') > (own.at ?? '');
    // What was published and is no longer in effect was ended elsewhere.
    if (isPublished || isReplaced || isLocalPublished) fallback.forget();
    isLocalPublished = isPublished;
  });
  useEventListener(window, 'pagehide', () => fallback.recordResult());

  /** The stop of the report, in effect or not. */
  const reported = computed(() => local.value ?? state.value?.stop ?? null);
  const releases = computed<readonly (Pick<Release, 'name'> & { readonly commands: readonly string[] })[]>(() =>
    local.value === null ? (state.value?.releases ?? []) : planReleases(local.value, null),
  );

  /** Sends the stop to all nodes at once. */
  async function stop(): Promise<void> {
    const reason = refusal();
    if (reason !== null) return outcomes.begin(texts.button)('failed', texts.refused(reason));
    // The stop is sent nevertheless: a route may be open again.
    if (unavailableReason.value !== null)
      outcomes.begin(texts.button)('failed', texts.unavailable(unavailableReason.value));
    open.value = true;
    presses.value += 1;
    isLocalPublished = false;
    isAsking.value = true;
    await fallback.press().finally(() => (isAsking.value = false));
    workcellState.retry();
  }

  /** Releases the stop by the service or, for a stop of this page and where the service refuses, from here. */
  async function release(): Promise<void> {
    const report = outcomes.begin(texts.releaseVerb);
    const isByService = local.value === null && state.value?.refusals.release === null && !service.live.stale.value;
    try {
      const failed = isByService
        ? ((await service.release()).stop?.nodes ?? []).filter((node) => node.release_failure !== undefined)
        : await fallback.release();
      if (failed.length === 0) report('done', '');
      else report('failed', texts.releaseIncomplete);
    } catch (error) {
      report('failed', errorText(error));
    }
    workcellState.retry();
  }

  /** Hides the stop on all screens without releasing it. */
  async function acknowledge(): Promise<void> {
    open.value = false;
    try {
      await service.acknowledge();
    } catch (error) {
      outcomes.begin(texts.what.acknowledge)('failed', errorText(error));
    }
  }

  return {
    open,
    presses,
    isAsking,
    reported,
    /** The stop in force, not acknowledged; `null` if there is none. */
    inForce: computed(() => local.value ?? (state.value?.acknowledged === true ? null : published.value)),
    /** Whether the reported stop was ended by another program. */
    isOver: computed(
      () => local.value === null && state.value?.in_effect === false && !isReleased(state.value.stop?.nodes ?? []),
    ),
    unavailableReason,
    /** Whether this page can acknowledge the stop. */
    canAcknowledge: computed(() => local.value === null && state.value?.refusals.acknowledge === null),
    releases,
    stop,
    release,
    /** Shows the report again; sends nothing. */
    openReport: () => (open.value = true),
    acknowledge,
  };
});

const isReleased = (nodes: LabStop['nodes']): boolean => nodes.some(({ released_at: at }) => at !== undefined);

/** The safety stop in force in the lab; `null` if there is none. */
export function useLabStop(): ComputedRef<LabStop | null> {
  const safetyStop = useSafetyStop();
  return computed(() => safetyStop.inForce);
}
