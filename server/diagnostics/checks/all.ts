/** The checks, in display order. */
import type { Check } from './check.ts';
import { addresses, names } from './addresses.ts';
import { responses, clocks, versions } from './responses.ts';
import { cors } from './cors.ts';
import { crashes } from './crashes.ts';
import { sandbox, trayHost, runtime } from './runtime.ts';
import { diskSpace, logSize } from './disk.ts';
import { identity, otherLabManager } from './labManager.ts';
import { notifications } from './notifications.ts';
import { pastHours } from './pastHours.ts';
import { permissions, settings } from './settings.ts';
import { reachability } from './reachability.ts';
import { twoServers } from './twoServers.ts';
import { writeAccess } from './writeAccess.ts';

const serviceChecks: readonly Check[] = [
  settings,
  reachability,
  addresses,
  otherLabManager,
  identity,
  twoServers,
  names,
  responses,
  clocks,
  versions,
  cors,
  pastHours,
  notifications,
  writeAccess,
  diskSpace,
  logSize,
  crashes,
  permissions,
  runtime,
];

/** The checks of the service, and those of the app if there is one. */
export function checksFor(hasApp: boolean): readonly Check[] {
  return hasApp ? [...serviceChecks, sandbox, trayHost] : serviceChecks;
}
