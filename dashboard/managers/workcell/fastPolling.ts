/** Polls fast after a command until the page shows its effect, then returns to the usual interval. */
import { createSharedComposable } from '@vueuse/core';
import { onScopeDispose } from 'vue';
import { useActiveWorkflows, useWorkcellState } from './workcellQueries.ts';

/** The interval between two reads, in ms: a change appears within half a second. */
const intervalMs = 400;
/**
 * The maximum duration, in ms: the workcell manager polls its nodes every 2 s and starts a step at most every 5 s. Later
 * changes appear at the usual interval.
 */
const maxDurationMs = 6000;

interface FastPolling {
  /**
   * Call it before a command; returns a function to call once the server has accepted.
   * @param describeState the displayed state of the command's target, as a text that changes with it
   */
  readonly begin: (describeState: () => string) => () => void;
  readonly stop: () => void;
}

/** @param read reads everything that may show the change; if it rejects, the usual interval applies */
export function createFastPolling(read: () => Promise<unknown>): FastPolling {
  let pendingChanges: readonly { readonly isSeen: () => boolean; readonly until: number }[] = [];
  let isReading = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function isDone(): boolean {
    pendingChanges = pendingChanges.filter(({ isSeen, until }) => Date.now() < until && !isSeen());
    return pendingChanges.length === 0;
  }
  async function pollOnce(): Promise<void> {
    if (!isDone())
      await read().catch(() => {
        pendingChanges = [];
      });
    isReading = !isDone();
    if (isReading) timer = setTimeout(() => void pollOnce(), intervalMs);
  }
  return {
    begin: (describeState) => {
      const initialState = describeState();
      return () => {
        pendingChanges = [
          ...pendingChanges,
          { isSeen: () => describeState() !== initialState, until: Date.now() + maxDurationMs },
        ];
        if (isReading) return;
        isReading = true;
        void pollOnce();
      };
    },
    stop: () => {
      pendingChanges = [];
      clearTimeout(timer);
    },
  };
}

/** Polls the workcell fast after a command: its nodes and queue, and its active workflows. */
export const useFastPolling = createSharedComposable((): FastPolling['begin'] => {
  const state = useWorkcellState();
  const active = useActiveWorkflows();
  const { begin, stop } = createFastPolling(() => Promise.all([state.refresh(), active.refresh()]));
  onScopeDispose(stop);
  return begin;
});
