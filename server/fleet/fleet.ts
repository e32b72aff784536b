/**
 * Reads the labs of `LAB_FLEET`, each every 15 s and spread over that time, for the page that shows them. A lab that does not
 * respond is read less often, and has other places among the concurrent requests, so that it delays none that responds.
 */
import type { FleetLab, FleetLabs, FleetState } from '../../api/lab/fleet.ts';
import { machineOf } from '../../api/lab/followed.ts';
import { LabManagerReader } from '../attached/labManagerReader.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { throttleLog } from '../logging/throttle.ts';
import { NameLookup } from '../net/nameLookup.ts';
import { parseFleetEntry, type FleetEntry } from '../settings/parse/addresses.ts';
import { readLab, type ReadLab } from './readLab.ts';

const everyMs = 15_000;
/** A lab manager of another kind checks all of its managers for each request, so it is read less often, in ms. */
const healthEveryMs = 30_000;
/** Polling intervals after one, two and more failures, in ms. */
const retryMs = [everyMs, 30_000, 60_000] as const;
/** One missed response is no outage: a lab that has responded before is unreachable after so many failures in a row. */
const minFailures = 2;
/** A lab manager without a summary may be replaced by one of our kind: so many readings later it is requested again. */
const summaryAgainAfter = 10;
/** A new snapshot is made at most this often, in ms. */
const snapshotMs = 5000;
/** Maximum number of concurrent requests to labs that responded last, and to those that did not. */
const maxRequests = { responding: 48, others: 128 } as const;

interface Connections {
  readonly responding: TaskQueue;
  readonly others: TaskQueue;
  /** Lookups of a thousand names must not delay those of this lab's managers, so one runs at a time, and results last longer. */
  readonly lookup: NameLookup;
}

class LabOfFleet {
  readonly entry: FleetEntry;
  readonly #reader: LabManagerReader;
  #lab: ReadLab | null = null;
  /** In ms since the epoch. */
  #answeredAt: number | null = null;
  /** The number of readings until the summary is requested again; 0: it is requested. */
  #withoutSummary = 0;

