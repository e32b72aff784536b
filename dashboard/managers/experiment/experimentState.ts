/** The state of an experiment, its duration, and the changes it supports. */
import type { Experiment } from '#api/managers/experiment.ts';
import type { ExperimentState } from '#api/states.ts';

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
 * Returns the changes that a state permits. The manager itself accepts every change in every state: it would set an end
 * twice, or continue an experiment that keeps its end.
 */
export function possibleChanges(state: ExperimentState): readonly ExperimentChange[] {
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
  /** Whether the duration is estimated from the last known time, because the manager stores no end. */
  readonly isEstimated: boolean;
}

/**
 * Only `end` stores an end, and `continue` keeps an old one, so an open experiment lasts until now.
 * @param last the last known time of the experiment, in ms since the epoch
 */
export function experimentDuration(
  state: ExperimentState,
  knownTimes: { readonly started: number | null; readonly ended: number | null; readonly last: number | null },
  now: number,
): ExperimentDuration | null {
  const { started, ended, last } = knownTimes;
  if (started === null) return null;
  if (isOpen(state)) return { ms: Math.max(0, now - started), isEstimated: false };
  if (state === 'completed' && ended !== null && ended >= started) return { ms: ended - started, isEstimated: false };
  return last !== null && last >= started ? { ms: last - started, isEstimated: true } : null;
}

/**
 * Returns the names of the design and the run: `Yeast growth screen · run 3`. The run's name usually begins with that of
 * its design, which is not repeated.
 */
export function experimentName({
  run_name: run,
  experiment_design: design,
}: Pick<Experiment, 'run_name' | 'experiment_design'>): string {
  const designName = design?.experiment_name ?? '';
  const remainder = run?.startsWith(designName) === true ? run.slice(designName.length) : null;
  const isRepeated = remainder !== null && /^(?:[\s·:,_-]|$)/.test(remainder);
  return [designName, isRepeated ? remainder.replace(/^[\s·:,_-]+/, '') : run].filter(Boolean).join(' · ');
}

export function experimentId({ _id: id }: Pick<Experiment, '_id'>): string {
  return id;
}
