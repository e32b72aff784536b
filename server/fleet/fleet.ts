/**
 * Polls the labs of `LAB_FLEET` for the page that shows them, each every 15 s, spread over that time. A lab that does not
 * respond is polled less often and in a separate queue, so that it does not delay the labs that respond.
 */
import { stringifyExactJson } from '../../api/exactJson.ts';
import { andMore } from '../../api/countText.ts';
import { clock } from '../../api/time/clock.ts';
import type { FleetLab, FleetLabs, FleetState } from '../../api/lab/fleet.ts';
import { machineLabel } from '../../api/lab/followedLab.ts';
import { LabManagerReader } from '../attached/labManagerReader.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { throttleLog, type ThrottledLog } from '../logging/throttle.ts';
import { NameLookup } from '../net/nameLookup.ts';
import { parseFleetEntry, type FleetEntry } from '../settings/parse/addresses.ts';
import { readLab, type ReadLab } from './readLab.ts';

const pollIntervalMs = 15_000;
/** Polling interval of lab managers without a summary, in ms: MADSci's own checks all of its managers for each request. */
const healthPollIntervalMs = 30_000;
/** Polling intervals after one, two and more failures, in ms. */
const retryMs = [pollIntervalMs, 30_000, 60_000] as const;
/** A lab that has responded before counts as unreachable after this number of failures in a row. */
const minFailures = 2;
/** The number of readings without a summary before it is requested again: another program may serve the lab by then. */
const readingsWithoutSummary = 10;
/** Minimum interval between two snapshots, in ms. */
const snapshotIntervalMs = 5000;
/** Maximum number of concurrent requests to labs that responded to the last request, and to the others. */
const maxRequests = { responding: 48, others: 128 } as const;

interface Connections {
  readonly responding: TaskQueue;
  readonly others: TaskQueue;
  /** Runs one lookup at a time and caches results longer, so that a thousand names do not delay those of this lab's managers. */
  readonly lookup: NameLookup;
}

class FleetLabReader {
  readonly entry: FleetEntry;
  readonly #reader: LabManagerReader;
  #lab: ReadLab | null = null;
  /** In ms since the epoch. */
  #respondedAt: number | null = null;
  /** The number of readings until the summary is requested again; 0: the next reading requests it. */
  #remainingWithoutSummary = 0;

  constructor(entry: FleetEntry, { responding, others, lookup }: Connections, log: Log) {
    this.entry = entry;
    const { url } = entry;
    this.#reader = new LabManagerReader(url, log, {
      retryMs,
      read: async (signal, timeoutMs) => {
        const queue = this.#lab !== null && this.#reader.lost.value === null ? responding : others;
        const requestsSummary = this.#remainingWithoutSummary === 0;
        const reading = await queue.run(() => readLab({ url, requestsSummary, timeoutMs, signal, lookup }));
        return 'lab' in reading ? { apply: () => this.#apply(reading.lab, requestsSummary) } : reading;
      },
    });
  }

  /** @param ms until the first reading */
  startIn(ms: number): void {
    this.#reader.startIn(ms);
  }

  stop(): void {
    this.#reader.stop();
  }

  #apply(lab: ReadLab, wasSummaryRequested: boolean): void {
    this.#lab = lab;
    this.#respondedAt = clock.now();
    if (lab.version !== null) this.#remainingWithoutSummary = 0;
    else
      this.#remainingWithoutSummary = wasSummaryRequested ? readingsWithoutSummary : this.#remainingWithoutSummary - 1;
    this.#reader.intervalMs = this.#remainingWithoutSummary > 0 ? healthPollIntervalMs : pollIntervalMs;
  }

  /** `null` until it has responded, and for a lab without a name. */
  get reportedName(): string | null {
    return this.#lab?.lab_name ?? null;
  }

  row(): FleetLab {
    const { url, name } = this.entry;
    const { failures } = this.#reader;
    const lost = this.#reader.lost.value;
    const lab = this.#lab;
    const answered = this.#respondedAt === null ? null : new Date(this.#respondedAt).toISOString();
    const isUnreachable = lost !== null && (lab === null || failures >= minFailures);
    const identity = {
      url,
      name: name ?? this.reportedName ?? shortAddress(url),
      answered,
      version: lab?.version ?? null,
      ...(lab?.demo && { demo: lab.demo }),
    };
    const { safety_stop: stop = null, stops_read: stopsRead = false } = lab ?? {};
    if (lab !== null && !isUnreachable) {
      const { managers, nodes, workflows, incidents } = lab;
      const details = { managers, nodes, workflows, incidents, safety_stop: stop, stops_read: stopsRead };
      return { ...identity, ...summarizeCondition(lab), ...details };
    }
    return {
      ...identity,
      state: isUnreachable ? 'unreachable' : 'unknown',
      since: isUnreachable ? new Date(lost.since).toISOString() : null,
      reason: isUnreachable ? lost.reason : null,
      managers: null,
      nodes: null,
      workflows: null,
      incidents: null,
      safety_stop: stop,
      stops_read: stopsRead,
    };
  }
}

