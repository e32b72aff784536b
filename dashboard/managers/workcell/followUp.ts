import { createSharedComposable } from '@vueuse/core';
import { onScopeDispose } from 'vue';
import { useActiveWorkflows, useWorkcellState } from './workcellQueries.ts';

/** After a command the server is read fast, until the page shows what came of it; then at its usual pace again. */

/** Between two reads, in ms: a change is on screen within half a second of being there. */
const betweenReads = 400;
/**
 * The workcell manager looks at its nodes every 2 s, and starts a step at most every 5 s; what isn't seen by then, in ms,
 * is seen as usual.
 */
const longest = 6000;

interface FollowUp {
  /**
   * To be called before a command; gives what is to be called once the server has agreed.
   * @param shown what the page shows of what is commanded, as a text that changes with it
   */
  readonly begin: (shown: () => string) => () => void;
  readonly stop: () => void;
}

/** @param read reads all that may show a change; rejects where the server doesn't answer, and the usual pace takes over */
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
    if (reading) timer = setTimeout(() => void next(), betweenReads);
  }
  return {
    begin: (shown) => {
      const before = shown();
      return () => {
        waiting = [...waiting, { isSeen: () => shown() !== before, until: Date.now() + longest }];
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

/** The workcell, read fast after a command: its nodes and queue, and its active workflows. */
export const useFollowUp = createSharedComposable((): FollowUp['begin'] => {
  const state = useWorkcellState();
  const active = useActiveWorkflows();
  const { begin, stop } = followUpOf(() => Promise.all([state.refresh(), active.refresh()]));
  onScopeDispose(stop);
  return begin;
});
