/**
 * The state of the lab's safety stop: what the service has sent, what the event log and the flags of the nodes show in
 * addition, its file, and its records in the event log.
 */
import { effect } from '@preact/signals-core';
import { stringifyExactJson } from '../../api/exactJson.ts';
import type { CommandApplication, StoppedNode } from '../../api/commandRecord.ts';
import type { AttemptedNode } from '../../api/lab/safetyStopApi.ts';
import {
  flagDelayMs,
  isUndone,
  mergeStops,
  sortStoppedNodes,
  withConcurrentEffects,
  withNode,
  withReports,
  type LabStop,
  type PausedWorkflow,
} from '../../api/safetyStop/labStop.ts';
import { resultRecord, type StopRecord } from '../../api/safetyStop/stopRecord.ts';
import { flagsBefore, planReleases, type Release } from '../../api/safetyStop/stopReport.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { NodeFlag } from '../../api/states.ts';
import { clock, type Timer } from '../../api/time/clock.ts';
import { mergeKnownNodes, type KnownNodes } from '../lab/knownNodes.ts';
import type { SafetyStopWatch } from '../readers/safetyStopWatch.ts';
import type { WorkcellReader } from '../readers/workcellReader.ts';
import type { CommandSender } from '../commandLog/commandLog.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { StopsState } from '../lab/labStatus.ts';
import type { Log } from '../logging/log.ts';
import { noStopState, StopFile, type StopState } from './stopFile.ts';

export interface StopSender extends CommandSender {
  readonly application: CommandApplication;
}

/** The stops in the event log. */
export type StopLog = Pick<
  SafetyStopWatch,
  'readWithin' | 'stopInEffect' | 'undoneStop' | 'isAcknowledged' | 'releasedAt'
>;

export interface StopStoreOptions {
  readonly lab: LabModel;
  readonly stopLog: StopLog;
  /** Adds a record to the event log. @returns the ID of its event; empty if records are not stored */
  readonly record: (record: StopRecord, sender: StopSender) => string;
  /** Receives each state that was read from a node itself. */
  readonly workcell: Pick<WorkcellReader, 'applyState'>;
  readonly log: Log;
}

/** The minimum interval of the records of results, in ms. */
const recordIntervalMs = 1000;
/** A state of a node is newer than a stop if it was read this much later: the workcell manager reads it every 2 s. */
const readDelayMs = 2500;

/** The maximum number of IDs of stops that ended: each reading of the event log compares them. */
const maxEnded = 100;

export class StopStore {
  readonly options: StopStoreOptions;
  readonly lab: LabModel;
  readonly stopLog: StopLog;
  readonly #dispose: () => void;
  /** The sender of the last press. */
  sender: StopSender = { machine: '', user: null, application: 'relay' };
  /** The number of further results of this stop that are recorded. */
  recordsLeft = Number.POSITIVE_INFINITY;
  #file: StopFile | null = null;
  #state: StopState = noStopState;
  /** The stop before the last one, in effect or not; `null` without one. */
  #previous: LabStop | null = null;
  /** What the service is doing; `null` after its end. */
  #phase: 'sending' | 'releasing' | null = null;
  #isStopped = false;
  #isBatch = false;
  #endedAt = 0;
  #recordTimer: Timer | null = null;
  #lastRecord = '';
  /** When each node responded last to the service's own commands, in ms since the epoch. */
  readonly outcomeAt = new Map<string, number>();
  /** The nodes' own states, with the time of the reading, in ms since the epoch. */
  readonly #readings = new Map<string, { readonly at: number; readonly now: NonNullable<StoppedNode['now']> }>();
  /** The nodes whose own state has shown the effects of the stop. */
  readonly #seenStopped = new Set<string>();