/** State, start and reason of a lab that responds, from its most urgent condition. */
function summarizeCondition({
  state,
  since,
  incidents,
  needs,
  safety_stop: stop,
}: ReadLab): Pick<FleetLab, 'state' | 'since' | 'reason'> {
  const open = incidents !== null && incidents.open > 0 ? incidents.last : null;
  const incident = open === null ? null : open.reason === null ? open.name : `${open.name}: ${open.reason}`;
  const more = needs !== undefined && needs.count > 1 ? ` (${andMore(needs.count - 1)})` : '';
  const reason = needs === undefined ? incident : needs.first && `${needs.first}${more}`;
  const isInNeed = (needs?.count ?? incidents?.open ?? 0) > 0;
  const summarize = (displayedState: FleetState, from: string | null) => ({
    state: displayedState,
    since: from,
    reason,
  });
  if (stop?.in_force) return summarize('stopped', stop.at);
  return state === 'healthy' && isInNeed ? summarize('incidents', open?.from ?? null) : summarize(state, since);
}

export interface FleetSnapshot {
  /** Identifies this state of the fleet in the header ETag. */
  readonly tag: string;
  /** The body of `/fleet/labs`. */
  readonly text: string;
}

/** `http://lab-pc:8000/bench4/` → `lab-pc/bench4`: labs behind one proxy differ only by their paths. */
function shortAddress(url: string): string {
  return `${machineLabel(url)}${new URL(url).pathname.replace(/\/$/, '')}`;
}

export class Fleet {
  readonly #log: ThrottledLog;
  readonly #connections: Connections = {
    responding: new TaskQueue(maxRequests.responding),
    others: new TaskQueue(maxRequests.others),
    lookup: new NameLookup(undefined, { maxLookups: 1, maxHosts: 4000, freshMs: 300_000 }),
  };
  /** By address and name, in the order of the settings. */
  #labs = new Map<string, FleetLabReader>();
  #snapshot: (FleetSnapshot & { readonly at: number }) | null = null;
  #version = 0;
  readonly #started = clock.now().toString(36);
  readonly #spreadMs: number;

  /** @param spreadMs the time over which the first readings are spread, in ms */
  constructor(log: Log, spreadMs: number = pollIntervalMs) {
    this.#log = throttleLog(log);
    this.#spreadMs = spreadMs;
  }

  /** The number of labs. */
  get size(): number {
    return this.#labs.size;
  }

  /** @param texts the value of `LAB_FLEET`; labs that remain in it keep their readers */
  configure(texts: readonly string[]): void {
    const before = this.#labs;
    this.#labs = new Map(texts.map((text) => [text, before.get(text) ?? this.#create(text)]));
    for (const [text, lab] of before) if (!this.#labs.has(text)) lab.stop();
    const added = [...this.#labs].flatMap(([text, lab]) => (before.has(text) ? [] : [lab]));
    for (const [index, lab] of added.entries()) lab.startIn((index * this.#spreadMs) / added.length);
    this.#snapshot = null;
  }

  stop(): void {
    for (const lab of this.#labs.values()) lab.stop();
    this.#labs.clear();
    this.#snapshot = null;
    this.#log.endWindow();
  }

  /** All labs as last read, in the order of the configuration. */
  rows(): readonly FleetLab[] {
    return [...this.#labs.values()].map((lab) => lab.row());
  }

  /** The name that each lab has reported, by its address; `null` until it has responded, and for a lab without a name. */
  reportedNames(): ReadonlyMap<string, string | null> {
    return new Map([...this.#labs.values()].map(({ entry, reportedName }) => [entry.url, reportedName]));
  }

  /** All labs as last read; cached for five seconds. @param now in ms since the epoch */
  snapshot(now = clock.now()): FleetSnapshot {
    const latest = this.#snapshot;
    if (latest !== null && now >= latest.at && now - latest.at < snapshotIntervalMs) return latest;
    this.#version += 1;
    const body: FleetLabs = {
      now: new Date(now).toISOString(),
      interval_seconds: pollIntervalMs / 1000,
      labs: [...this.rows()],
    };
    this.#snapshot = { tag: `W/"${this.#started}-${this.#version}"`, text: stringifyExactJson(body), at: now };
    return this.#snapshot;
  }

  #create(text: string): FleetLabReader {
    const entry = parseFleetEntry(text);
    if (!entry.ok) throw new Error(`A lab of LAB_FLEET ${entry.message}`);
    return new FleetLabReader(entry.value, this.#connections, this.#log);
  }
}
