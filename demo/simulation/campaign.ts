/** The demo lab's campaign: one experiment after another with alternating designs, and a break between them. */
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { recordId } from '../base/demoManager.ts';
import type { DemoClock } from '../base/clock.ts';
import type { ExperimentStore } from '../experiment/store.ts';
import { campaignName, designs } from './protocols.ts';
import type { Random } from '../base/random.ts';

const minute = 60_000;
/** The time in which an experiment submits workflows, in milliseconds. */
const experimentMs = { low: 20 * minute, high: 40 * minute };
/** The initial experiment has run for hours already; it ends soon enough to be observed. */
const firstRemainingMs = { low: 8 * minute, high: 14 * minute };
const breakMs = { low: 2 * minute, high: 4 * minute };
/** After this time, unfinished workflows don't delay the end of the experiment. */
const maxOverrunMs = 10 * minute;

interface CampaignParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly experiments: ExperimentStore;
  /** The owner of the running experiment's workflows; empty in a lab without a past. */
  readonly ownership: OwnershipInfo;
}

interface RunningExperiment {
  readonly id: string;
  /** The time after which no workflow is submitted for it. */
  readonly until: number;
}

export class Campaign {
  readonly #parts: CampaignParts;
  readonly #owner: OwnershipInfo;
  #running: RunningExperiment | null = null;
  /** The start time of the next experiment, while none runs. */
  #next: number;
  #startedCount = 0;

  constructor(parts: CampaignParts) {
    const { clock, random, ownership } = parts;
    const { experiment_id: first, ...owner } = ownership;
    this.#parts = parts;
    this.#owner = 'campaign_id' in owner ? owner : { campaign_id: random.ulid(), user_id: random.ulid() };
    this.#next = clock.now();
    if (typeof first !== 'string') return;
    this.#running = { id: first, until: clock.now() + random.between(firstRemainingMs.low, firstRemainingMs.high) };
    this.#startedCount = designs.length;
  }

  /** The owner of a workflow submitted now; null while none should be submitted. */
  get ownership(): OwnershipInfo | null {
    const { clock, experiments } = this.#parts;
    const running = this.#running;
    if (running === null || clock.now() >= running.until) return null;
    // Don't submit to an experiment that a user has paused or ended.
    if (experiments.get(running.id)?.status !== 'in_progress') return null;
    return { ...this.#owner, experiment_id: running.id };
  }

  /** Returns whether the workflow was submitted for the running experiment. */
  owns(ownership: OwnershipInfo): boolean {
    return this.#running !== null && ownership['experiment_id'] === this.#running.id;
  }

  /** Ends the running experiment when its time is over, and starts the next one after the break. */
  advance(hasOpenWorkflows: boolean): void {
    const { clock, random, experiments } = this.#parts;
    const running = this.#running;
    if (running === null) {
      if (clock.now() >= this.#next) this.#start();
      return;
    }
    const { status } = experiments.get(running.id) ?? { status: 'unknown' };
    if (status === 'paused') return;
    if (status === 'in_progress') {
      const overrunMs = clock.now() - running.until;
      if (overrunMs < 0 || (hasOpenWorkflows && overrunMs < maxOverrunMs)) return;
      experiments.change(running.id, 'end');
    }
    this.#running = null;
    this.#next = clock.now() + random.between(breakMs.low, breakMs.high);
  }

  #start(): void {
    const { clock, random, experiments } = this.#parts;
    const design = designs[this.#startedCount % designs.length] ?? designs[0];
    const run = Math.floor(this.#startedCount / designs.length) + 1;
    this.#startedCount += 1;
    const started = experiments.start({
      design: { ...design, resource_conditions: [], ownership_info: this.#owner },
      ownership: this.#owner,
      runName: `${design.experiment_name} run ${run}`,
      runDescription: campaignName,
    });
    this.#running = { id: recordId(started), until: clock.now() + random.between(experimentMs.low, experimentMs.high) };
  }
}