  constructor(options: StopStoreOptions) {
    this.options = options;
    this.lab = options.lab;
    this.stopLog = options.stopLog;
    this.#dispose = effect(() => {
      // The age of the readings changes the stop too.
      void this.lab.tick.value;
      this.lab.stops.value = this.shown;
    });
  }

  /** @param onLoaded called with the stop of the previous run of the service, if there is one in effect */
  async load(path: string, onLoaded: (stop: LabStop) => void): Promise<void> {
    this.#file = new StopFile(path, this.options.log);
    await this.#file.load((loaded) => {
      const { stop, nodes, ended } = this.#state;
      // A late reading does not replace a stop that was sent meanwhile.
      const current = stop === null ? loaded : this.#state;
      this.#state = { ...current, ended: loaded.ended, nodes: nodes ?? loaded.nodes };
      this.#addEnded(ended);
      this.lab.stopNodes.value = this.#state.nodes;
      if (stop === null && loaded.stop !== null && loaded.isInEffect) onLoaded(loaded.stop);
    });
  }

  /** Records the last results. The file keeps whether the stop was being sent, so that the next run continues it. */
  stop(): void {
    clock.clearTimeout(this.#recordTimer);
    this.recordResult();
    this.#isStopped = true;
    this.#dispose();
  }

  /** Resolves when the state is in the file, if there is one and it can be written. */
  get settled(): Promise<void> {
    return this.#file?.settled ?? Promise.resolve();
  }

  /** The nodes of the current workcell manager. */
  get nodes(): KnownNodes | null {
    return this.lab.knownNodes;
  }

  /** The node's own address; `null` without one. */
  getNodeUrl(name: string): string | null {
    return this.nodes?.nodes.find((node) => node.name === name)?.url ?? null;
  }

  setNodes(nodes: KnownNodes): void {
    this.#state = { ...this.#state, nodes: mergeKnownNodes(this.nodes, nodes) };
    this.lab.stopNodes.value = this.#state.nodes;
    this.#file?.save(this.#state);
  }

  get isSending(): boolean {
    return this.#phase === 'sending';
  }

  /** The stop of this service, in effect or not; `null` if there was none. */
  get sentStop(): LabStop | null {
    return this.#state.stop;
  }

  get isSentInEffect(): boolean {
    return this.#state.isInEffect;
  }

  /** The stop in effect, acknowledged or not: of this service or, if it is newer, one that the event log or the flags show. */
  get inEffect(): LabStop | null {
    const { stop, isInEffect, ended } = this.#state;
    const sent = isInEffect ? stop : null;
    const logged = this.#withoutOutdatedFlags(this.stopLog.stopInEffect(new Set(ended)));
    if (sent === null || logged === null) return sent ?? logged;
    if (logged.id === sent.id) {
      const merged = withConcurrentEffects(sent, logged);
      return this.#phase === null ? withReports(merged, logged) : merged;
    }
    return logged.at !== null && sent.at !== null && logged.at > sent.at ? mergeStops(sent, logged) : sent;
  }

  get isAcknowledged(): boolean {
    const id = this.inEffect?.id ?? null;
    if (id !== null && this.stopLog.isAcknowledged(id)) return true;
    return this.#state.isAcknowledged && id === this.#state.stop?.id;
  }

  /** The commands that a release sends now. */
  get releases(): readonly Release[] {
    const stop = this.inEffect;
    return stop === null ? [] : planReleases(stop, this.lab.flags());
  }

  /** The stop in effect for all screens. */
  get shown(): StopsState {
    const stop = this.inEffect;
    const shown = stop && this.describe(stop);
    return this.isAcknowledged ? { current: null, acknowledged: shown } : { current: shown, acknowledged: null };
  }

  /** The stop as all screens show it, with what each node does now. */
  describe(stop: LabStop): LabStop {
    const readAt = this.lab.flags()?.at ?? 0;
    const states = new Map(this.lab.nodeSnapshot().nodes.map((node) => [node.name, node]));
    const nodes = stop.nodes.map((node) => {
      // A release changes the state once more.
      const changedAt = Date.parse(node.released_at ?? stop.at ?? '') || 0;
      const isNewer = readAt > changedAt + readDelayMs;
      const reading = this.#readings.get(node.name);
      const state = isNewer ? states.get(node.name) : undefined;
      const isReadingNewer = reading !== undefined && reading.at >= Math.max(changedAt, isNewer ? readAt : 0);
      const now = isReadingNewer ? reading.now : state && { state: state.state, flags: state.flags ?? [] };
      const { now: _earlier, ...rest } = node;
      return now === undefined ? rest : { ...rest, now };
    });
    return { ...stop, nodes: sortStoppedNodes(nodes) };
  }

  /** Makes this the stop in effect; an earlier one is superseded. */
  begin(stop: LabStop, isAcknowledged = false): void {
    const superseded = [this.#state.stop?.id, this.inEffect?.id].flatMap((id) => (id && id !== stop.id ? [id] : []));
    if (this.#state.stop?.at !== stop.at) this.#previous = this.#state.stop;
    this.#state = { ...this.#state, stop, isInEffect: true, isAcknowledged };
    this.#addEnded(superseded);
    this.recordsLeft = Number.POSITIVE_INFINITY;
    if (superseded.length > 0) this.#seenStopped.clear();
    this.#changed();
  }

  /** Ends the stop for good. */
  end(): void {
    const { stop } = this.#state;
    this.#endedAt = clock.now();
    if (stop?.id) this.#addEnded([stop.id]);
    this.#state = { ...this.#state, isInEffect: false, isAcknowledged: false };
    this.#changed();
  }

  #addEnded(ids: readonly string[]): void {
    const ended = [...new Set([...this.#state.ended, ...ids])].slice(-maxEnded);
    this.#state = { ...this.#state, ended };
  }

  /** The flags of a node from before the stop, as a sender or the last reading shows them, without effects of the previous stop. */
  flagsBefore(name: string, flags: readonly string[]): string[] {
    const previous = this.#previous?.nodes.find((node) => node.name === name);
    return flagsBefore(flags, previous, clock.now());
  }

  /** Adds the locks and pauses that a node showed before the commands of the stop, which its release does not undo. */
  addStateBefore(name: string, state: NonNullable<StoppedNode['now']>): void {
    const { locked, paused } = toFlags(name, state).flags;
    const set = [...(locked ? ['lock'] : []), ...(paused ? ['pause'] : [])];
    this.updateNode(name, (node) => ({
      ...node,
      // A page that has sent commands of its own reports them.
      before: [...new Set([...node.before, ...set.filter((command) => !node.attempted?.includes(command))])],
    }));
  }

  /** Adds what another sender has sent to the nodes, and the locks and pauses from before the stop that it has read. */
  addAttempts(nodes: readonly AttemptedNode[]): void {
    this.batch(() => {
      for (const { name, attempted, before } of nodes) {
        // The service sends the safety stop as well, and knows its result.
        const added = attempted.filter((command) => command !== 'safety_stop');
        this.updateNode(name, (node) => ({
          ...node,
          attempted: [...new Set([...(node.attempted ?? []), ...added])],
          // The last reading is older than that of the sender, and can show the effects of these commands.
          before: [
            ...new Set([
              ...node.before.filter((flag) => added.every((command) => command !== flag)),
              ...this.flagsBefore(name, before),
            ]),
          ],
        }));
      }
    });
  }

  /** Ends stops that are over by the event log or by the flags of their nodes. Call this after each reading. */
  observe(): void {
    if (this.#phase === 'releasing') return;
    const undone = this.stopLog.undoneStop;
    if (undone !== null && !this.#state.ended.includes(undone)) {
      this.#addEnded([undone]);
      this.#changed();
    }
    const { stop, isInEffect } = this.#state;
    if (stop === null || !isInEffect || this.#phase !== null) return;
    // Only a release resumes its workflows.
    if (stop.workflows?.some(({ resumed }) => resumed !== true) === true) return;
    const flags = this.lab.flags();
    const hasBeenUndone =
      stop.at === null
        ? flags !== null &&
          !flags.nodes.some((node) => node.stopped && stop.nodes.some(({ name }) => name === node.name))
        : isUndone(stop.nodes, Date.parse(stop.at), flags) || this.#isUndoneAtNodes(stop);
    if (hasBeenUndone || (stop.id !== null && this.stopLog.releasedAt(stop.id) !== null)) this.end();
  }

  /** Publishes the changes of `work` together. */
  batch(work: () => void): void {
    this.#isBatch = true;
    try {
      work();
    } finally {
      this.#isBatch = false;
      this.#changed();
    }
  }

  setPhase(phase: 'sending' | 'releasing' | null): void {
    this.#phase = phase;
    this.#changed();
  }

  patch(fields: Partial<LabStop>): void {
    const { stop } = this.#state;
    if (stop === null) return;
    this.#state = { ...this.#state, stop: { ...stop, ...fields } };
    this.#changed();
  }

  addNode(node: StoppedNode): void {
    const { stop } = this.#state;
    if (stop !== null) this.#state = { ...this.#state, stop: withNode(stop, node) };
    this.#changed();
  }

  updateNode(name: string, update: (node: StoppedNode) => StoppedNode): void {
    const node = this.#state.stop?.nodes.find((candidate) => candidate.name === name);
    if (node !== undefined) this.addNode(update(node));
  }

  setWorkflow(workflow: PausedWorkflow): void {
    const others = (this.#state.stop?.workflows ?? []).filter(({ id }) => id !== workflow.id);
    this.patch({ workflows: [...others, workflow] });
  }

  setReading(name: string, now: NonNullable<StoppedNode['now']>): void {
    const isChanged = !sameJson(now, this.#readings.get(name)?.now);
    this.#readings.set(name, { at: clock.now(), now });
    if (toFlags(name, now).isStopped) this.#seenStopped.add(name);
    this.options.workcell.applyState(name, now);
    if (isChanged && !this.#isBatch) this.lab.stops.value = this.shown;
  }

  /** Whether the nodes themselves show that all effects of the stop were undone, after they have shown them. */
  #isUndoneAtNodes({ at, nodes }: LabStop): boolean {
    const readings = [...this.#readings].filter(([name]) => this.#seenStopped.has(name));
    const flags = readings.map(([name, { now }]) => toFlags(name, now).flags);
    return at !== null && isUndone(nodes, Date.parse(at), { at: clock.now(), nodes: flags }, 0);
  }

  /** Records the current results if they differ from the last record. */
  recordResult(): void {
    const { stop, isInEffect } = this.#state;
    if (stop?.id == null || !isInEffect) return;
    const text = stringifyExactJson([stop.id, stop.nodes]);
    if (text === this.#lastRecord || this.recordsLeft <= 0) return;
    this.recordsLeft -= 1;
    this.#lastRecord = text;
    this.options.record(resultRecord(stop, clock.now()), this.sender);
  }

  /** Until the nodes are read again after the end of a stop, their flags show it as another one. */
  #withoutOutdatedFlags(logged: LabStop | null): LabStop | null {
    if (logged === null || logged.id !== null || (this.lab.flags()?.at ?? 0) > this.#endedAt + flagDelayMs)
      return logged;
    const endedNames = new Set((this.#state.stop?.nodes ?? []).map(({ name }) => name));
    const nodes = logged.nodes.filter(({ name }) => !endedNames.has(name));
    return nodes.length === 0 ? null : { ...logged, nodes };
  }

  #changed(): void {
    const { stop } = this.#state;
    if (stop !== null) {
      const { sending: _sending, releasing: _releasing, ...rest } = stop;
      this.#state = { ...this.#state, stop: this.#phase === null ? rest : { ...rest, [this.#phase]: true } };
    }
    if (this.#isStopped || this.#isBatch) return;
    this.#file?.save(this.#state);
    this.lab.stops.value = this.shown;
    this.#recordTimer ??= clock.setTimeout(() => {
      this.#recordTimer = null;
      this.recordResult();
    }, recordIntervalMs);
  }
}

function toFlags(name: string, { state, flags }: NonNullable<StoppedNode['now']>) {
  const has = (flag: NodeFlag) => state === flag || flags.includes(flag);
  const [stopped, locked, paused] = [has('stopped'), has('locked'), has('paused')];
  return { isStopped: stopped || locked || paused, flags: { name, isKnown: true, stopped, locked, paused } };
}
