/** Simulates the lab's activity: workflows at random intervals, one experiment after another, with rare failures. */
import type { JsonObject, OwnershipInfo } from '../../api/client/wire.ts';
import { Campaign } from './campaign.ts';
import type { Cancel, DemoClock } from '../base/clock.ts';
import type { ExperimentStore } from '../experiment/store.ts';
import type { DemoNode } from '../nodes/node.ts';
import { transferProtocol, protocols, failingProtocol } from './protocols.ts';
import type { Random } from '../base/random.ts';
import { readDefinition } from '../workcell/definition.ts';
import { isTerminal, type Definition, type Run } from '../workcell/run.ts';
import { StartError, submit } from '../workcell/start.ts';
import type { WorkcellState } from '../workcell/state.ts';

interface SimulationParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly workcell: WorkcellState;
  readonly nodes: readonly DemoNode[];
  readonly experiments: ExperimentStore;
  /** The initial owner of workflows: the experiment that is already running. */
  readonly ownership: OwnershipInfo;
}

/** The interval between two workflows, in milliseconds. */
const submitIntervalMs = { low: 25_000, high: 70_000 };
/** The time after which the simulation resets a broken node. */
const faultDurationMs = 180_000;
/** The maximum number of active workflows, so that they don't accumulate while nodes are locked. */
const maxActive = 4;

export class LabSimulation {
  readonly #parts: SimulationParts;
  readonly #definitions: readonly Definition[];
  readonly #failingDefinition: Definition;
  readonly #transferDefinition: Definition;
  readonly #campaign: Campaign;
  /** The last workflows that break a node. There can be several, because one may wait for a node that another broke. */
  #failingRuns: readonly Run[] = [];
  #cancel: Cancel | null = null;

  constructor(parts: SimulationParts) {
    this.#parts = parts;
    this.#definitions = protocols.map((protocol) => this.#storeDefinition(protocol));
    this.#failingDefinition = this.#storeDefinition(failingProtocol);
    this.#transferDefinition = this.#storeDefinition(transferProtocol);
    this.#campaign = new Campaign(parts);
  }

  get isRunning(): boolean {
    return this.#cancel !== null;
  }

  start(): void {
    this.#cancel ??= this.#parts.clock.after(3000, () => this.#scheduleNext());
  }

  /** Stops submitting; submitted workflows continue. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #storeDefinition(protocol: JsonObject): Definition {
    const { workcell, random } = this.#parts;
    const definition = readDefinition(protocol, () => random.ulid());
    workcell.definitions.set(definition.workflow_definition_id, definition);
    return definition;
  }

  #scheduleNext(): void {
    const { clock, random, workcell } = this.#parts;
    const activeRuns = [...workcell.active.values()].filter((run) => !isTerminal(run));
    this.#campaign.advance(activeRuns.some((run) => this.#campaign.owns(run.ownership)));
    if (activeRuns.length < maxActive) this.#submit();
    this.#repair();
    this.#cancel = clock.after(random.between(submitIntervalMs.low, submitIntervalMs.high), () => this.#scheduleNext());
  }

  #submit(): void {
    const { random } = this.#parts;
    if (this.#campaign.ownership === null) return;
    if (random.chance(0.04)) {
      const run = this.#start(this.#failingDefinition, {});
      if (run !== null) this.#failingRuns = [...this.#failingRuns, run].slice(-maxActive);
    } else if (random.chance(0.25)) this.#transferPlate();
    else this.#start(random.pick(this.#definitions), {});
  }

  /** Moves a plate between two places that the arm reaches, from an occupied one to an empty one. */
  #transferPlate(): void {
    const { random, workcell } = this.#parts;
    const { lab } = workcell.parts;
    const listChildren = (id: string | null) =>
      Object.keys((id === null ? undefined : lab.resource(id)?.['children']) ?? {});
    const locations = lab
      .locations()
      .filter((location) => Object.hasOwn(location.representations, 'robotarm_1') && location.resourceId !== null);
    const occupied = locations.filter((place) => listChildren(place.resourceId).length > 0);
    const empty = locations.filter((place) => listChildren(place.resourceId).length === 0);
    if (occupied.length === 0 || empty.length === 0) this.#start(random.pick(this.#definitions), {});
    else this.#start(this.#transferDefinition, { from: random.pick(occupied).name, to: random.pick(empty).name });
  }

  #start(definition: Definition, values: JsonObject): Run | null {
    const { ownership } = this.#campaign;
    if (ownership === null) return null;
    try {
      return submit(this.#parts.workcell, definition, { values, filePaths: {}, files: [], ownership });
    } catch (error) {
      // A user removed a node or a location: the next submission tries another protocol.
      if (!(error instanceof StartError)) throw error;
      return null;
    }
  }

  /** Resets nodes that the simulation broke; faults caused or requested by a user stay until they are cleared. */
  #repair(): void {
    const { clock, nodes } = this.#parts;
    const actions = new Set(this.#failingRuns.flatMap((run) => run.steps.map((step) => step.result?.action_id)));
    for (const node of nodes) {
      const { breakdown } = node;
      if (breakdown === null || breakdown.actionId === null || !actions.has(breakdown.actionId)) continue;
      if (node.reachable && clock.now() - breakdown.since >= faultDurationMs) node.command('reset');
    }
  }
}