  constructor(entry: FleetEntry, { responding, others, lookup }: Connections, log: Log) {
    this.entry = entry;
    const { url } = entry;
    this.#reader = new LabManagerReader(url, log, {
      everyMs: () => (this.#withoutSummary > 0 ? healthEveryMs : everyMs),
      retryMs: (failures) => retryMs[failures - 1] ?? retryMs[2],
      onLost: () => undefined,
      read: async (signal, timeoutMs) => {
        const queue = this.#lab !== null && this.#reader.lost === null ? responding : others;
        const hasSummary = this.#withoutSummary === 0;
        const reading = await queue.run(() => readLab({ url, hasSummary, timeoutMs, signal, lookup }));
        return 'lab' in reading ? { readState: () => this.#readState(reading.lab, hasSummary) } : reading;
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

  #readState(lab: ReadLab, wasSummaryRequested: boolean): void {
    this.#lab = lab;
    this.#answeredAt = Date.now();
    if (lab.version !== null) this.#withoutSummary = 0;
    else this.#withoutSummary = wasSummaryRequested ? summaryAgainAfter : this.#withoutSummary - 1;
  }

  /** `null` until it has responded, and for a lab without a name. */
  get reportedName(): string | null {
    return this.#lab?.lab_name ?? null;
  }

  row(): FleetLab {
    const { url, name } = this.entry;
    const { lost, failures } = this.#reader;
    const lab = this.#lab;
    const answered = this.#answeredAt === null ? null : new Date(this.#answeredAt).toISOString();
    const isUnreachable = lost !== null && (lab === null || failures >= minFailures);
    const identity = {
      url,
      name: name ?? this.reportedName ?? placeOf(url),
      answered,
      version: lab?.version ?? null,
      ...(lab?.demo && { demo: lab.demo }),
    };
    const { safety_stop: stop = null, stops_read: stopsRead = false } = lab ?? {};
    if (lab !== null && !isUnreachable) {
      const { managers, nodes, workflows, incidents } = lab;
      const known = { managers, nodes, workflows, incidents, safety_stop: stop, stops_read: stopsRead };
      return { ...identity, ...conditionOf(lab), ...known };
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

/** The most urgent statement about a lab that responds. */
function conditionOf({
  state,
  since,
  incidents,
  safety_stop: stop,
}: ReadLab): Pick<FleetLab, 'state' | 'since' | 'reason'> {
  const open = incidents !== null && incidents.open > 0 ? incidents.last : null;
  const reason = open === null ? null : open.reason === null ? open.name : `${open.name}: ${open.reason}`;
  const summarize = (shown: FleetState, from: string | null) => ({ state: shown, since: from, reason });
  if (stop?.in_force) return summarize('stopped', stop.at);
  return state === 'healthy' && (incidents?.open ?? 0) > 0
    ? summarize('incidents', open?.from ?? null)
    : summarize(state, since);
}

export interface FleetSnapshot {
  /** Identifies this state of the fleet in the header ETag. */
  readonly tag: string;
  /** The body of `/fleet/labs`. */
  readonly text: string;
}

/** `http://lab-pc:8000/bench4/` → `lab-pc/bench4`: labs behind one proxy differ only by their paths. */
function placeOf(url: string): string {
  return `${machineOf(url)}${new URL(url).pathname.replace(/\/$/, '')}`;
}

export class Fleet {
  readonly #log: Log;
  readonly #connections: Connections = {
    responding: new TaskQueue(maxRequests.responding),
    others: new TaskQueue(maxRequests.others),
    lookup: new NameLookup(undefined, { maxLookups: 1, maxHosts: 4000, freshMs: 300_000 }),
  };
  /** By address and name, in the order of the settings. */
  #labs = new Map<string, LabOfFleet>();
  #snapshot: (FleetSnapshot & { readonly at: number }) | null = null;
  #version = 0;
  readonly #started = Date.now().toString(36);
  readonly #spreadMs: number;

  /** @param spreadMs the time over which the first readings are spread, in ms */
  constructor(log: Log, spreadMs: number = everyMs) {
    this.#log = throttleLog(log);
    this.#spreadMs = spreadMs;
  }

  /** The number of labs. */
  get size(): number {
    return this.#labs.size;
  }

  /** @param texts the value of `LAB_FLEET`; labs that stay in it are read on as before */
  configure(texts: readonly string[]): void {
    const before = this.#labs;
    this.#labs = new Map(texts.map((text) => [text, before.get(text) ?? this.#create(text)]));
    for (const [text, lab] of before) if (!this.#labs.has(text)) lab.stop();
    const added = [...this.#labs].flatMap(([text, lab]) => (before.has(text) ? [] : [lab]));
    for (const [at, lab] of added.entries()) lab.startIn((at * this.#spreadMs) / added.length);
    this.#snapshot = null;
  }

  stop(): void {
    for (const lab of this.#labs.values()) lab.stop();
    this.#labs.clear();
    this.#snapshot = null;
  }

  /** All labs as last read, in the order of the configuration. */
  rows(): readonly FleetLab[] {
    return [...this.#labs.values()].map((lab) => lab.row());
  }

  /** The name that each lab has reported, by its address; `null` until it has responded, and for a lab without a name. */
  reportedNames(): ReadonlyMap<string, string | null> {
    return new Map([...this.#labs.values()].map(({ entry, reportedName }) => [entry.url, reportedName]));
  }

  /** All labs as last read; the same object for all requests within five seconds. @param now in ms since the epoch */
  snapshot(now = Date.now()): FleetSnapshot {
    const latest = this.#snapshot;
    if (latest !== null && now >= latest.at && now - latest.at < snapshotMs) return latest;
    this.#version += 1;
    const body: FleetLabs = {
      now: new Date(now).toISOString(),
      interval_seconds: everyMs / 1000,
      labs: [...this.rows()],
    };
    this.#snapshot = { tag: `W/"${this.#started}-${this.#version}"`, text: JSON.stringify(body), at: now };
    return this.#snapshot;
  }

  #create(text: string): LabOfFleet {
    const entry = parseFleetEntry(text);
    if (!entry.ok) throw new Error(`A lab of LAB_FLEET ${entry.message}`);
    return new LabOfFleet(entry.value, this.#connections, this.#log);
  }
}
