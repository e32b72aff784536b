/**
 * The desktop app's safety stop: it targets every known node, independent of dashboard, service and workcell manager.
 * The nodes are those that the service reports; without a service, those in the file.
 */
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { AdminCommand } from '../../api/managers/action.ts';
import { createClient } from '../../api/client/client.ts';
import type { CommandFields } from '../../api/commandRecord.ts';
import { labKey } from '../../api/lab/followedLab.ts';
import type { LabStop, StopReading } from '../../api/safetyStop/labStop.ts';
import { planReleases, rowKey, type Release, type StopRow, type StopTarget } from '../../api/safetyStop/stopReport.ts';
import { routeTimeoutMs as timeoutMs, StopRun } from '../../api/safetyStop/stopRun.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import type { Log } from '../../server/logging/log.ts';
import { readKnownNodes, type KnownNodes } from '../../server/activity/knownNodes.ts';
import { releaseNode, createRoutes } from './stopRoutes.ts';

export interface StopReport {
  /** The ID of its event; `null` before it is recorded. */
  readonly id: string | null;
  /** The lab and its machine: `Bench on lab-pc`. */
  readonly lab: string;
  /** The time of the press, in ms since the epoch. */
  readonly sentAt: number;
  readonly rows: readonly StopRow[];
  /** True while the stop is repeated to nodes that did not confirm. */
  readonly isSending: boolean;
  /** True while the workcell manager is queried for further nodes. */
  readonly isReadingNodes: boolean;
  /** The number of nodes that can be released. */
  readonly releasableCount: number;
}

export interface SafetyStopOptions {
  readonly nodes: () => KnownNodes | null;
  /** The time at which the nodes' flags were last read, in ms since the epoch; 0 if never. */
  readonly nodesReadAt: () => number;
  /** The lab and its machine, for the report. */
  readonly lab: () => string;
  /**
   * The reason why no stop may be sent without a confirmation: the machine of the nodes is uncertain. `null` if it is
   * certain.
   */
  readonly refusalReason: () => string | null;
  /** The safety stop in effect in the lab, as the service publishes it. */
  readonly labStop: () => LabStop | null;
  /** The safety stops that the service publishes, acknowledged or not; `null` before it first reports the lab. */
  readonly reading: () => StopReading | null;
  readonly log: Log;
  readonly onChange: () => void;
  /**
   * Records the command in the event log and returns the ID of the event.
   * @param eventManager the address of its event manager; `null` for that of the shown lab
   */
  readonly record: (facts: CommandFields, what: string, eventManager: string | null) => string;
}

/** The safety stop of one lab. Showing another lab neither ends nor releases it. */
interface LabRun {
  readonly key: string;
  readonly run: StopRun;
  /** The lab and its machine. */
  lab: string;
  /** The nodes when the stop was last sent or its report opened; `null` if none were known. */
  nodes: KnownNodes | null;
  /** Address of the lab's event manager; `null` while it is unknown. */
  eventManager: string | null;
}

/** A safety stop that this app sent to a lab, while some of its nodes are stopped or unconfirmed. */
export interface LocalStop {
  /** The lab and its machine. */
  readonly lab: string;
  readonly unconfirmedNodes: readonly string[];
}

export class SafetyStop {
  readonly #options: SafetyStopOptions;
  /** The runs by lab key. */
  readonly #runs = new Map<string, LabRun>();
  /** The run of the last report, which is open while `#isShown`. */
  #reportedRun: LabRun | null = null;
  #isShown = false;

  constructor(options: SafetyStopOptions) {
    this.#options = options;
  }

  /** The report of the last stop while it is open; `null` when there was none, or it is closed. */
  get report(): StopReport | null {
    return this.#isShown && this.#reportedRun !== null ? createReport(this.#reportedRun) : null;
  }

  /** Whether the report is about the lab that is shown now. */
  get reportsShownLab(): boolean {
    return this.#reportedRun?.key === this.#key;
  }

