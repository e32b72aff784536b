/**
 * The safety stop of a page, the app or the command line itself, for the case that the service does not accept it within
 * 300 ms or refuses it: with the last known nodes, directly and through the workcell manager at the same time.
 */
import { clock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';
import { withNode, type LabStop } from './labStop.ts';
import type { StopResponse } from '../lab/safetyStopApi.ts';
import { releaseNode } from './releaseNode.ts';
import { stopNode, type NodeRoutes } from './safetyStop.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';
import { pressRecord, releaseRecord, resultRecord, type StopRecord } from './stopRecord.ts';
import { applyOutcome, planReleases, sortTargets, startNode, type Release, type StopTarget } from './stopReport.ts';

/** How long the service may take to accept the stop before the fallback starts, in ms. */
const acceptMs = 300;

export interface FallbackOptions {
  /** Sends the stop to the service; rejects if it refuses or does not respond. */
  readonly postToService: () => Promise<Pick<StopResponse, 'known_nodes'>>;
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

export class FallbackStop {
  /** The stop that was sent from here; `null` if the service accepted the last one. */
  stop: LabStop | null = null;
  /** Resolves when the service has responded to the last press, or its timeout is over: by then the press is recorded. */
  answered: Promise<void> = Promise.resolve();
  readonly #options: FallbackOptions;
  #isReleased = false;
  #run = new AbortController();
  #release = new AbortController();

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
    const accepted = this.#options.postToService().then(
      // A service that knows no node reaches none.
      ({ known_nodes: count }) => count > 0 || this.#options.targets().length === 0,
      () => false,
    );
    const waiting = new AbortController();
    const isAcceptedInTime = await Promise.race([accepted, pause(acceptMs, waiting.signal).then(() => false)]);
    waiting.abort();
    if (isAcceptedInTime) return this.forget();
    // The service continues what it accepts late.
    this.answered = accepted.then((isAccepted) => {
      if (isAccepted) this.forget();
      else if (this.stop?.id === null) this.#set({ id: this.#options.record(pressRecord(this.stop, clock.now())) });
    });
    await this.#send();
  }

  /** The service runs or publishes the stop: its state counts from now on. */
  forget(): void {
    this.#run.abort();
    [this.stop, this.#isReleased] = [null, false];
    this.#options.onChange();
  }

  /** Releases this stop, or the published one, from here. */
  async release(): Promise<void> {
    // Kept apart from `stop`: the service may publish the stop meanwhile.
    let stop = this.stop ?? this.#options.published();
    const { routesTo, targets, record } = this.#options;
    if (stop === null) return;
    this.stop = stop;
    this.#run.abort();
    this.#set({ sending: false });
    this.#release.abort();
    const { signal } = (this.#release = new AbortController());
    const beganAt = clock.now();
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
    if (signal.aborted) return;
    this.#isReleased = !results.includes(false);
    this.#options.onChange();
    const failure = this.#isReleased ? null : texts.releaseIncomplete;
    if (stop.id !== null) record(releaseRecord(stop, beganAt, clock.now(), failure));
  }

  /** Records the current results, at the end or before the page closes, so that others can release the stop. */
  recordResult(): void {
    if (this.stop !== null && this.stop.id !== null) this.#options.record(resultRecord(this.stop, clock.now()));
  }

  async #send(): Promise<void> {
    this.#run.abort();
    const run = (this.#run = new AbortController());
    const { targets, routesTo, delayMs, sender, published } = this.#options;
    const earlier = this.stop ?? published();
    this.stop = { id: null, at: new Date(clock.now()).toISOString(), ...sender(), nodes: [], sending: true };
    this.#isReleased = false;
    const stopOne = async (target: StopTarget): Promise<void> => {
      const earlierNode = earlier?.nodes.find(({ name }) => name === target.name);
      this.#setNode(startNode(target, '', earlierNode));
      await stopNode({
        routes: routesTo(target),
        commands: target.commands,
        delayMs,
        signal: run.signal,
        onOutcome: (outcome, attempts) => {
          const node = this.stop?.nodes.find(({ name }) => name === target.name);
          if (node !== undefined && run === this.#run) this.#setNode(applyOutcome(node, outcome, attempts));
        },
      });
    };
    await Promise.all(sortTargets(targets()).map(stopOne));
    if (run !== this.#run || this.stop === null) return;
    this.#set({ sending: false });
    this.recordResult();
  }

  #setNode(node: LabStop['nodes'][number]): void {
    if (this.stop !== null) this.#set(withNode(this.stop, node));
  }

  #set(fields: Partial<LabStop>): void {
    if (this.stop !== null) this.stop = { ...this.stop, ...fields };
    this.#options.onChange();
  }
}
