/**
 * The safety stop of the lab as one operation of the service: it runs to its end whatever happens to the page, app or
 * command line that sent it.
 */
import { ulid } from 'ulid';
import type { StoppedNode } from '../../api/commandRecord.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import { acknowledgementRecord, pressRecord } from '../../api/safetyStop/stopRecord.ts';
import { applyOutcome, startNode, type Release } from '../../api/safetyStop/stopReport.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { clock } from '../../api/time/clock.ts';
import type { KnownNodes } from '../activity/knownNodes.ts';
import { StopExecution } from './stopExecution.ts';
import { StopRoutes } from './nodeRoutes.ts';
import { releaseStop } from './stopRelease.ts';
import { StopStore, type StopSender, type StopStoreOptions } from './stopStore.ts';
import { guardWorkflows } from './workflowGuard.ts';

/** The minimum time of sending, also if the service is stopped meanwhile, in ms. */
const lastingMs = 3000;
/** An interrupted stop is continued within this time after the press, and reported after it, in ms. */
const continueWithinMs = 30_000;
/** A press this long after the last one sends the running stop again: its nodes may have been reset since, in ms. */
const repeatAfterMs = 1000;

export class SafetyStops {
  readonly #store: StopStore;
  #execution: StopExecution | null = null;
  #run: Promise<void> = Promise.resolve();
  #pressedAt = 0;
  #guard = new AbortController();
  /** Ends when no guard has a pending request. */
  #guarding: Promise<unknown> = Promise.resolve();
  #release = new AbortController();
  #releasing: Promise<void> | null = null;

  constructor(options: StopStoreOptions) {
    this.#store = new StopStore(options);
  }

  /** @param path of the state file; `null` for a lab without stored state */
  async start(path: string | null): Promise<void> {
    if (path !== null) await this.#store.load(path, (stop) => this.#continue(stop));
  }

