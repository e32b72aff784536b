/** The checks, in the order in which they are shown. */
import type { Check } from './check.ts';
import { addresses } from './addresses.ts';
import { answers } from './answers.ts';
import { clocks } from './clocks.ts';
import { cors } from './cors.ts';
import { crashes } from './crashes.ts';
import { sandbox, trayHost } from './desktop.ts';
import { diskSpace } from './diskSpace.ts';
import { identity } from './identity.ts';
import { logSize } from './logSize.ts';
import { names } from './names.ts';
import { notifications } from './notifications.ts';
import { otherLabManager } from './otherLabManager.ts';
import { pastHours } from './pastHours.ts';
import { permissions } from './permissions.ts';
import { reachable } from './reachable.ts';
import { runtime } from './runtime.ts';
import { settings } from './settings.ts';
import { versions } from './versions.ts';

const ofService: readonly Check[] = [
  settings,
  reachable,
  addresses,
  otherLabManager,
  identity,
  names,
  answers,
  clocks,
  versions,
  cors,
  pastHours,
  notifications,
  diskSpace,
  logSize,
  crashes,
  permissions,
  runtime,
];

/** Those of the service; with those of the app where there is one. */
export function checksFor(hasApp: boolean): readonly Check[] {
  return hasApp ? [...ofService, sandbox, trayHost] : ofService;
}
