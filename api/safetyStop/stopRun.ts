/**
 * A safety stop of the whole lab, from the press to its release: sends it to every node, repeats it, reports each node,
 * and records it. The dashboard and the desktop app share it; they differ in how they find nodes and send commands.
 */
import {
  earlierAt,
  type FindEarlierRow,
  correctedRows,
  doneBy,
  putRow,
  repeats,
  rowKey,
  rowOf,
  type Release,
  type StopRow,
  type StopTarget,
} from './stopReport.ts';
import type { StoppedNode } from '../commandRecord.ts';
import { StopRecord } from './stopRecord.ts';
import type { LabStop, StopReading } from './labStop.ts';
import { isMoreCertain, sendingOutcome, stopUntilConfirmed, type StopOutcome } from './safetyStop.ts';
import type { StopTargets, StopWiring } from './stopWiring.ts';

/** How long the workcell manager may take before nodes are commanded directly as well, in ms. */
export const stopTimeoutMs = 1500;
/** Timeout of one route to one node, in ms. */
export const stopDeadlineMs = 10_000;
/**
 * A result is recorded this long after the press, in ms, so that it is available to other programs before the last
 * attempt.
 */
const interimMs = 3000;
/** Time from a release until the workcell manager reports the node's new state, in ms. */
const readDelayMs = 5000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class StopRun {
  readonly #wiring: StopWiring;
  readonly #record: StopRecord;
  #rows: readonly StopRow[] = [];
  #sentAt: number | null = null;
  #stopId: string | null = null;
  /** The value of `StopWiring.lab` at the press: the state of another lab does not apply. */
  #lab: string | null = null;
  #isForeign = false;
  #isReadingNodes = false;
  #isActive = false;
  #round = new AbortController();
  /**
   * The event manager in whose log the stop was seen in force. If the stop is no longer in force in that log, another
   * program ended it.
   */
  #publishedIn: string | null = null;
  /** Whether it was released here, at every node. */
  #isReleased = false;
  /** Whether it was released or replaced by another program: this run must not undo it. */
  #isOver = false;
  /** The stop of each node until all its requests are answered. */
  readonly #inFlight = new Map<string, Promise<unknown>>();
  /** The release of each node until its last command is answered. */
  readonly #releasing = new Map<string, Promise<unknown>>();

  constructor(wiring: StopWiring) {
    this.#wiring = wiring;
    this.#record = new StopRecord(wiring);
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
    return this.#isActive && repeats(this.#rows);
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
   * Sends the stop to every node immediately and in parallel. Resolves when sending is over.
   * @param inForce the lab's published stop in force, of any page or app
   */
  async stop({ readKnownNodes, readListedNodes }: StopTargets, inForce: LabStop | null): Promise<void> {
    this.#round.abort();
    const mine = new AbortController();
    this.#round = mine;
    const pressedAt = this.#wiring.now();
    const earlier = earlierAt({
      localRows: this.#wiring.lab() === this.#lab ? this.#rows : [],
      sentAt: this.#sentAt,
      isReleased: this.#isReleased,
      isOver: this.#isOver,
      inForce,
      effectsBefore: this.#wiring.effectsBefore,
    });
    this.#lab = this.#wiring.lab();
    this.#sentAt = pressedAt;
    this.#stopId = null;
    this.#publishedIn = null;
    this.#isReleased = false;
    this.#isOver = false;
    this.#rows = [];
    this.#isReadingNodes = true;
    this.#isActive = true;
    this.#wiring.onChange();
    const targets = await readKnownNodes(mine.signal);
    if (mine.signal.aborted) return;
    const unseen = this.#stopListed(mine, { targets, readListedNodes, earlier }).finally(() => {
      if (mine === this.#round) this.#isReadingNodes = false;
      this.#wiring.onChange();
    });
    const stopping = Promise.all([...targets.map((target) => this.#stopOne(mine, target, earlier)), unseen]);
    this.#isForeign = false;
    this.#stopId = this.#record.press(this.#rows, pressedAt);
    const interim = setTimeout(() => this.#recordResult(mine), interimMs);
    await stopping;
    clearTimeout(interim);
    if (mine !== this.#round) return;
    this.#recordResult(mine);
    this.#isActive = false;
    this.#wiring.onChange();
  }

  /** Stops sending; responses to earlier requests are still reported. */
  callOff(): void {
    this.#recordResult(this.#round);
    this.#round.abort();
    this.#isReadingNodes = false;
    this.#isActive = false;
    this.#wiring.onChange();
  }

  /**
   * Undoes exactly the commands that each node confirmed, including those that a slow node confirms meanwhile. Pressing
   * the stop aborts the release.
   */
  async release(): Promise<void> {
    this.callOff();
    const { rows: stopped, stopId } = this;
    const round = this.#round;
    const isOvertaken = (): boolean => round !== this.#round;
    const began = this.#wiring.now();
    const recordOvertaken = (): void => {
      if (stopId !== null) this.#record.markSuperseded(stopId, stopped, began);
    };
    const atOnce = this.#wiring.releases(this.#rows);
    const released = await Promise.all(atOnce.map((each) => this.#releaseOne(each, isOvertaken)));
    await Promise.race([Promise.all(this.#inFlight.values()), pause(stopDeadlineMs)]);
    if (isOvertaken()) return recordOvertaken();
    const late = this.#wiring
      .releases(this.#rows)
      .filter((each) => !atOnce.some((done) => rowKey(done) === rowKey(each)));
    released.push(...(await Promise.all(late.map((each) => this.#releaseOne(each, isOvertaken)))));
    if (isOvertaken()) return recordOvertaken();
    if (this.#stopId === null) return;
    // Records the last result before the release in the event log.
    this.#recordResult(this.#round);
    // While a node has not responded, its state is unknown, and so is whether it is released.
    const isLeft = released.includes(false) || this.#rows.some(({ outcome }) => outcome.state === 'sending');
    this.#isReleased = !isLeft;
    this.#record.release(this.#stopId, this.#rows, began, isLeft);
  }

  /**
   * Applies the published stop in force, acknowledged or not: a stop that another program has released is neither sent
   * again nor released by this run.
   */
  observe({ lab, eventManager, isRead, stopRecord }: StopReading): void {
    if (this.#stopId === null || this.#isOver || this.#isReleased || this.#sentAt === null) return;
    if (stopRecord?.id === this.#stopId) {
      this.#lab = lab;
      this.#publishedIn = eventManager;
      const corrected = correctedRows(this.#rows, stopRecord.nodes);
      if (corrected !== this.#rows) {
        this.#rows = corrected;
        this.#wiring.onChange();
      }
      if (stopRecord.released === true && this.#isActive && !this.#isForeign) this.callOff();
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
    if (isReplaced) return this.#wiring.onChange();
    this.#round.abort();
    this.#isReadingNodes = false;
    this.#isActive = false;
    this.#rows = this.#rows.map((row) =>
      doneBy(row).length === 0 ? row : { ...row, releasedAt: row.releasedAt ?? this.#wiring.now() },
    );
    this.#wiring.onChange();
  }

  /** Hides the stop everywhere without releasing it. */
  acknowledge(stopId: string, nodes: readonly StoppedNode[]): void {
    this.#record.acknowledge(stopId, nodes);
  }

  /**
   * Shows the stop in force, even if sent from another page, without sending commands. Nodes released here stay released.
   * @param workcell address of the workcell manager as it is reached from here
   */
  adopt(shown: LabStop, workcell: string): void {
    // Results of this run's own pending commands are reported separately.
    const isOwn = shown.id !== null && shown.id === this.#stopId && !this.#isForeign;
    if (this.#isActive || isOwn) return;
    const isSame = this.#isForeign && this.#stopId === shown.id;
    this.#publishedIn = null;
    this.#lab = this.#wiring.lab();
    this.#isReleased = false;
    this.#isOver = false;
    const known = new Map(isSame ? this.#rows.map((row) => [row.name, row]) : []);
    this.#isForeign = true;
    this.#stopId = shown.id;
    this.#sentAt = shown.at === null ? null : Date.parse(shown.at);
    this.#rows = shown.nodes
      .map((node) => {
        const { releasedAt = null, releaseFailure = '' } = known.get(node.name) ?? {};
        return { ...rowOf(node, workcell), releasedAt, releaseFailure };
      })
      .reduce(putRow, [] as readonly StopRow[]);
    this.#wiring.onChange();
  }

  async #stopOne(mine: AbortController, target: StopTarget, earlier: FindEarlierRow): Promise<void> {
    const known = earlier(target);
    const isInEffect = known !== undefined && known.releasedAt === null;
    const isUnread = !isInEffect && this.#wiring.readAt() < (known?.releasedAt ?? 0) + readDelayMs;
    // Effects of an earlier press belong to the stop, not to the state before it.
    const before =
      known !== undefined && (isInEffect || isUnread) ? known.previousCommands : this.#wiring.effectsBefore(target);
    const didBefore = isInEffect ? doneBy(known) : [];
    let best: StopOutcome = sendingOutcome;
    const put = (outcome: StopOutcome, attempt: number): void => {
      if (mine !== this.#round) return;
      if (isMoreCertain(outcome, best)) best = outcome;
      const shown = this.#rows.find((row) => rowKey(row) === rowKey(target));
      // A command confirmed after a release was not undone by it.
      const isNewer = shown === undefined || isMoreCertain(best, shown.outcome);
      const releasedAt = isNewer ? null : shown.releasedAt;
      const releaseFailure = isNewer ? '' : shown.releaseFailure;
      const row = {
        ...target,
        outcome: best,
        attempt,
        previousCommands: before,
        didBefore,
        releasedAt,
        releaseFailure,
      };
      this.#rows = putRow(this.#rows, row);
      this.#wiring.onChange();
    };
    put(sendingOutcome, 1);
    const key = rowKey(target);
    const releasing = this.#releasing.get(key);
    const send = (): Promise<unknown> => stopUntilConfirmed(this.#wiring.routesTo(target), put, mine.signal);
    const sendAgain = async (): Promise<void> => {
      await releasing;
      if (mine.signal.aborted) return;
      // The pending command of the release may have undone the confirmed commands.
      best = sendingOutcome;
      put(sendingOutcome, 1);
      await send();
    };
    const sending = releasing === undefined ? send() : send().then(sendAgain);
    this.#inFlight.set(key, sending);
    await sending;
    if (this.#inFlight.get(key) === sending) this.#inFlight.delete(key);
  }

  async #stopListed(
    mine: AbortController,
    {
      targets,
      readListedNodes,
      earlier,
    }: Pick<StopTargets, 'readListedNodes'> & { targets: readonly StopTarget[]; earlier: FindEarlierRow },
  ): Promise<void> {
    const all = await readListedNodes(mine.signal);
    if (mine.signal.aborted) return;
    const done = new Set(targets.map(rowKey));
    await Promise.all(
      all.filter((target) => !done.has(rowKey(target))).map((target) => this.#stopOne(mine, target, earlier)),
    );
  }

  /** @returns whether the node executed all commands */
  async #releaseOne(release: Release, isOvertaken: () => boolean): Promise<boolean> {
    const key = rowKey(release);
    const stopping = this.#inFlight.get(key);
    const settled = stopping === undefined ? Promise.resolve() : Promise.race([stopping, pause(stopDeadlineMs)]);
    // Undo commands that a slow node has confirmed meanwhile as well.
    const planned = settled.then(() =>
      this.#wiring.releases(this.#rows).find((each) => rowKey(each) === rowKey(release)),
    );
    const releasing = this.#wiring.release(
      release,
      planned.then((now) => now ?? release),
      isOvertaken,
    );
    this.#releasing.set(key, releasing);
    const failure = await releasing;
    if (this.#releasing.get(key) === releasing) this.#releasing.delete(key);
    if (isOvertaken()) return false;
    const releasedAt = failure === null ? this.#wiring.now() : null;
    this.#rows = this.#rows.map((row) =>
      rowKey(row) === rowKey(release) ? { ...row, releasedAt, releaseFailure: failure ?? '' } : row,
    );
    this.#wiring.onChange();
    return failure === null;
  }

  /** Records the current results before the page closes, so that other programs can release the stop. */
  recordProgress(): void {
    this.#recordResult(this.#round);
  }

  #recordResult(mine: AbortController): void {
    if (mine !== this.#round || this.#stopId === null || this.#isForeign || this.#isOver || this.#sentAt === null)
      return;
    this.#record.result(this.#stopId, this.#rows, this.#sentAt);
  }
}
