/**
 * The desktop app's safety stop: the service runs it or, if that does not accept it, the app itself with the nodes of its
 * file, independent of service, dashboard and workcell manager.
 */
import { hostname } from 'node:os';
import { errorText } from '../../api/errorText.ts';
import { appKeyHeader } from '../../api/lab/access.ts';
import { createClient, type Client } from '../../api/client/client.ts';
import type { CommandFields } from '../../api/commandRecord.ts';
import { labKey } from '../../api/lab/followedLab.ts';
import { safetyStopApi, type StopRequest } from '../../api/lab/safetyStopApi.ts';
import { FallbackStop } from '../../api/safetyStop/fallbackStop.ts';
import { followStop } from '../../api/safetyStop/followStop.ts';
import { listUnansweredNodes, type LabStop } from '../../api/safetyStop/labStop.ts';
import { workcellDelayMs } from '../../api/safetyStop/safetyStop.ts';
import { planReleases, releaseBlockedReason } from '../../api/safetyStop/stopReport.ts';
import type { KnownNodes } from '../../server/lab/knownNodes.ts';
import { accountName } from '../../server/commandLog/commandLog.ts';
import type { Log } from '../../server/logging/log.ts';
import { freshFetch } from '../../server/net/freshFetch.ts';
import { StopRoutes } from '../../server/safetyStop/nodeRoutes.ts';
import { toStopTargets } from '../../server/safetyStop/stopExecution.ts';

/** A release waits for the end of running steps, for ten minutes at most, in ms. */
const maxReleaseMs = 11 * 60_000;

export interface StopReport {
  /** The lab and its machine: `Bench on lab-pc`. */
  readonly lab: string;
  readonly stop: LabStop;
  /** The number of nodes that can be released. */
  readonly releasableCount: number;
  /** Whether the stop is in effect, also without such a node. */
  readonly canRelease: boolean;
}

export interface SafetyStopOptions {
  readonly nodes: () => KnownNodes | null;
  /** The lab and its machine, for the report. */
  readonly lab: () => string;
  /**
   * The reason why no stop may be sent without a confirmation: the machine of the nodes is uncertain. `null` if it is
   * certain.
   */
  readonly refusalReason: () => string | null;
  /** The safety stop in effect in the lab, acknowledged or not, as the service publishes it. */
  readonly labStop: () => LabStop | null;
  /** The address of the service on this machine, and the key of this app at it; `null` while it does not run. */
  readonly service: () => { readonly url: string; readonly key: string | null } | null;
  readonly log: Log;
  readonly onChange: () => void;
  /** Address of the shown lab's event manager; `null` while it is unknown. */
  readonly eventManager: () => string | null;
  /** Records the command in the log of that event manager and returns the ID of the event. */
  readonly record: (fields: CommandFields, title: string, eventManager: string | null) => string;
}

/** A safety stop of a lab while some of its nodes are stopped or unconfirmed. */
export interface LocalStop {
  /** The lab and its machine. */
  readonly lab: string;
  readonly unconfirmedNodes: readonly string[];
}

/** The safety stop of one lab. Showing another lab neither ends nor releases it. */
interface LabRun {
  readonly fallback: FallbackStop;
  /** The lab and its machine. */
  lab: string;
  nodes: KnownNodes | null;
  /** Address of the lab's event manager; `null` while it is unknown. */
  eventManager: string | null;
  /** The stop in effect as last published while the lab was shown. */
  published: LabStop | null;
}

export class SafetyStop {
  readonly #options: SafetyStopOptions;
  /** The runs by lab key. */
  readonly #runs = new Map<string, LabRun>();
  /** The report while it is open. */
  #report: { readonly run: LabRun; readonly stop: LabStop } | null = null;

  constructor(options: SafetyStopOptions) {
    this.#options = options;
  }