  /** Whether there is a report to open: of this app's stop, or of the one in effect in the lab. */
  get hasReport(): boolean {
    return this.#reportedRun !== null || this.#options.labStop() !== null;
  }

  /** The stop of the shown lab, while its report is open or if only the nodes' flags show it. */
  get localStop(): LocalStop | null {
    const labRun = this.#runs.get(this.#key);
    if (labRun === undefined) return null;
    const isOpen = this.#isShown && this.#reportedRun === labRun;
    const isShownByFlagsOnly = this.#options.labStop()?.id === null && !labRun.run.isPublished;
    return isOpen || isShownByFlagsOnly ? toLocalStop(labRun) : null;
  }

  /** The stops of labs other than the shown one, whose state doesn't include them. */
  get stopsOfOtherLabs(): readonly LocalStop[] {
    const key = this.#key;
    return [...this.#runs.values()].flatMap((run) => (run.key === key ? [] : (toLocalStop(run) ?? [])));
  }

  /**
   * Sends the stop at once to all known nodes in parallel, and to those that the workcell manager lists in addition.
   * @param isConfirmed the user has just confirmed the machine of the nodes
   * @throws Error with the reason for a refusal
   */
  async stop(isConfirmed = false): Promise<void> {
    const refusal = isConfirmed ? null : this.#options.refusalReason();
    if (refusal !== null) throw new Error(refusal);
    const labRun = this.#updateShownRun();
    const { run, nodes, lab } = labRun;
    const targets = toStopTargets(nodes);
    this.#reportedRun = labRun;
    this.#isShown = true;
    this.#options.log.warn(`Safety stop to ${targets.length} known nodes of ${lab}`);
    const readListedNodes = (signal: AbortSignal) => this.#readListedNodes(nodes?.workcell ?? '', signal);
    await run.stop({ readKnownNodes: async () => targets, readListedNodes }, this.#reading(labRun)?.stopRecord ?? null);
    for (const { name, outcome } of run.rows) {
      this.#options.log.warn(`Safety stop of ${name}: ${outcome.state}`, {
        reason: outcome.reason,
        did: outcome.appliedCommands,
      });
    }
  }

  /** Opens the report again, of this app's stop or else of the one in effect in the lab; sends nothing. */
  openReport(): void {
    const stopInEffect = this.#options.labStop();
    const existingRun = this.#runs.get(this.#key);
    this.#isShown = true;
    if (stopInEffect !== null) {
      const labRun = this.#updateShownRun();
      this.#reportedRun = labRun;
      // Without an event in the log, the report keeps the results of the commands that this app has sent.
      if (stopInEffect.id !== null || toLocalStop(labRun) === null)
        labRun.run.adopt(stopInEffect, labRun.nodes?.workcell ?? '');
      this.observe();
    } else if (existingRun !== undefined) this.#reportedRun = existingRun;
    this.#options.onChange();
  }

  /** Applies the stops in effect that the service has published. */
  observe(): void {
    const reading = this.#options.reading();
    const labRun = reading === null ? undefined : this.#runs.get(reading.lab);
    if (reading === null || labRun === undefined) return;
    labRun.eventManager = reading.eventManager ?? labRun.eventManager;
    labRun.run.observe(reading);
  }

  /** Cancels the retries; the results so far stay. */
  cancelRetries(): void {
    this.#reportedRun?.run.stopSending();
  }

  /** Closes the report; nodes that did not confirm are still sent the stop again. */
  closeReport(): void {
    this.#isShown = false;
    this.#options.onChange();
  }

  /** Undoes exactly the commands that each node confirmed. */
  async release(): Promise<void> {
    await this.#reportedRun?.run.release();
  }

