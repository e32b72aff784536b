/** How an experiment stands, how long it took, and what may sensibly be done with it. Pure. */
import type { Experiment } from '../../../api/managers/experiment.ts';
import type { ExperimentState } from '../../../api/states.ts';

const states: Readonly<Record<string, ExperimentState>> = {
  in_progress: 'inProgress',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

export function experimentState({ status }: Pick<Experiment, 'status'>): ExperimentState {
  return states[status] ?? 'unknown';
}

export const isOpen = (state: ExperimentState): boolean => state === 'inProgress' || state === 'paused';

/** In the order of the buttons. */
export const experimentChanges = ['pause', 'continue', 'end', 'fail', 'cancel'] as const;
export type ExperimentChange = (typeof experimentChanges)[number];

/**
 * The changes that make sense: the manager itself takes every one from every state, and would set an end twice, or go on
 * with one whose end it keeps.
 */
export function changesOf(state: ExperimentState): readonly ExperimentChange[] {
  switch (state) {
    case 'inProgress':
      return ['pause', 'end', 'fail', 'cancel'];
    case 'paused':
      return ['continue', 'end', 'fail', 'cancel'];
    case 'unknown':
      return ['end', 'fail', 'cancel'];
    case 'completed':
    case 'failed':
    case 'cancelled':
      return [];
  }
}

export interface ExperimentDuration {
  readonly ms: number;
  /** The manager keeps no end of it: worked out from the last thing that is known of it. */
  readonly about: boolean;
}

/**
 * Only `end` writes an end, and `continue` leaves an old one: while it is open it lasts until now.
 * @param last the last thing that is known of it, in ms since the epoch
 */
export function durationOf(
  state: ExperimentState,
  times: { readonly started: number | null; readonly ended: number | null; readonly last: number | null },
  now: number,
): ExperimentDuration | null {
  const { started, ended, last } = times;
  if (started === null) return null;
  if (isOpen(state)) return { ms: Math.max(0, now - started), about: false };
  if (state === 'completed' && ended !== null && ended >= started) return { ms: ended - started, about: false };
  return last !== null && last >= started ? { ms: last - started, about: true } : null;
}

/** The run's name, which has that of its design in it more often than not. */
export function experimentName({
  run_name: run,
  experiment_design: design,
}: Pick<Experiment, 'run_name' | 'experiment_design'>): string {
  return run || design?.experiment_name || '';
}

/** An experiment's identifier. */
export function experimentId({ _id: id }: Pick<Experiment, '_id'>): string {
  return id;
}