  /** The report while it is open; `null` if there was no stop, or it is closed. */
  get report(): StopReport | null {
    if (this.#report === null) return null;
    const { run, stop } = this.#report;
    const releasableCount = planReleases(stop, null).length;
    const canRelease = stopInEffect(run) !== null && releaseBlockedReason(stop, releasableCount) === null;
    return { lab: run.lab, stop, releasableCount, canRelease };
  }

  /** Whether there is a report to open: of this app's stop, or of the one in effect in the lab. */
  get hasReport(): boolean {
    return currentStop(this.#shownRun) !== null;
  }

  /** The stop that this app has sent itself, because the service did not accept it. */
  get localStop(): LocalStop | null {
    const { lab, fallback } = this.#shownRun;
    return toLocalStop(lab, fallback.inEffect);
  }

  /** The stops of labs other than the shown one, whose state doesn't include them. */
  get stopsOfOtherLabs(): readonly LocalStop[] {
    const shownRun = this.#shownRun;
    return [...this.#runs.values()].flatMap((run) => {
      const stop = run === shownRun ? null : toLocalStop(run.lab, stopInEffect(run));
      return stop === null ? [] : [stop];
    });
  }

  /**
   * Sends the stop at once to all nodes. Resolves when the service has accepted it, or all attempts of this app have ended.
   * @param isConfirmed the user has just confirmed the machine of the nodes
   * @throws Error with the reason for a refusal
   */
  async stop(isConfirmed = false): Promise<void> {
    const refusal = isConfirmed ? null : this.#options.refusalReason();
    if (refusal !== null) throw new Error(refusal);
    const run = this.#shownRun;
    const { lab, fallback } = run;
    this.#options.log.warn(`Safety stop of ${lab}`);
    const at = new Date().toISOString();
    this.#report = { run, stop: { id: null, at, machine: null, application: null, nodes: [] } };
    await fallback.press();
    for (const { name, result, reason, did } of fallback.stop?.nodes ?? [])
      this.#options.log.warn(`Safety stop of ${name}: ${result}`, { reason, did });
  }

  /** Opens the report again, of the stop in effect; sends nothing. */
  openReport(): void {
    const run = this.#shownRun;
    const stop = currentStop(run);
    if (stop !== null) this.#report = { run, stop };
    this.#options.onChange();
  }

  /** Opens the report of the shown lab's stop in effect; without one, closes the report of an earlier stop or lab. */
  openCurrentReport(): void {
    const run = this.#shownRun;
    const stop = stopInEffect(run);
    this.#report = stop && { run, stop };
    this.#options.onChange();
  }

  /** Applies the state of the lab that the service has published. */
  observe(): void {
    const { fallback, published } = this.#shownRun;
    fallback.observe(published);
    this.#update();
  }

  /** Closes the report; nodes that did not confirm are still sent the stop again. */
  closeReport(): void {
    this.#report = null;
    this.#options.onChange();
  }

  /** Undoes exactly the commands that each node of the report confirmed, by the service or else from here. */
  async release(): Promise<void> {
    const shownRun = this.#shownRun;
    const { run = shownRun } = this.#report ?? {};
    await run.fallback.release(run === shownRun ? () => this.#releaseByService(run) : null);
  }

  async #releaseByService(run: LabRun): Promise<void> {
    try {
      const client = this.#createClient();
      const { stop } = await client.release({ body: createRequest() });
      this.#showReleased(run, stop);
      // At its end, the service publishes no stop any more.
      this.#showReleased(run, await followStop(client, stop, maxReleaseMs));
    } catch (error) {
      this.#options.log.warn('The service did not release the safety stop', { reason: errorText(error) });
      throw error;
    }
  }

  /** Identifies the lab whose nodes a press targets. */
  get shownLabKey(): string {
    const nodes = this.#options.nodes();
    return labKey(nodes?.workcell ?? null, nodes?.follows ?? null);
  }

  /** The run of the shown lab, whose nodes a press targets, with its present data. */
  get #shownRun(): LabRun {
    const { nodes: readNodes, lab, labStop, eventManager } = this.#options;
    const nodes = readNodes();
    const key = this.shownLabKey;
    const run = this.#runs.get(key) ?? this.#createRun();
    this.#runs.set(key, run);
    return Object.assign(run, { lab: lab(), nodes, published: labStop(), eventManager: eventManager() });
  }

  #createRun(): LabRun {
    const fallback: FallbackStop = new FallbackStop({
      postToService: async (request) => this.#createClient().stop({ body: { ...createRequest(), ...request } }),
      targets: () => toStopTargets(run.nodes),
      routesTo: (target) => new StopRoutes(run.nodes?.workcell ?? null).routesTo(target),
      delayMs: workcellDelayMs,
      sender: () => {
        const user = accountName();
        return { machine: hostname(), application: 'desktop app', ...(user !== null && { user }) };
      },
      published: () => run.published,
      record: ({ fields, title }) => this.#options.record(fields, title, run.eventManager),
      onChange: () => this.#update(),
    });
    const run: LabRun = { fallback, lab: '', nodes: null, eventManager: null, published: null };
    return run;
  }

  #update(): void {
    const shownRun = this.#shownRun;
    const { run = shownRun } = this.#report ?? {};
    const stop = currentStop(run);
    if (this.#report !== null && stop !== null) this.#report = { run, stop };
    this.#options.onChange();
  }

  #showReleased(run: LabRun, stop: LabStop | null): void {
    if (stop !== null && this.#report?.run === run) this.#report = { run, stop };
    this.#options.onChange();
  }

  #createClient(): Client<typeof safetyStopApi> {
    const service = this.#options.service();
    if (service === null) throw new Error('The service does not run');
    const { url: baseUrl, key } = service;
    return createClient(safetyStopApi, {
      baseUrl,
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        if (key !== null) headers.set(appKeyHeader, key);
        return freshFetch(input, { ...init, headers });
      },
    });
  }
}

function createRequest(): StopRequest {
  const user = accountName();
  return { application: 'desktop app', ...(user !== null && { user }) };
}

/** The stop in effect: the one that the app has sent itself, or the published one. */
function currentStop({ fallback, published }: LabRun): LabStop | null {
  return fallback.stop ?? published;
}

/** The same without a stop that was released from here. */
function stopInEffect({ fallback, published }: LabRun): LabStop | null {
  return fallback.stop === null ? published : fallback.inEffect;
}

/** Counts the confirmed nodes of a stop, and lists those not known to have stopped. */
export function countStopped({ nodes }: Pick<LabStop, 'nodes'>): {
  readonly confirmedCount: number;
  readonly otherNodes: readonly string[];
} {
  const confirmedCount = nodes.filter(({ result }) => result === 'confirmed').length;
  return { confirmedCount, otherNodes: listUnansweredNodes({ nodes }).map(({ name }) => name) };
}

function toLocalStop(lab: string, stop: LabStop | null): LocalStop | null {
  return stop && { lab, unconfirmedNodes: countStopped(stop).otherNodes };
}
