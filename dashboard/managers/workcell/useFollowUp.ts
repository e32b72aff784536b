/** The workcell, read fast after a command: its nodes and queue, and its active workflows. */
import { createSharedComposable } from '@vueuse/core';
import { onScopeDispose } from 'vue';
import { followUpOf, type FollowUp } from './followUp.ts';
import { useActiveWorkflows, useWorkcellState } from './workcellQueries.ts';

export const useFollowUp = createSharedComposable((): FollowUp['begin'] => {
  const state = useWorkcellState();
  const active = useActiveWorkflows();
  const { begin, stop } = followUpOf(() => Promise.all([state.refresh(), active.refresh()]));
  onScopeDispose(stop);
  return begin;
});
