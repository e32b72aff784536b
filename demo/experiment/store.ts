/** The experiments. Every state may follow every other, because the real manager checks no transitions. */
import type { Experiment, ExperimentDesign, ExperimentStatus } from '../../api/managers/experiment.ts';
import { naiveText, newestFirst, type DemoClock } from '../base/clock.ts';
import { recordId, type LogEntry, type ManagerParts } from '../base/demoManager.ts';
import type { Random } from '../base/random.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';

interface NewExperiment {
  readonly design: ExperimentDesign;
  readonly ownership: OwnershipInfo;
  readonly runName?: string | null | undefined;
  readonly runDescription?: string | null | undefined;
}

interface StatusChange {
  readonly status: ExperimentStatus;
  readonly message: string;
  readonly eventType: string;
  readonly level: LogEntry['level'];
}

/** The status after each change, and the log line. */
const changes = {
  start: { status: 'in_progress', message: 'Experiment started', eventType: 'experiment_start', level: 'info' },
  end: { status: 'completed', message: 'Experiment completed', eventType: 'experiment_complete', level: 'info' },
  continue: {
    status: 'in_progress',
    message: 'Experiment continued',
    eventType: 'experiment_continued',
    level: 'info',
  },
  pause: { status: 'paused', message: 'Experiment paused', eventType: 'experiment_pause', level: 'info' },
  cancel: { status: 'cancelled', message: 'Experiment cancelled', eventType: 'experiment_cancelled', level: 'info' },
  fail: { status: 'failed', message: 'Experiment failed', eventType: 'experiment_failed', level: 'error' },
} as const satisfies Readonly<Record<string, StatusChange>>;

export type Change = keyof typeof changes;

export interface ExperimentParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly ownership: OwnershipInfo;
  readonly log: ManagerParts['log'];
}

export class ExperimentStore {
  readonly #parts: ExperimentParts;
  readonly #experiments = new Map<string, Experiment>();

  constructor(parts: ExperimentParts) {
    this.#parts = parts;
  }

  get total(): number {
    return this.#experiments.size;
  }

  get(id: string): Experiment | undefined {
    return this.#experiments.get(id);
  }

  /** Returns the most recently started experiments first; 0 means all. */
  list(number: number): Experiment[] {
    return newestFirst([...this.#experiments.values()], ({ started_at: at }) => at ?? '', number);
  }

  /** Starts an experiment with the current time. */
  start(design: NewExperiment): Experiment {
    const { clock } = this.#parts;
    const experiment = this.#create(design, clock.now());
    this.#log(experiment, changes.start);
    return experiment;
  }

  /** Adds an experiment of an earlier day with its final status and its log lines. */
  addPast(design: NewExperiment, status: ExperimentStatus, from: number, to: number | null): Experiment {
    const started = this.#create(design, from);
    const experiment = { ...started, status, ended_at: to === null ? null : naiveText(to) };
    this.#experiments.set(recordId(experiment), experiment);
    this.#log(experiment, changes.start, from);
    const finalChange = Object.values(changes).find((change) => change.status === status);
    if (to !== null && finalChange !== undefined) this.#log(experiment, finalChange, to);
    return experiment;
  }

  /**
   * Changes an experiment; returns undefined for an unknown ID. Only `end` sets `ended_at`; `continue` keeps an old
   * one.
   */
  change(id: string, change: Change): Experiment | undefined {
    const current = this.#experiments.get(id);
    if (current === undefined) return undefined;
    const { status } = changes[change];
    const endedAt = change === 'end' ? this.#parts.clock.naive() : current.ended_at;
    const experiment = { ...current, status, ended_at: endedAt };
    this.#experiments.set(id, experiment);
    this.#log(experiment, changes[change]);
    return experiment;
  }

  #create(design: NewExperiment, at: number): Experiment {
    const experiment: Experiment = {
      _id: this.#parts.random.ulid(at),
      status: 'in_progress',
      experiment_design: design.design,
      ownership_info: design.ownership,
      run_name: design.runName ?? null,
      run_description: design.runDescription ?? null,
      started_at: naiveText(at),
      ended_at: null,
    };
    this.#experiments.set(recordId(experiment), experiment);
    return experiment;
  }

  #log(experiment: Experiment, { level, message, eventType }: StatusChange, at?: number): void {
    this.#parts.log({
      level,
      component: 'ExperimentManager',
      message,
      eventType,
      source: this.#parts.ownership,
      data: { experiment_id: recordId(experiment), run_name: experiment.run_name },
      ...(at === undefined ? {} : { at }),
    });
  }
}
