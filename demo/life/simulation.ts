/** Simulates the lab's activity: workflows at random intervals for one experiment after another, and rarely a failure. */
import type { JsonObject, OwnershipInfo } from '../../api/client/wire.ts';
import { Campaign } from './campaign.ts';
import type { Cancel, DemoClock } from '../base/clock.ts';
import type { ExperimentStore } from '../experiment/store.ts';
import type { DemoNode } from '../nodes/node.ts';
import { carry, protocols, unlucky } from './protocols.ts';
import type { Random } from '../base/random.ts';
import { readDefinition } from '../workcell/definition.ts';
import { isTerminal, type Definition, type Run } from '../workcell/run.ts';
import { StartError, submit } from '../workcell/start.ts';
import type { WorkcellState } from '../workcell/state.ts';

interface LifeParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly workcell: WorkcellState;
  readonly nodes: readonly DemoNode[];
  readonly experiments: ExperimentStore;
  /** The initial owner of workflows: the experiment that is already running. */
  readonly ownership: OwnershipInfo;
}

/** The interval between two workflows, in milliseconds. */
const pace = { low: 25_000, high: 70_000 };
/** A broken node stays broken for this time before the lab resets it. */
const brokenFor = 180_000;
/** The maximum number of active workflows, so that a lab with locked nodes doesn't fill up. */
const maxActive = 4;

export class Life {
  readonly #parts: LifeParts;
  readonly #definitions: readonly Definition[];
  readonly #unlucky: Definition;
  readonly #carry: Definition;
  readonly #campaign: Campaign;
  /** The last workflows meant to break a node; a second one may wait for a node that the first one broke. */
  #breaking: readonly Run[] = [];
  #cancel: Cancel | null = null;

  constructor(parts: LifeParts) {
    this.#parts = parts;
    this.#definitions = protocols.map((protocol) => this.#storeDefinition(protocol));
    this.#unlucky = this.#storeDefinition(unlucky);
    this.#carry = this.#storeDefinition(carry);
    this.#campaign = new Campaign(parts);
  }

  get living(): boolean {
    return this.#cancel !== null;
  }

  begin(): void {
    this.#cancel ??= this.#parts.clock.after(3000, () => this.#scheduleNext());
  }

  /** Stops submitting; submitted workflows continue. */
  end(): void {
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
    const open = [...workcell.active.values()].filter((run) => !isTerminal(run));
    this.#campaign.goOn(open.some((run) => this.#campaign.owns(run.ownership)));
    if (open.length < maxActive) this.#submit();
    this.#repair();
    this.#cancel = clock.after(random.between(pace.low, pace.high), () => this.#scheduleNext());
  }

  #submit(): void {
    const { random } = this.#parts;
    if (this.#campaign.ownership === null) return;
    if (random.chance(0.04)) {
      const run = this.#start(this.#unlucky, {});
      if (run !== null) this.#breaking = [...this.#breaking, run].slice(-maxActive);
    } else if (random.chance(0.25)) this.#carryPlate();
    else this.#start(random.pick(this.#definitions), {});
  }

  /** Moves a plate between two places that the arm reaches, from an occupied one to an empty one. */
  #carryPlate(): void {
    const { random, workcell } = this.#parts;
    const { adapters } = workcell.parts;
    const contains = (id: string | null) =>
      Object.keys((id === null ? undefined : adapters.resource(id)?.['children']) ?? {});
    const places = adapters
      .locations()
      .filter((place) => Object.hasOwn(place.representations, 'robotarm_1') && place.resourceId !== null);
    const full = places.filter((place) => contains(place.resourceId).length > 0);
    const empty = places.filter((place) => contains(place.resourceId).length === 0);
    if (full.length === 0 || empty.length === 0) this.#start(random.pick(this.#definitions), {});
    else this.#start(this.#carry, { from: random.pick(full).name, to: random.pick(empty).name });
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
    const actions = new Set(this.#breaking.flatMap((run) => run.steps.map((step) => step.result?.action_id)));
    for (const node of nodes) {
      const { broken } = node;
      if (broken === null || broken.actionId === null || !actions.has(broken.actionId)) continue;
      if (node.reachable && clock.now() - broken.since >= brokenFor) node.command('reset');
    }
  }
}
