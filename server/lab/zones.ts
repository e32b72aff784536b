/** The time zones and clocks of the managers' hosts. */
import { isLoopbackHost } from '../../api/hosts.ts';
import { contextKey, type ManagerKey } from '../../api/managers.ts';
import type { HostZone, StampedRecord } from '../../api/time/time.ts';
import { tryParseUrl } from '../../api/url.ts';
import type { LabSettings } from '../settings/schema/types.ts';

type ZoneSettings = Pick<LabSettings, 'context' | 'timeZone' | `${MeasuredManager}TimeZone` | 'locationTimeZone'>;

/** The managers whose records show their time zone. */
export const measuredManagers = ['workcell', 'event', 'experiment', 'data'] as const satisfies readonly ManagerKey[];
export type MeasuredManager = (typeof measuredManagers)[number];

/** The zones that the records of the managers at these addresses show. */
export type MeasuredZones = ReadonlyMap<ManagerKey, { readonly address: string; readonly zone: HostZone }>;

/** The workflows as last read, whose IDs and submission times show the time zone of the workcell manager. */
export interface Submissions {
  readonly archived: readonly StampedRecord[];
  readonly active: readonly StampedRecord[];
}

/** The configured time zone of a manager's host; `null` if there is none. */
export function configuredZone(settings: ZoneSettings, manager: ManagerKey): HostZone | null {
  const zones: Readonly<Record<ManagerKey, HostZone | null>> = {
    event: settings.eventTimeZone,
    experiment: settings.experimentTimeZone,
    data: settings.dataTimeZone,
    workcell: settings.workcellTimeZone,
    location: settings.locationTimeZone,
    resource: null,
  };
  return zones[manager] ?? settings.timeZone;
}

/** The zone that the records of the manager at its current address show; `null` if it is unknown. */
export function measuredZone(settings: ZoneSettings, zones: MeasuredZones, manager: ManagerKey): HostZone | null {
  const measurement = zones.get(manager);
  return measurement !== undefined && measurement.address === settings.context[contextKey(manager)]
    ? measurement.zone
    : null;
}

/**
 * The time zone of the manager's naive times: configured, measured, or of another manager on the same host; `null` if
 * unknown. The resource manager writes UTC.
 */
export function managerZone(settings: ZoneSettings, zones: MeasuredZones, manager: ManagerKey): HostZone | null {
  if (manager === 'resource') return 'UTC';
  return (
    configuredZone(settings, manager) ??
    measuredZone(settings, zones, manager) ??
    zoneOfSameHost(settings, zones, manager)
  );
}

function zoneOfSameHost(settings: ZoneSettings, zones: MeasuredZones, manager: ManagerKey): HostZone | null {
  const address = (key: ManagerKey) => settings.context[contextKey(key)];
  const sameHostManager = measuredManagers.find(
    (candidate) =>
      measuredZone(settings, zones, candidate) !== null && isSameHost(address(candidate), address(manager)),
  );
  return sameHostManager === undefined ? null : measuredZone(settings, zones, sameHostManager);
}

function isSameHost(url: string | null, otherUrl: string | null): boolean {
  const [host, otherHost] = [tryParseUrl(url)?.hostname, tryParseUrl(otherUrl)?.hostname];
  if (host === undefined || otherHost === undefined) return false;
  return host === otherHost || (isLoopbackHost(host) && isLoopbackHost(otherHost));
}
