/** The page's safety stop: the service runs it, or else the page itself; its state, its report and its release. */
import { until } from '@vueuse/core';
import { computed, ref, type ComputedRef } from 'vue';
import { errorText } from '#api/errorText.ts';
import type { StopResponse } from '#api/lab/safetyStopApi.ts';
import type { LabStop } from '#api/safetyStop/labStop.ts';
import { safetyStopTexts as texts } from '#api/safetyStop/safetyStopTexts.ts';
import { planReleases } from '#api/safetyStop/stopReport.ts';
import { definePageState } from '../../base/pageState.ts';
import { useOutcomes } from '../commands/outcomes.ts';
import { useCommandRefusal } from '../lab/labQueries.ts';
import { useWorkcellState } from '../workcell/workcellQueries.ts';
import { useLocalStop } from './localStop.ts';
import { useStopUnavailableReason } from './stopAvailability.ts';
import { useStopService } from './stopService.ts';

export const useSafetyStop = definePageState(() => {
  const service = useStopService();
  const { local, localInEffect, published, isPosting, press, release: releaseStop } = useLocalStop();
  const unavailableReason = useStopUnavailableReason();
  const refusal = useCommandRefusal();
  const outcomes = useOutcomes();
  const workcellState = useWorkcellState();
  const open = ref(false);
  /** The number of presses: each one shows a new report. */
  const presses = ref(0);
  const { state } = service;

  /** The stop in effect, acknowledged or not; while the service doesn't respond, the last published one. */
  const inEffect = computed(() => (local.value === null ? published.value : localInEffect.value));

  /** Sends the stop to all nodes at once. */
  async function stop(): Promise<void> {
    const reason = refusal();
    const report = (text: string): void => outcomes.begin(texts.button)('failed', text);
    if (reason !== null) return report(`Not sent. ${reason}. Until then, use the hardware emergency stop.`);
    // The stop is sent nevertheless: a route may be open again.
    if (unavailableReason.value !== null) report(texts.unavailable(unavailableReason.value));
    open.value = true;
    presses.value += 1;
    await press();
    workcellState.retry();
  }

  /** Releases the stop by the service or, for a stop of this page and where the service refuses, from here. */
  async function release(): Promise<void> {
    const report = outcomes.begin('Release');
    const canService = state.value?.refusals.release === null && !service.live.stale.value;
    const releaseByService = async (): Promise<void> => {
      await service.release();
      await until(() => state.value?.stop?.releasing === true).toBe(false);
    };
    try {
      await releaseStop(canService ? releaseByService : null);
      report(inEffect.value === null ? 'done' : 'failed', inEffect.value === null ? '' : texts.releaseIncomplete);
    } catch (error) {
      report('failed', errorText(error));
    }
    workcellState.retry();
  }

  /** Hides the stop on all screens without releasing it. */
  async function acknowledge(): Promise<void> {
    open.value = false;
    await service
      .acknowledge()
      .catch((error: unknown) => outcomes.begin(texts.what.acknowledge)('failed', errorText(error)));
  }

  return {
    open,
    presses,
    isPosting,
    /** Whether a stop or a release is being sent, or only this page has the stop. */
    isRunning: computed(() => isPosting.value || local.value !== null || isSending(state.value?.stop ?? null)),
    /** The stop of the report, in effect or not. */
    reported: computed(() => local.value ?? state.value?.stop ?? null),
    /** The stop in force, not acknowledged; `null` if there is none. */
    inForce: computed(() => (local.value === null && state.value?.acknowledged === true ? null : inEffect.value)),
    /** Whether the reported stop was ended by another program. */
    isOver: computed(() => local.value === null && isEnded(state.value)),
    inEffect,
    unavailableReason,
    /** Whether this page can acknowledge the stop. */
    canAcknowledge: computed(() => local.value === null && state.value?.refusals.acknowledge === null),
    releases: computed(() => (local.value ? planReleases(local.value, null) : (state.value?.releases ?? []))),
    stop,
    release,
    /** Shows the report again; sends nothing. */
    openReport: () => (open.value = true),
    acknowledge,
  };
});

const isEnded = (state: StopResponse | null): boolean =>
  state?.in_effect === false && !isReleased(state.stop?.nodes ?? []);
const isSending = (stop: LabStop | null): boolean => stop?.sending === true || stop?.releasing === true;
const isReleased = (nodes: LabStop['nodes']): boolean => nodes.some(({ released_at: at }) => at !== undefined);

/** The safety stop in force in the lab; `null` if there is none. */
export function useLabStop(): ComputedRef<LabStop | null> {
  const safetyStop = useSafetyStop();
  return computed(() => safetyStop.inForce);
}
