/**
 * The safety stop of a page, the app or the command line itself, for the case that the service does not accept it within
 * 300 ms or refuses it: with the last known nodes, directly and through the workcell manager at the same time.
 */
import {
  attemptedCommands,
  maxFlags,
  maxRequestNodes,
  type AttemptedNode,
  type StopRequest,
  type StopResponse,
} from '../lab/safetyStopApi.ts';
import { sameJson } from '../sameJson.ts';
import { clock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';
import { withNode, type LabStop } from './labStop.ts';
import { releaseNode } from './releaseNode.ts';
import { routeTimeoutMs, stateAfterError, stopNode, type NodeRoutes, type SendCommand } from './safetyStop.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';
import { pressRecord, releaseRecord, resultRecord, type StopRecord } from './stopRecord.ts';
import {
  applyOutcome,
  flagsBefore,
  planReleases,
  sortTargets,
  startNode,
  type Release,
  type StopTarget,
} from './stopReport.ts';

/** The interval at which changed results are recorded, in ms: other programs show them, and can release them. */
const recordIntervalMs = 1000;
/** How long the service may take to accept the stop before the fallback starts, in ms. */
const acceptMs = 300;

export interface FallbackOptions {
  /** Sends the stop to the service; rejects if it refuses or does not respond. */
  readonly postToService: (
    request: Pick<StopRequest, 'nodes' | 'stop_id'>,
  ) => Promise<Pick<StopResponse, 'known_nodes' | 'stop'>>;
  readonly targets: () => readonly StopTarget[];
  readonly routesTo: (target: Pick<StopTarget, 'name' | 'url'>) => NodeRoutes;
  /** Delay of the route through the workcell manager, in ms: 0 for a sender that can't read the node's response. */
  readonly delayMs: number;
  readonly sender: () => Pick<LabStop, 'machine' | 'user' | 'application'>;
  /** The stop in effect as last published, whose effects a release also undoes. */
  readonly published: () => LabStop | null;
  /** Adds a record to the lab's event log. @returns the ID of its event */
  readonly record: (record: StopRecord) => string;
  readonly onChange: () => void;
}

type Attempt = AttemptedNode['attempted'][number];
const isUndoable = (command: string): command is Attempt => attemptedCommands.some((each) => each === command);

export class FallbackStop {
  /** The stop that was sent from here; `null` if the service accepted the last one. */
  stop: LabStop | null = null;
  /** Resolves when the service has responded to the last press or handover, or its timeout is over: by then the press is recorded. */
  answered: Promise<void> = Promise.resolve();
  readonly #options: FallbackOptions;
  /** The commands sent from here, by node, until the service has received them: its release undoes them, too. */
  readonly #attempts = new Map<string, { readonly sent: Map<string, Attempt>; readonly before: readonly string[] }>();
  #isReleased = false;
  /** Whether the service has published the stop that was sent from here. */
  #isPublished = false;
  #run = new AbortController();
  /** Resolves when no command of the stop is pending. */
  #sending: Promise<unknown> = Promise.resolve();
  #release = new AbortController();
  /** Whether a release waits for the pending commands, whose results only this program receives. */
  #isReleasing = false;

  constructor(options: FallbackOptions) {
    this.#options = options;
  }

  /** `stop` until a release from here reaches every node. */
  get inEffect(): LabStop | null {
    return this.#isReleased ? null : this.stop;
  }

  /** Sends the stop. Resolves when the service has accepted it, or when all attempts from here have ended. */
  async press(): Promise<void> {
    this.#release.abort();
    const pressedAt = new Date(clock.now()).toISOString();
    const accepted = this.#post(this.#knownNodes());
    const waiting = new AbortController();
    const acceptedInTime = await Promise.race([accepted, pause(acceptMs, waiting.signal).then(() => null)]);
    waiting.abort();
    if (acceptedInTime !== null) return this.forget();
    // The service continues what it accepts late.
    this.answered = accepted.then(async (response) => {
      if (response !== null) await this.yieldTo(response.stop?.id ?? null);
      else if (this.stop?.id === null) this.#set({ id: this.#options.record(pressRecord(this.stop, clock.now())) });
    });
    await this.#send({ id: null, at: pressedAt, ...this.#options.sender(), nodes: [] });
  }

  /** Continues a stop that the service has accepted and can no longer send. */
  async continueStop(stop: LabStop): Promise<void> {
    await this.#send(stop);
  }

  /** The service runs the stop with this ID: its state counts from now on, and it receives what was sent from here. */
  async yieldTo(stopId: string | null): Promise<void> {
    const nodes = this.#attemptedNodes;
    this.forget();
    if (stopId !== null && nodes.length > 0) await this.#post(nodes, stopId);
  }

  /** The service publishes the stop: its state counts from now on. */
  forget(): void {
    this.#run.abort();
    this.#attempts.clear();
    [this.stop, this.#isReleased, this.#isPublished] = [null, false, false];
    this.#options.onChange();
  }

  /** @returns the response; `null` if the service refuses, does not respond, or knows no node, so that it reaches none */
  async #post(nodes: AttemptedNode[], stopId?: string): Promise<Pick<StopResponse, 'stop'> | null> {
    const { postToService, targets } = this.#options;
    const response = await postToService({
      ...(nodes.length > 0 && { nodes: nodes.slice(0, maxRequestNodes) }),
      ...(stopId !== undefined && { stop_id: stopId }),
    }).catch(() => null);
    return response?.known_nodes === 0 && targets().length > 0 ? null : response;
  }

  /** What the service must know of the nodes: what was sent from here, and locks and pauses that it may not have read yet. */
  #knownNodes(): AttemptedNode[] {
    // During a stop, the flags are its effects.
    if (this.stop !== null || this.#options.published() !== null) return this.#attemptedNodes;
    const set = this.#options.targets().filter(({ before }) => before.length > 0);
    return set.map(({ name, before }) => ({ name, attempted: [], before: before.slice(0, maxFlags) }));
  }

  /**
   * Leaves the stop to the service as soon as that runs it, or has ended it: the service undoes what was sent since.
   * Call this with each reading of the stop in effect.
   */
  observe(published: LabStop | null): void {
    const { stop } = this;
    if (stop === null) return;
    const wasPublished = this.#isPublished;
    this.#isPublished = published !== null && stop.id !== null && published.id === stop.id;
    const isEnded = wasPublished && !this.#isPublished;
    const isNewer = (published?.at ?? '') > (stop.at ?? '');
    // One that the service knows only from the event log is sent from here to its end.
    const isAtEnd = stop.sending !== true && !this.#isReleasing;
    const isByService = (this.#isPublished || isNewer) && (isAtEnd || published?.sending === true);
    // The service adds what was sent from here only to its last stop.
    if (isEnded || isByService) this.answered = this.yieldTo(published?.id ?? stop.id);
  }

  /**
   * Releases the stop: what was sent from here from here, and any other by the service or, if that fails, from here.
   * @param byService resolves at the end of the service's release; `null` if it does not release this stop
   */
  async release(byService: (() => Promise<void>) | null = null): Promise<void> {
    this.#release.abort();
    const { signal } = (this.#release = new AbortController());
    if (this.stop !== null && (await this.#releaseFromHere(signal))) return;
    const isByService = await byService?.().then(
      () => true,
      () => false,
    );
    // A press meanwhile is newer than this release.
    if (isByService !== true && !signal.aborted) await this.#releaseFromHere(signal);
  }

  /** @returns `false` if the service has accepted or published the stop meanwhile: then it must release it */
  async #releaseFromHere(signal: AbortSignal): Promise<boolean> {
    // Kept apart from `stop`: the service may publish the stop meanwhile.
    let stop = this.stop ?? this.#options.published();
    const { routesTo, targets, record } = this.#options;
    if (stop === null) return true;
    const isOwn = this.stop !== null;
    this.stop = stop;
    this.#run.abort();
    this.#set({ sending: false });
    const beganAt = clock.now();
    // Otherwise a slow node, or a slow service, would execute the stop after its release.
    const settled = new AbortController();
    const pending = Promise.all([this.#sending, this.answered]);
    this.#isReleasing = true;
    await Promise.race([pending, pause(routeTimeoutMs, AbortSignal.any([signal, settled.signal]))]);
    settled.abort();
    if (signal.aborted) return true;
    this.#isReleasing = false;
    if (isOwn && this.stop === null) return false;
    stop = this.stop ?? stop;
    const releaseOne = async ({ name, commands }: Release): Promise<boolean> => {
      const target = targets().find((candidate) => candidate.name === name) ?? { name, url: null };
      const failure = await releaseNode(routesTo(target), commands, signal);
      const node = stop?.nodes.find((candidate) => candidate.name === name);
      if (stop === null || node === undefined || signal.aborted) return false;
      const at = new Date(clock.now()).toISOString();
      const released = { ...node, ...(failure === null ? { released_at: at } : { release_failure: failure }) };
      stop = withNode(stop, released);
      this.#setNode(released);
      return failure === null;
    };
    const results = await Promise.all(planReleases(stop, null).map(releaseOne));
    if (signal.aborted) return true;
    // Only the service resumes the workflows that it has paused.
    const isAnyPaused = (stop.workflows ?? []).some(({ resumed }) => resumed !== true);
    const isAnyPending = stop.nodes.some(({ result, released_at: at }) => result === 'sending' && at === undefined);
    this.#isReleased = !isAnyPaused && !isAnyPending && !results.includes(false);
    if (this.#isReleased) this.#attempts.clear();
    this.#options.onChange();
    const failure = this.#isReleased ? null : texts.releaseIncomplete;
    if (stop.id !== null) record(releaseRecord(stop, beganAt, clock.now(), failure));
    return true;
  }

  /** Records the current results, at the end or before the page closes, so that others can release the stop. */
  recordResult(): void {
    if (this.stop !== null && this.stop.id !== null) this.#options.record(resultRecord(this.stop, clock.now()));
  }

  /** @param begun its confirmed nodes receive nothing more */
  async #send(begun: LabStop): Promise<void> {
    this.#run.abort();
    const run = (this.#run = new AbortController());
    const { targets, delayMs, published } = this.#options;
    const earlier = this.stop ?? published();
    const confirmed = begun.nodes.filter(({ result }) => result === 'confirmed');
    const sorted = sortTargets(targets()).filter(({ name }) => !confirmed.some((node) => node.name === name));
    const started = sorted.map((target) => {
      const earlierNode = earlier?.nodes.find(({ name }) => name === target.name);
      return startNode({ ...target, before: flagsBefore(target.before, earlierNode, clock.now()) }, '', earlierNode);
    });
    this.stop = { ...begun, nodes: [...confirmed, ...started], sending: true };
    [this.#isReleased, this.#isReleasing, this.#isPublished] = [false, false, begun.id !== null];
    const stopOne = async (target: StopTarget): Promise<void> => {
      await stopNode({
        routes: this.#recordingRoutesTo(target),
        commands: target.commands,
        delayMs,
        signal: run.signal,
        onOutcome: (outcome, attempts) => {
          const node = this.stop?.nodes.find(({ name }) => name === target.name);
          if (node !== undefined && run === this.#run) this.#setNode(applyOutcome(node, outcome, attempts));
        },
      });
    };
    const attempts = Promise.all(sorted.map(stopOne));
    this.#sending = attempts;
    const ended = new AbortController();
    void this.#recordChanges(AbortSignal.any([run.signal, ended.signal]));
    this.#options.onChange();
    await attempts;
    ended.abort();
    if (run !== this.#run || this.stop === null) return;
    this.#set({ sending: false });
    this.recordResult();
  }

  async #recordChanges(signal: AbortSignal): Promise<void> {
    let recorded: LabStop['nodes'] = [];
    while (await pause(recordIntervalMs, signal)) {
      const nodes = this.stop?.nodes ?? [];
      if (!sameJson(nodes, recorded)) this.recordResult();
      recorded = nodes;
    }
  }

  /** The routes to the node, which note the commands that it may have received. */
  #recordingRoutesTo(target: StopTarget): NodeRoutes {
    const record = (route: keyof NodeRoutes, send: SendCommand | null): SendCommand | null =>
      send &&
      (async (command, signal) => {
        if (!isUndoable(command)) return send(command, signal);
        this.#noteAttempt(target, command, route, true);
        try {
          const response = await send(command, signal);
          if (response?.success === false) this.#noteAttempt(target, command, route, false);
          return response;
        } catch (error) {
          if (stateAfterError(error, route === 'direct') !== 'sent') this.#noteAttempt(target, command, route, false);
          throw error;
        }
      });
    const { direct, workcell } = this.#options.routesTo(target);
    return { direct: record('direct', direct), workcell: record('workcell', workcell) };
  }

  #noteAttempt({ name, before }: StopTarget, command: Attempt, route: string, isPossible: boolean): void {
    const node = this.stop?.nodes.find((candidate) => candidate.name === name);
    // During a continued stop, the flags of the target are effects of that stop.
    const attempts = this.#attempts.get(name) ?? { sent: new Map<string, Attempt>(), before: node?.before ?? before };
    if (isPossible) attempts.sent.set(`${route} ${command}`, command);
    else attempts.sent.delete(`${route} ${command}`);
    this.#attempts.set(name, attempts);
    const attempted = [...new Set(attempts.sent.values())].filter((each) => each !== 'safety_stop');
    if (node !== undefined) this.#setNode({ ...node, attempted });
  }

  get #attemptedNodes(): AttemptedNode[] {
    return [...this.#attempts].flatMap(([name, { sent, before }]) =>
      sent.size === 0 ? [] : [{ name, attempted: [...new Set(sent.values())], before: before.slice(0, maxFlags) }],
    );
  }

  #setNode(node: LabStop['nodes'][number]): void {
    if (this.stop !== null) this.#set(withNode(this.stop, node));
  }

  #set(fields: Partial<LabStop>): void {
    if (this.stop !== null) this.stop = { ...this.stop, ...fields };
    this.#options.onChange();
  }
}
