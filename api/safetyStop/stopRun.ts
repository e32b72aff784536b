/**
 * A safety stop of the whole lab, from the press to its release: sends it to every node, repeats it, reports each node,
 * and records it. The dashboard and the desktop app share it; they differ in how they find nodes and send commands.
 */
import { clock } from '../time/clock.ts';
import {
  createFindEarlierRow,
  type FindEarlierRow,
  mergePublishedEffects,
  effectsToUndo,
  replaceRow,
  hasPendingRetries,
  rowKey,
  fromStoppedNode,
  type Release,
  type StopRow,
  type StopTarget,
} from './stopReport.ts';
import type { StoppedNode } from '../commandRecord.ts';
import { StopRecord } from './stopRecord.ts';
import type { LabStop, StopReading } from './labStop.ts';
import { pause } from '../time/pause.ts';
import { isMoreCertain, mergeOutcomes, sendingOutcome, stopUntilConfirmed, type StopOutcome } from './safetyStop.ts';
import type { StopTargets, StopDependencies } from './stopDependencies.ts';

/** How long the workcell manager may take before nodes are commanded directly as well, in ms. */
export const stopTimeoutMs = 1500;
/** Timeout of one route to one node, in ms. */
export const routeTimeoutMs = 10_000;
/**
 * A result is recorded this long after the press, in ms, so that it is available to other programs before the last
 * attempt.
 */
const firstRecordDelayMs = 3000;
/** Time from a release until the workcell manager reports the node's new state, in ms. */
const readDelayMs = 5000;

export class StopRun {
  readonly #dependencies: StopDependencies;
  readonly #record: StopRecord;
  #rows: readonly StopRow[] = [];
  #sentAt: number | null = null;
  #stopId: string | null = null;
  /** The value of `StopDependencies.lab` at the press: the state of another lab does not apply. */
  #lab: string | null = null;
  #isForeign = false;
  #isReadingNodes = false;
  #isActive = false;
  #currentRun = new AbortController();
  /**
   * The event manager in whose log the stop was seen in effect. If the stop is no longer in effect in that log, another
   * program ended it.
   */
  #publishedIn: string | null = null;
  /** Whether it was released here, at every node. */
  #isReleased = false;
  /** Whether it was released or replaced by another program: this run must not undo it. */
  #isOver = false;
  /** The stop of each node until all its requests have a response. */
  readonly #inFlight = new Map<string, Promise<unknown>>();
  /** The release of each node until its last command has a response. */
  readonly #releasing = new Map<string, Promise<unknown>>();

  constructor(dependencies: StopDependencies) {
    this.#dependencies = dependencies;
    this.#record = new StopRecord(dependencies);
  }

  get rows(): readonly StopRow[] {
    return this.#rows;
  }

  /** Time of the last press, in ms since the epoch; `null` before. */
  get sentAt(): number | null {
    return this.#sentAt;
  }

  /** The event of the stop that the rows belong to; `null` if none is recorded. */
  get stopId(): string | null {
    return this.#stopId;
  }

  /** Whether the search for nodes besides the known ones is running. */
  get isReadingNodes(): boolean {
    return this.#isReadingNodes;
  }

  /** Whether the last press is still being executed. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /** Whether retries for any unconfirmed node are pending. */
  get isRepeating(): boolean {
    return this.#isActive && hasPendingRetries(this.#rows);
  }

  /** Whether the lab's event log contains the stop. */
  get isPublished(): boolean {
    return this.#publishedIn !== null;
  }

  /** Whether it was released, reset or replaced by another program. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the rows belong to a stop of another page or app. */
  get isForeign(): boolean {
    return this.#isForeign;
  }

