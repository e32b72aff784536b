/**
 * The time zones of the managers' hosts. Managers write most times without a zone; it is derived from their records,
 * whose IDs contain the UTC time.
 */
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { commandSource } from '../../api/commandRecord.ts';
import { ensureTrailingSlash } from '../../api/hosts.ts';
import { offsetAt, ownTimeZone, detectTimeZone, type HostZone, type StampedRecord } from '../../api/time/time.ts';
import { Poller } from '../concurrency/poller.ts';
import { requestJson } from '../net/requestJson.ts';
import { isJsonObject, type JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { configuredZone, measuredManagers, measuredZone, type MeasuredManager } from '../lab/zones.ts';
import type { LabModel } from '../lab/labModel.ts';

/** The records that show a manager's time zone: their paths, and the fields of the ID and the timestamp, which are created together. */
interface ZoneSource {
  /** All paths are read: the newest record may be in any of them. */
  readonly paths: readonly string[];
  readonly id: string;
  readonly stamp: string;
}

/**
 * The resource manager writes naive times in UTC, regardless of its host's zone; the location manager's records have no
 * times.
 */
const zoneSources = {
  workcell: { paths: ['workflows/archived?number=5', 'workflows/active'], id: 'workflow_id', stamp: 'submitted_time' },
  event: { paths: ['events?number=20'], id: '_id', stamp: 'event_timestamp' },
  experiment: { paths: ['experiments?number=20'], id: '_id', stamp: 'started_at' },
  data: { paths: ['datapoints?number=3'], id: '_id', stamp: 'data_timestamp' },
} as const satisfies Record<MeasuredManager, ZoneSource>;

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
  readonly #pollers = measuredManagers.map((manager) => new Poller((signal) => this.#measure(manager, signal)));
  readonly #warnedManagers = new Set<MeasuredManager>();

  constructor(lab: LabModel, options: ManagerZonesOptions) {
    this.#lab = lab;
    this.#options = options;
    this.#request = options.request ?? requestJson;
  }

  start(): void {
    for (const poller of this.#pollers) poller.startIn(0);
  }

  stop(): void {
    for (const poller of this.#pollers) poller.stop();
  }

  /** @returns the time until the next reading, in ms */
  async #measure(manager: MeasuredManager, signal: AbortSignal): Promise<number> {
    const lab = this.#lab;
    const address = lab.address(manager);
    if (address === null || !lab.isReachable(manager)) return unreachableRetryMs;
    const zone = await this.#read(manager, address, signal).catch((error: unknown) => {
      this.#options.log.warn(`The time zone of the ${manager} manager could not be measured: ${errorText(error)}`);
      return undefined;
    });
    if (signal.aborted) return unreachableRetryMs;
    if (zone && address === lab.address(manager)) {
      lab.zones.value = new Map(lab.zones.value).set(manager, { address, zone });
      this.#compareWithSettings(manager, zone);
    }
    const isMeasured = measuredZone(lab.settings.value, lab.zones.value, manager) !== null;
    return Math.max(lab.intervalMs, isMeasured ? knownZoneMs : zone === undefined ? failedRetryMs : unknownZoneMs);
  }

  /** @returns `null` if no record shows the zone, `undefined` if none could be read */
  async #read(manager: MeasuredManager, address: string, signal: AbortSignal): Promise<HostZone | null | undefined> {
    const { paths, id, stamp }: ZoneSource = zoneSources[manager];
    const records: StampedRecord[] = [];
    let isRead = false;
    for (const path of paths) {
      const response = await this.#request(new URL(path, ensureTrailingSlash(address)).href, timeoutMs, signal, {
        acceptsList: true,
        reduce: (body) => readTimestamps(body, id, stamp),
      });
      if (signal.aborted) return undefined;
      if (!response.ok) {
        this.#options.log.debug(`The time zone of the ${manager} manager could not be read`, {
          reason: response.reason,
        });
        continue;
      }
      isRead = true;
      records.push(...Object.entries(response.body).map(([recordId, at]) => ({ id: recordId, stamp: String(at) })));
    }
    return isRead ? detectTimeZone(records, this.#options.localZone ?? ownTimeZone()) : undefined;
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
      if (!isJsonObject(record)) return [];
      const [key, at, data] = [record[id], record[stamp], record['event_data']];
      // The ID and the time of a recorded command may come from two clocks.
      const isCommandRecord = isJsonObject(data) && data['component_name'] === commandSource;
      return typeof key === 'string' && typeof at === 'string' && !isCommandRecord ? [[key, at] as const] : [];
    });
  return Object.fromEntries(records);
}