  /** Ends all sending, a few seconds after a press at the earliest: by then all commands are sent. The stop stays in effect. */
  async stop(): Promise<void> {
    const remainingMs = Math.max(0, this.#pressedAt + lastingMs - clock.now());
    await withTimeout(this.#run, remainingMs, () => undefined);
    this.#store.stop();
    for (const part of [this.#execution, this.#guard, this.#release]) part?.abort();
  }

  /** The names of the known nodes. */
  get nodeNames(): readonly string[] {
    return (this.#store.nodes?.nodes ?? []).map(({ name }) => name);
  }

  /** The stop that is neither released, undone nor acknowledged; `null` if there is none. */
  get current(): LabStop | null {
    const stop = this.#store.inEffect;
    return stop === null || this.#store.isAcknowledged ? null : this.#store.publish(stop);
  }

  /** The stop that is acknowledged but not released; `null` if there is none. */
  get acknowledged(): LabStop | null {
    const stop = this.#store.inEffect;
    return stop !== null && this.#store.isAcknowledged ? this.#store.publish(stop) : null;
  }

  /** The stop in effect or else the last one, for its report; `null` if there was none. */
  get last(): LabStop | null {
    const stop = this.#store.inEffect ?? this.#store.sentStop;
    return stop && this.#store.publish(stop);
  }

  /** The commands that a release sends now. */
  get releases(): readonly Release[] {
    return this.#store.releases;
  }

  /** Whether a press would only join the stop that is being sent. */
  get isSending(): boolean {
    return this.#store.isSending;
  }

  /** Receives the workcell manager's list of nodes. */
  setNodes(nodes: KnownNodes): void {
    this.#store.setNodes(nodes);
  }

  /** Resolves when the stop is stored, so that a restart continues it. Without storage, it resolves after a failure. */
  get stored(): Promise<void> {
    return this.#store.settled;
  }

  /** Call this after each reading of the nodes or of the event log. */
  observe(): void {
    this.#store.observe();
    if (!this.#store.isSentInEffect) this.#guard.abort();
  }

  /** Starts a stop, or joins the one that is being sent. All commands to the known nodes are sent before it returns. */
  press(sender: StopSender): void {
    // After an acknowledgement, the press must be visible and recorded again.
    if (this.#store.isSending && !this.#store.isAcknowledged) {
      if (clock.now() - this.#pressedAt >= repeatAfterMs) this.#execute(this.#store.sentStop);
      return;
    }
    const earlier = this.#store.inEffect;
    const at = new Date(clock.now()).toISOString();
    const { machine, user, application } = sender;
    const { nodes = [], workflows } = earlier ?? {};
    const sent = { machine, ...(user !== null && { user }), application };
    this.#release.abort();
    this.#store.sender = sender;
    const stop = { id: null, at, ...sent, nodes, ...(workflows && { workflows }) };
    this.#store.batch(() => {
      this.#store.begin(stop);
      this.#execute(earlier);
      const pressed = this.#store.sentStop ?? stop;
      this.#store.patch({ id: this.#store.options.record(pressRecord(pressed, clock.now()), sender) || ulid() });
    });
    this.#store.options.log.warn(`Safety stop of ${this.nodeNames.length} known nodes`, sent);
    // A pending command of the release may undo what was just confirmed.
    void this.#releasing?.then(() => {
      if (this.#store.sentStop?.at === at && this.#store.isSentInEffect) this.#execute(this.#store.sentStop);
    });
  }

  /** Releases the stop in effect, of any sender. Resolves when each node has responded, or the timeouts are over. */
  async release(sender: StopSender): Promise<void> {
    // A release that a press has superseded releases nothing more.
    if (this.#releasing !== null && this.#release.signal.aborted) await this.#releasing;
    const stop = this.#store.inEffect;
    if (stop === null) return;
    this.#releasing ??= this.#runRelease(stop, sender).finally(() => (this.#releasing = null));
    await this.#releasing;
  }

  /** Hides the stop on all screens without releasing it. */
  acknowledge(sender: StopSender): void {
    const stop = this.current;
    if (stop === null || stop.id === null) return;
    this.#store.begin(stop, true);
    this.#store.options.record(acknowledgementRecord(stop, clock.now()), sender);
  }

  async #runRelease(stop: LabStop, sender: StopSender): Promise<void> {
    this.#store.begin(stop, this.#store.isAcknowledged);
    this.#release = new AbortController();
    this.#execution?.abort();
    this.#guard.abort();
    this.#store.setPhase('releasing');
    const settled = async (name: string) => (await this.#execution?.settled(name)) ?? true;
    const { signal } = this.#release;
    try {
      await releaseStop({ store: this.#store, sender, signal, settled, guarding: this.#guarding });
    } finally {
      if (!signal.aborted) this.#store.setPhase(null);
    }
  }

  #execute(earlier: LabStop | null): void {
    this.#execution?.abort();
    const execution = this.#createExecution(earlier);
    this.#execution = execution;
    this.#store.setPhase('sending');
    this.#pressedAt = clock.now();
    this.#run = execution.run();
    this.#guardWorkflows();
    void this.#run.then(() => {
      if (this.#execution !== execution || !this.#store.isSending) return;
      this.#store.setPhase(null);
      this.#store.recordResult();
    });
  }

  /** @param earlier the stop that was in effect before */
  #createExecution(earlier: LabStop | null): StopExecution {
    const workcell = this.#store.options.workcell();
    const store = this.#store;
    const execution: StopExecution = new StopExecution({
      workcell,
      nodes: store.nodes,
      earlier: store.isSending || this.#releasing !== null ? this.#execution : null,
      onTarget: (target) => {
        const released = earlier?.nodes.find(({ name }) => name === target.name);
        // While a release runs, the last reading can still show the effects that it has just undone.
        const node = released && earlier?.releasing === true ? withoutRelease(released) : released;
        // Flags alone show that a node is stopped, not its state before.
        const earlierNode = node && earlier?.at === null ? { ...node, before: [...target.before] } : node;
        store.addNode(startNode(target, workcell ?? '', earlierNode));
      },
      onOutcome: (name, outcome, attempts) =>
        store.updateNode(name, (node) => {
          const next = applyOutcome(node, outcome, attempts);
          if (this.#execution === execution) return next;
          // Of a late response to an earlier press, only the effects count.
          const { result, reason, direct = next.direct ?? false, attempts: made = attempts } = node;
          return { ...next, result, reason, direct, attempts: made };
        }),
      onReading: (name, now) => store.setReading(name, now),
      onNodes: (nodes) => store.setNodes(nodes),
    });
    return execution;
  }

  #guardWorkflows(): void {
    this.#guard.abort();
    this.#guard = new AbortController();
    const unreachedNodes = () =>
      new Set(
        (this.#store.sentStop?.nodes ?? [])
          // After a cancel alone, the next action starts; `did` also contains the effects of earlier presses.
          .filter(
            ({ did, result }) =>
              (result !== 'confirmed' && result !== 'held') || did.every((command) => command === 'cancel'),
          )
          .map(({ name }) => name),
      );
    const { workcell } = new StopRoutes(this.#store.options.workcell());
    const workflows = () => this.#store.sentStop?.workflows ?? [];
    const onPause = this.#store.setWorkflow.bind(this.#store);
    const guarding = guardWorkflows({ workcell, unreachedNodes, workflows, onPause }, this.#guard.signal);
    this.#guarding = Promise.all([this.#guarding, guarding]);
  }

  /** Continues a stop of the previous run of the service, or reports that it was interrupted. */
  #continue(stop: LabStop): void {
    const isInterrupted = stop.sending === true;
    const { machine, user = null } = stop;
    this.#store.sender = { ...this.#store.sender, machine: machine ?? '', user };
    if (isInterrupted && stop.at !== null && clock.now() - Date.parse(stop.at) < continueWithinMs)
      return this.#execute(stop);
    if (isInterrupted) this.#store.patch({ interrupted: true });
    if (stop.releasing === true) this.#store.patch({ released: true });
    else if (stop.released !== true) this.#guardWorkflows();
  }
}

const withoutRelease = ({ released_at: _releasedAt, ...node }: StoppedNode): StoppedNode => node;