  /**
   * Sends the stop to every node immediately and in parallel. Resolves when all attempts have ended.
   * @param publishedStop the lab's published stop in effect, of any page or app
   */
  async stop({ readKnownNodes, readListedNodes }: StopTargets, publishedStop: LabStop | null): Promise<void> {
    this.#currentRun.abort();
    const run = new AbortController();
    this.#currentRun = run;
    const pressedAt = this.#dependencies.now();
    const findEarlierRow = createFindEarlierRow({
      localRows: this.#dependencies.lab() === this.#lab ? this.#rows : [],
      sentAt: this.#sentAt,
      isReleased: this.#isReleased,
      isOver: this.#isOver,
      publishedStop,
      effectsBefore: this.#dependencies.effectsBefore,
    });
    this.#lab = this.#dependencies.lab();
    this.#sentAt = pressedAt;
    this.#stopId = null;
    this.#publishedIn = null;
    this.#isReleased = false;
    this.#isOver = false;
    this.#rows = [];
    this.#isReadingNodes = true;
    this.#isActive = true;
    this.#dependencies.onChange();
    const targets = await readKnownNodes(run.signal);
    if (run.signal.aborted) return;
    const listedNodes = this.#stopListedNodes(run, { targets, readListedNodes, findEarlierRow }).finally(() => {
      if (run === this.#currentRun) this.#isReadingNodes = false;
      this.#dependencies.onChange();
    });
    const stopping = Promise.all([...targets.map((target) => this.#stopOne(run, target, findEarlierRow)), listedNodes]);
    this.#isForeign = false;
    this.#stopId = this.#record.recordPress(this.#rows, pressedAt);
    const recordTimer = clock.setTimeout(() => this.#recordResult(run), firstRecordDelayMs);
    await stopping;
    clock.clearTimeout(recordTimer);
    if (run !== this.#currentRun) return;
    this.#recordResult(run);
    this.#isActive = false;
    this.#dependencies.onChange();
  }

  /** Stops sending; responses to earlier requests are still reported. */
  stopSending(): void {
    this.#recordResult(this.#currentRun);
    this.#currentRun.abort();
    this.#isReadingNodes = false;
    this.#isActive = false;
    this.#dependencies.onChange();
  }

  /**
   * Undoes exactly the commands that each node confirmed, including those that a slow node confirms meanwhile. Pressing
   * the stop aborts the release.
   */
  async release(): Promise<void> {
    this.stopSending();
    const { rows: stoppedRows, stopId } = this;
    const run = this.#currentRun;
    const isSuperseded = (): boolean => run !== this.#currentRun;
    const beganAt = this.#dependencies.now();
    const recordSuperseded = (): void => {
      if (stopId !== null) this.#record.recordSuperseded(stopId, stoppedRows, beganAt);
    };
    const firstReleases = this.#dependencies.planReleases(this.#rows);
    const results = await Promise.all(firstReleases.map((release) => this.#releaseOne(release, isSuperseded)));
    await Promise.race([Promise.all(this.#inFlight.values()), pause(routeTimeoutMs)]);
    if (isSuperseded()) return recordSuperseded();
    const laterReleases = this.#dependencies
      .planReleases(this.#rows)
      .filter((release) => !firstReleases.some((earlier) => rowKey(earlier) === rowKey(release)));
    results.push(...(await Promise.all(laterReleases.map((release) => this.#releaseOne(release, isSuperseded)))));
    if (isSuperseded()) return recordSuperseded();
    if (this.#stopId === null) return;
    // The event log must contain the last result before the release.
    this.#recordResult(this.#currentRun);
    // While a node has not responded, its state is unknown, and so is whether it is released.
    const isIncomplete = results.includes(false) || this.#rows.some(({ outcome }) => outcome.state === 'sending');
    this.#isReleased = !isIncomplete;
    this.#record.recordRelease(this.#stopId, this.#rows, beganAt, isIncomplete);
  }

  /**
   * Applies the published stop in effect, acknowledged or not: a stop that another program has released is neither sent
   * again nor released by this run.
   */
  observe({ lab, eventManager, isRead, stopRecord }: StopReading): void {
    if (this.#stopId === null || this.#isOver || this.#isReleased || this.#sentAt === null) return;
    if (stopRecord?.id === this.#stopId) {
      this.#lab = lab;
      this.#publishedIn = eventManager;
      const corrected = mergePublishedEffects(this.#rows, stopRecord.nodes);
      if (corrected !== this.#rows) {
        this.#rows = corrected;
        this.#dependencies.onChange();
      }
      if (stopRecord.released === true && this.#isActive && !this.#isForeign) this.stopSending();
      return;
    }
    if (lab !== this.#lab) return;
    const isReplaced =
      stopRecord !== null &&
      stopRecord.at !== null &&
      stopRecord.id !== null &&
      Date.parse(stopRecord.at) > this.#sentAt;
    if (!isReplaced && !(isRead && eventManager === this.#publishedIn)) return;
    this.#isOver = true;
    // A later stop is sent by the page where it was pressed; this run continues until its nodes confirm.
    if (isReplaced) return this.#dependencies.onChange();
    this.#currentRun.abort();
    this.#isReadingNodes = false;
    this.#isActive = false;
    this.#rows = this.#rows.map((row) =>
      effectsToUndo(row).length === 0 ? row : { ...row, releasedAt: row.releasedAt ?? this.#dependencies.now() },
    );
    this.#dependencies.onChange();
  }

  /** Hides the stop everywhere without releasing it. */
  acknowledge(stopId: string, nodes: readonly StoppedNode[]): void {
    this.#record.recordAcknowledgement(stopId, nodes);
  }

  /**
   * Shows the stop in effect, even if sent from another page, without sending commands. Nodes released here stay released.
   * @param workcell address of the workcell manager as it is reached from here
   */
  adopt(stop: LabStop, workcell: string): void {
    // Results of this run's own pending commands are reported separately.
    const isOwn = stop.id !== null && stop.id === this.#stopId && !this.#isForeign;
    if (this.#isActive || isOwn) return;
    const isSame = this.#isForeign && this.#stopId === stop.id;
    this.#publishedIn = null;
    this.#lab = this.#dependencies.lab();
    this.#isReleased = false;
    this.#isOver = false;
    const previousRows = new Map(isSame ? this.#rows.map((row) => [row.name, row]) : []);
    this.#isForeign = true;
    this.#stopId = stop.id;
    this.#sentAt = stop.at === null ? null : Date.parse(stop.at);
    this.#rows = stop.nodes
      .map((node) => {
        const { releasedAt = null, releaseFailure = '' } = previousRows.get(node.name) ?? {};
        return { ...fromStoppedNode(node, workcell), releasedAt, releaseFailure };
      })
      .reduce(replaceRow, [] as readonly StopRow[]);
    this.#dependencies.onChange();
  }

  async #stopOne(run: AbortController, target: StopTarget, findEarlierRow: FindEarlierRow): Promise<void> {
    const earlierRow = findEarlierRow(target);
    const isInEffect = earlierRow !== undefined && earlierRow.releasedAt === null;
    const isUnread = !isInEffect && this.#dependencies.readAt() < (earlierRow?.releasedAt ?? 0) + readDelayMs;
    // Effects of an earlier press belong to the stop, not to the state before it.
    const before =
      earlierRow !== undefined && (isInEffect || isUnread)
        ? earlierRow.previousCommands
        : this.#dependencies.effectsBefore(target);
    const earlierEffects = isInEffect ? effectsToUndo(earlierRow) : [];
    let best: StopOutcome = sendingOutcome;
    const update = (outcome: StopOutcome, attempt: number): void => {
      if (run !== this.#currentRun) return;
      best = mergeOutcomes(best, outcome);
      const currentRow = this.#rows.find((row) => rowKey(row) === rowKey(target));
      // A command confirmed after a release was not undone by it.
      const isNewer =
        currentRow === undefined ||
        isMoreCertain(best, currentRow.outcome) ||
        best.appliedCommands.length > currentRow.outcome.appliedCommands.length;
      const releasedAt = isNewer ? null : currentRow.releasedAt;
      const releaseFailure = isNewer ? '' : currentRow.releaseFailure;
      const row = {
        ...target,
        outcome: best,
        attempt,
        previousCommands: before,
        earlierEffects,
        releasedAt,
        releaseFailure,
      };
      this.#rows = replaceRow(this.#rows, row);
      this.#dependencies.onChange();
    };
    update(sendingOutcome, 1);
    const key = rowKey(target);
    const releasing = this.#releasing.get(key);
    const send = (): Promise<unknown> => stopUntilConfirmed(this.#dependencies.getRoutes(target), update, run.signal);
    const sendAgain = async (): Promise<void> => {
      await releasing;
      if (run.signal.aborted) return;
      // The pending command of the release may have undone the confirmed commands.
      best = sendingOutcome;
      update(sendingOutcome, 1);
      await send();
    };
    const sending = releasing === undefined ? send() : send().then(sendAgain);
    this.#inFlight.set(key, sending);
    await sending;
    if (this.#inFlight.get(key) === sending) this.#inFlight.delete(key);
  }

  async #stopListedNodes(
    run: AbortController,
    {
      targets,
      readListedNodes,
      findEarlierRow,
    }: Pick<StopTargets, 'readListedNodes'> & { targets: readonly StopTarget[]; findEarlierRow: FindEarlierRow },
  ): Promise<void> {
    const all = await readListedNodes(run.signal);
    if (run.signal.aborted) return;
    const stoppedKeys = new Set(targets.map(rowKey));
    await Promise.all(
      all
        .filter((target) => !stoppedKeys.has(rowKey(target)))
        .map((target) => this.#stopOne(run, target, findEarlierRow)),
    );
  }

  /** @returns whether the node executed all commands */
  async #releaseOne(release: Release, isSuperseded: () => boolean): Promise<boolean> {
    const key = rowKey(release);
    const stopping = this.#inFlight.get(key);
    const settled = stopping === undefined ? Promise.resolve() : Promise.race([stopping, pause(routeTimeoutMs)]);
    // Undo commands that a slow node has confirmed meanwhile as well.
    const planned = settled.then(() =>
      this.#dependencies.planReleases(this.#rows).find((candidate) => rowKey(candidate) === rowKey(release)),
    );
    const releasing = this.#dependencies.release(
      release,
      planned.then((plannedRelease) => plannedRelease ?? release),
      isSuperseded,
    );
    this.#releasing.set(key, releasing);
    const failure = await releasing;
    if (this.#releasing.get(key) === releasing) this.#releasing.delete(key);
    if (isSuperseded()) return false;
    const releasedAt = failure === null ? this.#dependencies.now() : null;
    this.#rows = this.#rows.map((row) =>
      rowKey(row) === rowKey(release) ? { ...row, releasedAt, releaseFailure: failure ?? '' } : row,
    );
    this.#dependencies.onChange();
    return failure === null;
  }

  /** Records the current results before the page closes, so that other programs can release the stop. */
  recordProgress(): void {
    this.#recordResult(this.#currentRun);
  }

  #recordResult(run: AbortController): void {
    if (run !== this.#currentRun || this.#stopId === null || this.#isForeign || this.#isOver || this.#sentAt === null)
      return;
    this.#record.recordResult(this.#stopId, this.#rows, this.#sentAt);
  }
}
