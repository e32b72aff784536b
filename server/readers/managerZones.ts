/**
 * The time zones of the managers' hosts. Managers write most times without a zone; it is derived from their records,
 * whose IDs contain the UTC time.
 */
import { isObject } from '../../api/client/wire.ts';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { commandSource } from '../../api/commandRecord.ts';
import { ensureTrailingSlash } from '../../api/hosts.ts';
import { offsetAt, ownTimeZone, detectTimeZone, type HostZone } from '../../api/time/time.ts';
import { Poller } from '../concurrency/poller.ts';
import { requestJson } from '../net/requestJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { configuredZone, measuredManagers, measuredZone, type MeasuredManager } from '../lab/zones.ts';
import type { LabModel } from '../lab/labModel.ts';

/** The records that show a manager's time zone: their path, and the fields of the ID and the timestamp, which are created together. */
interface ZoneSource {
  readonly path: string;
  readonly id: string;
  readonly stamp: string;
}

/** The managers whose records are read here; `WorkcellReader` reads those of the workcell manager. */
const zoneManagers = measuredManagers.filter((manager) => manager !== 'workcell');
type ZoneManager = (typeof zoneManagers)[number];

/**
 * The resource manager writes naive times in UTC, regardless of its host's zone; the location manager's records have no
 * times.
 */
const zoneSources = {
  event: { path: 'events?number=20', id: '_id', stamp: 'event_timestamp' },
  experiment: { path: 'experiments?number=20', id: '_id', stamp: 'started_at' },
  data: { path: 'datapoints?number=3', id: '_id', stamp: 'data_timestamp' },
} as const satisfies Record<ZoneManager, ZoneSource>;

/** Retry interval for an unreachable manager, in ms. */
const unreachableRetryMs = 1000;
/** Reading interval while the zone is unknown, in ms; afterwards `knownZoneMs` applies. */
const unknownZoneMs = 20_000;
/** Interval after an unreadable response, such as datapoints of many megabytes. */
const failedRetryMs = 300_000;
const knownZoneMs = 600_000;
const timeoutMs = 8000;
/** The maximum number of records evaluated in a response. */
const maxRecords = 50;

export interface ManagerZonesOptions {
  readonly log: Log;
  readonly request?: typeof requestJson;
  /** The zone of this machine. */
  readonly localZone?: HostZone;
}

export class ManagerZones {
  readonly #lab: LabModel;
  readonly #options: ManagerZonesOptions;
  readonly #request: typeof requestJson;
  readonly #pollers = zoneManagers.map((manager) => new Poller((signal) => this.#measure(manager, signal)));
  readonly #warnedManagers = new Set<MeasuredManager>();
  #unsubscribe: (() => void) | null = null;

  constructor(lab: LabModel, options: ManagerZonesOptions) {
    this.#lab = lab;
    this.#options = options;
    this.#request = options.request ?? requestJson;
  }

  start(): void {
    for (const poller of this.#pollers) poller.startIn(0);
    this.#unsubscribe = this.#lab.submissions.subscribe((read) => {
      if (read === null || read.workcell !== this.#lab.address('workcell')) return;
      const records = [...read.active, ...read.archived];
      this.#set('workcell', read.workcell, detectTimeZone(records, this.#localZone));
    });
  }

  stop(): void {
    for (const poller of this.#pollers) poller.stop();
    this.#unsubscribe?.();
  }

  get #localZone(): HostZone {
    return this.#options.localZone ?? ownTimeZone();
  }

  #set(manager: MeasuredManager, address: string, zone: HostZone | null): void {
    const { zones } = this.#lab;
    if (zone === null) return;
    const last = zones.value.get(manager);
    if (last?.address !== address || last.zone !== zone)
      zones.value = new Map(zones.value).set(manager, { address, zone });
    this.#compareWithSettings(manager, zone);
  }

  /** @returns the time until the next reading, in ms */
  async #measure(manager: ZoneManager, signal: AbortSignal): Promise<number> {
    const lab = this.#lab;
    const address = lab.address(manager);
    if (address === null || !lab.isReachable(manager)) return unreachableRetryMs;
    const zone = await this.#read(manager, address, signal).catch((error: unknown) => {
      this.#options.log.warn(`The time zone of the ${manager} manager could not be measured: ${errorText(error)}`);
      return undefined;
    });
    if (signal.aborted) return unreachableRetryMs;
    if (zone && address === lab.address(manager)) this.#set(manager, address, zone);
    const isMeasured = measuredZone(lab.settings.value, lab.zones.value, manager) !== null;
    return Math.max(lab.intervalMs, isMeasured ? knownZoneMs : zone === undefined ? failedRetryMs : unknownZoneMs);
  }

  /** @returns `null` if no record shows the zone, `undefined` if none could be read */
  async #read(manager: ZoneManager, address: string, signal: AbortSignal): Promise<HostZone | null | undefined> {
    const { path, id, stamp } = zoneSources[manager];
    const response = await this.#request(new URL(path, ensureTrailingSlash(address)).href, timeoutMs, signal, {
      acceptsList: true,
      reduce: (body) => readTimestamps(body, id, stamp),
    });
    if (signal.aborted) return undefined;
    if (!response.ok) {
      this.#options.log.debug(`The time zone of the ${manager} manager could not be read`, { reason: response.reason });
      return undefined;
    }
    const records = Object.entries(response.body).map(([recordId, at]) => ({ id: recordId, stamp: String(at) }));
    return detectTimeZone(records, this.#localZone);
  }

  #compareWithSettings(manager: MeasuredManager, zone: HostZone): void {
    const configured = configuredZone(this.#lab.settings.value, manager);
    const now = clock.now();
    if (configured === null || this.#warnedManagers.has(manager) || offsetAt(configured, now) === offsetAt(zone, now))
      return;
    this.#warnedManagers.add(manager);
    this.#options.log.warn(
      `The settings give ${configured} as the time zone of the ${manager} manager; its records show ${zone}`,
    );
  }
}

/** Reduces a response to the records' timestamps by ID. */
function readTimestamps(body: JsonObject, id: string, stamp: string): JsonObject {
  const records = Object.values(body)
    .slice(0, maxRecords)
    .flatMap((record) => {
      if (!isObject(record)) return [];
      const [key, at, data] = [record[id], record[stamp], record['event_data']];
      // The ID and the time of a recorded command may come from two clocks.
      const isCommandRecord = isObject(data) && data['component_name'] === commandSource;
      return typeof key === 'string' && typeof at === 'string' && !isCommandRecord ? [[key, at] as const] : [];
    });
  return Object.fromEntries(records);
}
