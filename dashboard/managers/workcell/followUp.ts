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

interface FollowUp {
  /**
   * Call it before a command; returns a function to call once the server has accepted.
   * @param shown the displayed state of the command's target, as a text that changes with it
   */
  readonly begin: (shown: () => string) => () => void;
  readonly stop: () => void;
}

/** @param read reads everything that may show the change; if it rejects, the usual interval applies */
export function followUpOf(read: () => Promise<unknown>): FollowUp {
  let waiting: readonly { readonly isSeen: () => boolean; readonly until: number }[] = [];
  let reading = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function isOver(): boolean {
    waiting = waiting.filter(({ isSeen, until }) => Date.now() < until && !isSeen());
    return waiting.length === 0;
  }
  async function next(): Promise<void> {
    if (!isOver())
      await read().catch(() => {
        waiting = [];
      });
    reading = !isOver();
    if (reading) timer = setTimeout(() => void next(), intervalMs);
  }
  return {
    begin: (shown) => {
      const before = shown();
      return () => {
        waiting = [...waiting, { isSeen: () => shown() !== before, until: Date.now() + maxDurationMs }];
        if (reading) return;
        reading = true;
        void next();
      };
    },
    stop: () => {
      waiting = [];
      clearTimeout(timer);
    },
  };
}

/** Polls the workcell fast after a command: its nodes and queue, and its active workflows. */
export const useFollowUp = createSharedComposable((): FollowUp['begin'] => {
  const state = useWorkcellState();
  const active = useActiveWorkflows();
  const { begin, stop } = followUpOf(() => Promise.all([state.refresh(), active.refresh()]));
  onScopeDispose(stop);
  return begin;
});
