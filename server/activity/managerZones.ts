/**
 * The time zones of the managers' hosts. Managers write most times without a zone; it is derived from their records,
 * whose IDs contain the UTC time.
 */
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { commandSource } from '../../api/commandRecord.ts';
import { isLoopbackHost, ensureTrailingSlash } from '../../api/hosts.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { offsetAt, ownTimeZone, detectTimeZone, type HostZone, type StampedRecord } from '../../api/time/time.ts';
import { Poller } from '../concurrency/poller.ts';
import { requestJson } from '../net/requestJson.ts';
import { isJsonObject, type JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { tryParseUrl } from '../../api/url.ts';

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
} as const satisfies Partial<Record<ManagerKey, ZoneSource>>;
type MeasuredManager = keyof typeof zoneSources;
const measuredManagers = Object.keys(zoneSources) as readonly MeasuredManager[];

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
  /** Current address of a manager, `null` if the lab has none. */
  readonly getAddress: (manager: ManagerKey) => string | null;
  /** Whether the manager responds; otherwise it is not read. */
  readonly isReachable: (manager: ManagerKey) => boolean;
  /** The configured time zone of a manager; `null` if there is none. */
  readonly configuredZone: (manager: ManagerKey) => HostZone | null;
  /** The check interval of a manager in ms, the minimum for every reading. */
  readonly intervalMs: () => number;
  readonly onChange: () => void;
  readonly log: Log;
  readonly request?: typeof requestJson;
  /** The zone of this machine. */
  readonly localZone?: HostZone;
}

export class ManagerZones {
  readonly #options: ManagerZonesOptions;
  readonly #request: typeof requestJson;
  readonly #zones = new Map<MeasuredManager, { readonly address: string; readonly zone: HostZone }>();
  readonly #pollers = measuredManagers.map((manager) => new Poller((signal) => this.#measure(manager, signal)));
  readonly #warnedManagers = new Set<MeasuredManager>();

  constructor(options: ManagerZonesOptions) {
    this.#options = options;
    this.#request = options.request ?? requestJson;
  }

  start(): void {
    for (const poller of this.#pollers) poller.startIn(0);
  }

  stop(): void {
    for (const poller of this.#pollers) poller.stop();
  }

  /**
   * The time zone of the manager's naive times: configured, measured, or of another manager on the same host; `null` if
   * unknown.
   */
  zoneFor(manager: ManagerKey): HostZone | null {
    if (manager === 'resource') return 'UTC';
    return this.#options.configuredZone(manager) ?? this.#measuredZone(manager) ?? this.#zoneOfSameHost(manager);
  }

  #measuredZone(manager: ManagerKey): HostZone | null {
    const measurement = this.#zones.get(manager as MeasuredManager);
    return measurement !== undefined && measurement.address === this.#options.getAddress(manager)
      ? measurement.zone
      : null;
  }

  #zoneOfSameHost(manager: ManagerKey): HostZone | null {
    const address = this.#options.getAddress(manager);
    const sameHostManager = measuredManagers.find(
      (candidate) => this.#measuredZone(candidate) !== null && isSameHost(this.#options.getAddress(candidate), address),
    );
    return sameHostManager === undefined ? null : this.#measuredZone(sameHostManager);
  }

  /** @returns the time until the next reading, in ms */
  async #measure(manager: MeasuredManager, signal: AbortSignal): Promise<number> {
    const address = this.#options.getAddress(manager);
    if (address === null || !this.#options.isReachable(manager)) return unreachableRetryMs;
    const zone = await this.#read(manager, address, signal).catch((error: unknown) => {
      this.#options.log.warn(`The time zone of the ${manager} manager could not be measured: ${errorText(error)}`);
      return undefined;
    });
    if (signal.aborted) return unreachableRetryMs;
    if (zone && address === this.#options.getAddress(manager)) {
      const before = this.zoneFor(manager);
      this.#zones.set(manager, { address, zone });
      this.#compareWithSettings(manager, zone);
      if (this.zoneFor(manager) !== before) this.#options.onChange();
    }
    const nextMs =
      this.#measuredZone(manager) !== null ? knownZoneMs : zone === undefined ? failedRetryMs : unknownZoneMs;
    return Math.max(this.#options.intervalMs(), nextMs);
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
    const configured = this.#options.configuredZone(manager);
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

function isSameHost(url: string | null, otherUrl: string | null): boolean {
  const [host, otherHost] = [tryParseUrl(url)?.hostname, tryParseUrl(otherUrl)?.hostname];
  if (host === undefined || otherHost === undefined) return false;
  return host === otherHost || (isLoopbackHost(host) && isLoopbackHost(otherHost));
}
