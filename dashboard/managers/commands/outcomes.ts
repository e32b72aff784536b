/** The outcomes of the user's commands, shown until dismissed, with the server's own messages. */
import { definePageState } from '../../base/pageState.ts';
import { currentTime } from '../../base/clock.ts';
import { onScopeDispose, ref } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import type { OutcomeState } from '#api/states.ts';

export interface Outcome {
  readonly id: number;
  /** The command's display text: `Pause “Growth assay”`. */
  readonly commandText: string;
  readonly state: OutcomeState;
  /** The outcome, in a sentence; empty while unknown. */
  readonly text: string;
  /** In ms since the epoch. */
  readonly sentAt: number;
  /** The page of the command's target. */
  readonly to?: RouteLocationRaw | undefined;
  /** The suggested action; the outcome is dismissed with it. */
  readonly action?: OutcomeAction | undefined;
}

export interface OutcomeAction {
  readonly label: string;
  readonly run: () => void;
}

/** How long a success is shown, in ms; all other outcomes stay. */
const successDurationMs = 8000;
/** The maximum number of outcomes, so that they can be dismissed one by one. */
const maxOutcomes = 20;

export const useOutcomes = definePageState(() => {
  const list = ref<readonly Outcome[]>([]);
  let lastId = 0;
  const dismissTimers = new Set<ReturnType<typeof setTimeout>>();
  let isDisposed = false;
  onScopeDispose(() => {
    isDisposed = true;
    dismissTimers.forEach((timer) => clearTimeout(timer));
  });

  function dismiss(id: number): void {
    list.value = list.value.filter((outcome) => outcome.id !== id);
  }

  /** Reports that a command was sent; returns a function that reports its outcome. */
  function begin(commandText: string, to?: RouteLocationRaw, action?: OutcomeAction) {
    lastId += 1;
    const id = lastId;
    const newOutcome: Outcome = { id, commandText, state: 'running', text: '', sentAt: currentTime(), to, action };
    list.value = [newOutcome, ...list.value].slice(0, maxOutcomes);
    return (state: Exclude<OutcomeState, 'running'>, text: string, target: RouteLocationRaw | undefined = to): void => {
      list.value = list.value.map((outcome) => (outcome.id === id ? { ...outcome, state, text, to: target } : outcome));
      if (isDisposed || (state !== 'done' && state !== 'queued')) return;
      const timer = setTimeout(() => {
        dismissTimers.delete(timer);
        dismiss(id);
      }, successDurationMs);
      dismissTimers.add(timer);
    };
  }

  return { list, begin, dismiss };
});
