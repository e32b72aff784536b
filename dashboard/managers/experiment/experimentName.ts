/** What an experiment is called, and known by. Pure. */
import type { Experiment } from '../../../api/managers/experiment.ts';

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