  /** The key of the shown lab, whose nodes a press targets. */
  get #key(): string {
    const nodes = this.#options.nodes();
    if (nodes !== null) return labKey(nodes.workcell, nodes.follows ?? null);
    return this.#options.reading()?.lab ?? labKey(null, null);
  }

  /** Returns the run of the shown lab, with its currently known nodes. */
  #updateShownRun(): LabRun {
    const key = this.#key;
    const labRun = this.#runs.get(key) ?? this.#newRun(key);
    this.#runs.set(key, labRun);
    labRun.lab = this.#options.lab();
    labRun.nodes = this.#options.nodes() ?? labRun.nodes;
    labRun.eventManager = this.#reading(labRun)?.eventManager ?? labRun.eventManager;
    return labRun;
  }

  #reading({ key }: LabRun): StopReading | null {
    const reading = this.#options.reading();
    return reading?.lab === key ? reading : null;
  }

  #newRun(key: string): LabRun {
    const knownNode = ({ name }: Pick<StopTarget, 'name'>) => labRun.nodes?.nodes.find((node) => node.name === name);
    const run: StopRun = new StopRun({
      getRoutes: createRoutes,
      effectsBefore: (target) => (knownNode(target)?.held ?? []) as readonly AdminCommand[],
      readAt: () => this.#options.nodesReadAt(),
      lab: () => key,
      planReleases: releasesFromReplies,
      release: (release, settled, isSuperseded) => {
        const row = run.rows.find((stopRow) => rowKey(stopRow) === rowKey(release));
        const { url = null, commands = null } = knownNode(release) ?? {};
        const node = { ...release, url: row?.url ?? url, commands: row?.commands ?? commands };
        return releaseNode(node, settled, isSuperseded);
      },
      record: (facts, what) => this.#options.record(facts, what, labRun.eventManager),
      onChange: () => this.#options.onChange(),
      now: () => clock.now(),
    });
    const labRun: LabRun = { key, run, lab: '', nodes: null, eventManager: null };
    return labRun;
  }

  /** Returns the nodes in the workcell manager's current list; empty if it does not respond. */
  async #readListedNodes(workcell: string, signal: AbortSignal): Promise<readonly StopTarget[]> {
    if (workcell === '') return [];
    const client = createClient(workcellApi, { baseUrl: workcell, timeoutMs });
    try {
      return toStopTargets(readKnownNodes(workcell, await client.getNodes({}, { signal })));
    } catch (error) {
      this.#options.log.warn(`The workcell manager did not list other nodes: ${errorText(error)}`);
      return [];
    }
  }
}

function toStopTargets(knownNodes: KnownNodes | null): readonly StopTarget[] {
  return (knownNodes?.nodes ?? []).map(({ name, url, commands }) => ({
    workcell: knownNodes?.workcell ?? '',
    name,
    url,
    commands,
  }));
}

function createReport({ lab, run: { stopId, rows, sentAt, isActive, isReadingNodes } }: LabRun): StopReport | null {
  if (sentAt === null) return null;
  return {
    id: stopId,
    lab,
    sentAt,
    rows,
    isSending: isActive,
    isReadingNodes,
    releasableCount: releasesFromReplies(rows).length,
  };
}

/** Returns the releases for the confirmed commands, because the app reads no flags without a service. */
function releasesFromReplies(rows: readonly StopRow[]): readonly Release[] {
  return planReleases({ rows, nodes: {}, workcell: '', isRead: () => false });
}

/** Counts the confirmed nodes of a report, and lists those not known to have stopped. Pure. */
export function countStopped({ rows }: Pick<StopReport, 'rows'>): {
  readonly confirmedCount: number;
  readonly otherNodes: readonly string[];
} {
  const confirmedCount = rows.filter(({ outcome }) => outcome.state === 'confirmed').length;
  const others = rows.filter(({ outcome }) => outcome.state !== 'confirmed' && outcome.state !== 'sending');
  return { confirmedCount, otherNodes: others.map(({ name }) => name) };
}

/** Returns the stop that this app sent to the lab; `null` if it sent none, or its nodes are released. */
function toLocalStop(labRun: LabRun): LocalStop | null {
  const report = createReport(labRun);
  if (report === null || labRun.run.isForeign) return null;
  if (report.releasableCount === 0 && report.rows.some(({ releasedAt }) => releasedAt !== null)) return null;
  return { lab: report.lab, unconfirmedNodes: countStopped(report).otherNodes };
}
