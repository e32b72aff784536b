/**
 * The safety stop of the lab as one operation of the service: it runs to its end whatever happens to the page, app or
 * command line that sent it.
 */
import { ulid } from 'ulid';
import { commandApplication } from '../../api/commandRecord.ts';
import { withReleases, type LabStop } from '../../api/safetyStop/labStop.ts';
import { acknowledgementRecord, pressRecord } from '../../api/safetyStop/stopRecord.ts';
import type { AttemptedNode } from '../../api/lab/safetyStopApi.ts';
import type { Release } from '../../api/safetyStop/stopReport.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { clock } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import type { KnownNodes } from '../lab/knownNodes.ts';
import { readStoppedNodes, StopExecution } from './stopExecution.ts';
import { routeTimeoutMs } from '../../api/safetyStop/safetyStop.ts';
import { StopRoutes } from './nodeRoutes.ts';
import { addUnreported, listOpen, namesOf, openNames, releaseStop } from './stopRelease.ts';
import { StopStore, type StopSender, type StopStoreOptions } from './stopStore.ts';
import { guardWorkflows } from './workflowGuard.ts';

/** The minimum time of sending, also if the service is stopped meanwhile, in ms. */
const lastingMs = 3000;
/** An interrupted stop is continued within this time after the press, and reported after it, in ms. */
const continueWithinMs = 30_000;
/** The maximum time to read from the event log whether it was released meanwhile, before it is continued, in ms. */
const readLogMs = 500;
/** A press this long after the last one sends the running stop again: its nodes may have been reset since, in ms. */
const repeatAfterMs = 1000;
/** The same for senders without a right of their own, of whom there may be any number. */
const anonymousRepeatAfterMs = 5000;
/** The interval of the readings of the nodes while a stop is in effect, in ms. */
const watchIntervalMs = 3000;
/** The interval at which a release is repeated at nodes that execute commands of another sender after it, in ms. */
const lateIntervalMs = 1000;
/** The maximum number of results that are recorded after such a sender has sent the running stop again. */
const maxAnonymousRecords = 20;

export class SafetyStops {
  readonly #store: StopStore;
  #execution: StopExecution | null = null;
  #run: Promise<void> = Promise.resolve();
  #pressedAt = 0;
  #lastPressAt = 0;
  /** The stop whose release by another program the service has followed. */
  #followedId: string | null = null;
  #hasReadLog = false;
  /** The nodes that may have executed commands of the previous run of the service, which received no answer. */
  #openAtStart: ReadonlySet<string> = new Set();
  #guard = new AbortController();
  /** Ends when no guard has a pending request. */
  #guarding: Promise<unknown> = Promise.resolve();
  #release = new AbortController();
  #watching = new AbortController();
  readonly #lifetime = new AbortController();
  #releasing: Promise<void> | null = null;
  #subscriptions: readonly (() => void)[] = [];

  constructor(options: StopStoreOptions) {
    this.#store = new StopStore(options);
  }

