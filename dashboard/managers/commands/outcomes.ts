/** What came of what a person asked for: kept until it was read, in the server's own words. */
import { currentTime } from '../../base/clock.ts';
import { defineStore } from 'pinia';
import { ref } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import type { OutcomeState } from '../../../api/states.ts';

export interface Outcome {
  readonly id: number;
  /** What was asked for: `Pause “Growth assay”`. */
  readonly what: string;
  readonly state: OutcomeState;
  /** What came of it, in a sentence; empty while nobody knows. */
  readonly text: string;
  /** When it was asked for, ms since the epoch. */
  readonly at: number;
  /** The page of what it is about. */
  readonly to?: RouteLocationRaw | undefined;
}

/** What went well needs no reading and goes by itself, in ms; everything else stays. */
const shownFor = 8000;
/** So that nobody has to dismiss a hundred. */
const limit = 20;

export const useOutcomes = defineStore('outcomes', () => {
  const list = ref<readonly Outcome[]>([]);
  let last = 0;

  function dismiss(id: number): void {
    list.value = list.value.filter((outcome) => outcome.id !== id);
  }

  /** Says that something was sent; the answer is a function that says what came of it. */
  function begin(what: string, to?: RouteLocationRaw) {
    last += 1;
    const id = last;
    list.value = [{ id, what, state: 'running' as const, text: '', at: currentTime(), to }, ...list.value].slice(
      0,
      limit,
    );
    return (state: Exclude<OutcomeState, 'running'>, text: string, where: RouteLocationRaw | undefined = to): void => {
      list.value = list.value.map((outcome) => (outcome.id === id ? { ...outcome, state, text, to: where } : outcome));
      if (state === 'done' || state === 'queued') setTimeout(() => dismiss(id), shownFor);
    };
  }

  return { list, begin, dismiss };
});