  /** @param path of the state file; `null` for a lab without stored state */
  async start(path: string | null): Promise<void> {
    this.#subscriptions = [
      this.#store.lab.nodesResponse.subscribe((response) => {
        if (response?.known) this.setNodes(response.known);
        this.observe();
      }),
      this.#store.lab.stopLog.subscribe(() => this.observe()),
    ];
    if (path !== null) await this.#store.load(path, (stop) => void this.#continue(stop));
  }

  /** Ends all sending, a few seconds after a press at the earliest: by then all commands are sent. The stop stays in effect. */
  async stop(): Promise<void> {
    const remainingMs = Math.max(0, this.#pressedAt + lastingMs - clock.now());
    await withTimeout(this.#run, remainingMs, () => undefined);
    this.#store.stop();
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    for (const part of [this.#execution, this.#guard, this.#release, this.#watching, this.#lifetime]) part?.abort();
  }

  /** The stop that is neither released, undone nor acknowledged; `null` if there is none. */
  get current(): LabStop | null {
    return this.#store.shown.current;
  }

  /** The stop in effect or else the last one, for its report; `null` if there was none. */
  get last(): LabStop | null {
    const stop = this.#store.inEffect ?? this.#store.sentStop;
    return stop && this.#store.describe(stop);
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
    const { sentStop, isSentInEffect, stopLog } = this.#store;
    const releasedAt = sentStop?.id && isSentInEffect ? stopLog.releasedAt(sentStop.id) : null;
    if (sentStop !== null && releasedAt !== null) this.#followRelease(sentStop, releasedAt);
    this.#store.observe();
    if (!this.#store.isSentInEffect) this.#guard.abort();
    if (this.#hasReadLog || this.#store.inEffect?.id !== null) return;
    // The flags of the nodes alone show neither the sender of a stop nor its other nodes.
    this.#hasReadLog = true;
    void stopLog.readWithin(readLogMs).then(() => this.observe());
  }

  /**
   * Another program has released the stop: ends its sending, and releases what was sent to nodes since, and the workflows.
   * A stop that was pressed after the release remains in effect.
   * @param releasedAt ms since the epoch
   */
  #followRelease(stop: LabStop, releasedAt: number): void {
    const isPaused = stop.workflows?.some(({ resumed }) => resumed !== true) === true;
    if (this.#followedId === stop.id || this.#releasing !== null || !(this.#store.isSending || isPaused)) return;
    this.#followedId = stop.id;
    if (this.#lastPressAt > releasedAt) return this.#begin(this.#store.sender);
    const { inEffect, isAcknowledged } = this.#store;
    if (inEffect !== null && inEffect.id !== stop.id) {
      // Its sender stops the nodes; its release resumes the workflows.
      for (const part of [this.#execution, this.#guard]) part?.abort();
      this.#store.setPhase(null);
      return this.#store.begin(inEffect, isAcknowledged);
    }
    const released_at = new Date(releasedAt).toISOString();
    this.#store.batch(() => {
      for (const { name } of stop.nodes)
        if ((this.#store.outcomeAt.get(name) ?? 0) <= releasedAt)
          this.#store.updateNode(name, (node) => ({ released_at, ...node }));
    });
    void this.release(this.#store.sender);
  }

  /**
   * Starts a stop, or joins the one that is being sent. All commands to the known nodes are sent before it returns.
   * @param hasRight whether the sender may stop nodes by its place or role; otherwise it joins a stop that is in effect, so that
   *   strangers cause a bounded number of records, log lines and commands
   * @param nodes what the sender knows of them
   */
  press(sender: StopSender, hasRight = true, nodes: readonly AttemptedNode[] = []): void {
    const pressedStop = this.#press(sender, hasRight);
    // Of a stop that was being sent, the flags that the sender has read can be effects.
    this.#addAttempts(pressedStop === 'new' ? nodes : nodes.filter(({ attempted }) => attempted.length > 0));
  }

  #press(sender: StopSender, hasRight: boolean): 'new' | 'joined' {
    if (hasRight) this.#store.recordsLeft = Number.POSITIVE_INFINITY;
    else if (this.#store.isSentInEffect && !this.#store.isAcknowledged && !this.#isReleasedOrReleasing) {
      if (clock.now() - this.#pressedAt < anonymousRepeatAfterMs) return 'joined';
      this.#store.recordsLeft = Math.min(this.#store.recordsLeft, maxAnonymousRecords);
      this.#execute(this.#store.sentStop);
      return 'joined';
    }
    this.#lastPressAt = clock.now();
    // After an acknowledgement, the press must be visible and recorded again.
    if (this.#store.isSending && !this.#store.isAcknowledged) {
      if (clock.now() - this.#pressedAt >= repeatAfterMs) this.#execute(this.#store.sentStop);
      return 'joined';
    }
    this.#begin(sender);
    return 'new';
  }

  /** Begins a stop, which supersedes the one in effect. */
  #begin(sender: StopSender): void {
    const earlier = this.#store.inEffect;
    const at = new Date(clock.now()).toISOString();
    const { machine, user, application } = sender;
    const { nodes = [], workflows } = earlier ?? {};
    if (earlier === null) this.#openAtStart = new Set();
    const sent = { machine, ...(user !== null && { user }), application };
    this.#release.abort();
    this.#store.sender = sender;
    const repeats = this.#releasing !== null;
    const stop = { id: null, at, ...sent, nodes, repeats, ...(workflows && { workflows }) };
    this.#store.batch(() => {
      this.#store.begin(stop);
      this.#execute(earlier);
      const pressed = this.#store.sentStop ?? stop;
      this.#store.patch({ id: this.#store.options.record(pressRecord(pressed, clock.now()), sender) || ulid() });
    });
    this.#store.options.log.warn(`Safety stop of ${this.#store.nodes?.nodes.length ?? 0} known nodes`, sent);
    // A pending command of the release may undo what was just confirmed.
    void this.#releasing?.then(() => {
      if (this.#store.sentStop?.at !== at || !this.#store.isSentInEffect || this.#lifetime.signal.aborted) return;
      this.#store.patch({ repeats: false });
      this.#execute(this.#store.sentStop);
    });
  }

  /** Whether a release has reached nodes of the stop, or is in progress: a press must stop them again. */
  get #isReleasedOrReleasing(): boolean {
    return this.#releasing !== null || this.#store.sentStop?.released === true;
  }

  /**
   * Receives what another sender of the last stop has sent itself, which a release undoes, and the locks and pauses from
   * before the stop, which it does not. After a release, they are released at once.
   */
  async addAttempts(nodes: readonly AttemptedNode[], stopId: string, sender: StopSender): Promise<void> {
    if (nodes.length === 0 || this.#store.sentStop?.id !== stopId) return;
    if (this.#store.isSentInEffect && !this.#isReleasedOrReleasing) return this.#addAttempts(nodes);
    await this.#undo(nodes, stopId, sender, true);
    void this.#undoLate(nodes, stopId);
  }

  /** @param assumed whether the commands count at a node that does not report its state */
  async #undo(nodes: readonly AttemptedNode[], stopId: string, sender: StopSender, assumed: boolean): Promise<void> {
    await this.#releasing;
    if (!(await addUnreported(this.#store, nodes, assumed)) || this.#store.sentStop?.id !== stopId) return;
    this.#store.begin(this.#store.sentStop, this.#store.isAcknowledged);
    await this.release(sender);
  }

  /** Nodes can execute the commands of another sender after the release, until the timeout of these commands. */
  async #undoLate(nodes: readonly AttemptedNode[], stopId: string): Promise<void> {
    const attempted = nodes.filter((node) => node.attempted.length > 0);
    const until = clock.now() + routeTimeoutMs;
    while (attempted.length > 0 && clock.now() < until && (await pause(lateIntervalMs, this.#lifetime.signal))) {
      if (this.#store.sentStop?.id !== stopId) return;
      if (this.#store.isSentInEffect && !this.#isReleasedOrReleasing) continue;
      await this.#undo(attempted, stopId, this.#store.sender, false);
    }
  }

  #addAttempts(nodes: readonly AttemptedNode[]): void {
    void this.#undoLate(nodes, this.#store.sentStop?.id ?? '');
    this.#store.addAttempts(nodes);
  }

  /** Releases the stop in effect, of any sender. Resolves when each node has responded, or the timeouts are over. */
  async release(sender: StopSender): Promise<void> {
    const pressedAt = this.#lastPressAt;
    // A release that a press has superseded releases nothing more.
    if (this.#releasing !== null && this.#release.signal.aborted) await this.#releasing;
    if (this.#releasing === null && this.#store.inEffect?.id === null) await this.#store.stopLog.readWithin(readLogMs);
    const stop = this.#store.inEffect;
    // A press meanwhile is newer than this release.
    if (stop === null || this.#lastPressAt !== pressedAt) return;
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
    // Another program, or the previous run of the service, may have received no answer yet.
    const isReported = this.#execution !== null && (stop.id === null || stop.id === this.#store.sentStop?.id);
    const unreported = isReported ? new Set<string>() : namesOf(stop, 'sending');
    this.#store.begin(stop, this.#store.isAcknowledged);
    const { signal } = (this.#release = new AbortController());
    for (const part of [this.#execution, this.#guard]) part?.abort();
    this.#store.setPhase('releasing');
    try {
      // Locks of another service's stop look like those of a person.
      const hasReadLog = this.#store.stopLog.readWithin(readLogMs);
      // Its sender may have ended before it could report them.
      await addUnreported(this.#store, listOpen(stop, isReported ? this.#openAtStart : openNames(stop)), false);
      await hasReadLog;
      if (signal.aborted) return;
      const execution = this.#execution;
      await releaseStop({ store: this.#store, sender, signal, execution, unreported, guarding: this.#guarding });
    } finally {
      if (!signal.aborted) this.#store.setPhase(null);
    }
  }

  /**
   * @param stopBefore the stop that was in effect before
   * @param except the nodes that receive nothing: they may have been released while the service did not run
   */
  #execute(stopBefore: LabStop | null, except: ReadonlySet<string> = new Set()): void {
    const earlier = this.#store.isSending || this.#releasing !== null ? this.#execution : null;
    this.#execution?.replace();
    const execution = (this.#execution = new StopExecution(this.#store, { stopBefore, except, earlier }));
    this.#store.setPhase('sending');
    this.#pressedAt = clock.now();
    this.#run = execution.run();
    this.#guardWorkflows();
    void this.#watchNodes();
    void this.#run.then(() => {
      if (this.#execution !== execution || !this.#store.isSending) return;
      this.#store.setPhase(null);
      this.#store.recordResult();
    });
  }

  /** Reads the nodes themselves while the stop is in effect: the workcell manager reports a reset up to 16 s later. */
  async #watchNodes(): Promise<void> {
    this.#watching.abort();
    const { signal } = (this.#watching = new AbortController());
    while (await pause(watchIntervalMs, signal)) {
      if (!this.#store.isSentInEffect) return;
      // Meanwhile, each release reads its node.
      if (this.#releasing !== null) continue;
      await readStoppedNodes(this.#store, signal);
      if (!signal.aborted) this.#store.observe();
    }
  }

  #guardWorkflows(): void {
    this.#guard.abort();
    this.#guard = new AbortController();
    const { workcell } = new StopRoutes(this.#store.lab.address('workcell'));
    const guarding = guardWorkflows(workcell, this.#store, this.#guard.signal);
    this.#guarding = Promise.all([this.#guarding, guarding]);
  }

  /** Continues a stop of the previous run of the service, or reports that it was interrupted. */
  async #continue(stop: LabStop): Promise<void> {
    const { machine, user = null, application } = stop;
    const { data = 'relay' } = commandApplication.safeParse(application);
    this.#store.sender = { machine: machine ?? '', user, application: data };
    await this.#store.stopLog.readWithin(readLogMs);
    this.observe();
    const isReplaced = this.#store.isSending || this.#store.sentStop?.id !== stop.id;
    if (isReplaced || this.#releasing !== null || !this.#store.isSentInEffect) return;
    const logged = this.#store.stopLog.stopInEffect(new Set());
    // After a release that did not reach every node, nothing is sent to those that work again.
    if (logged?.id === stop.id && logged?.released === true)
      return this.#store.patch({ released: true, nodes: withReleases(stop, logged).nodes });
    void this.#watchNodes();
    const isInterrupted = stop.sending === true || stop.repeats === true;
    this.#openAtStart = openNames(stop);
    if (isInterrupted && stop.at !== null && clock.now() - Date.parse(stop.at) < continueWithinMs)
      return this.#execute(stop, stop.repeats === true ? new Set() : namesOf(stop, 'confirmed'));
    if (isInterrupted) this.#store.patch({ interrupted: true });
    if (stop.releasing === true) this.#store.patch({ released: true });
    else if (stop.released !== true) this.#guardWorkflows();
  }
}
