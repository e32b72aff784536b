/** The checks, in display order, and how they run: in parallel, each with a timeout; every error becomes a finding. */
import { clock } from '#api/time/clock.ts';
import { errorText } from '#api/errorText.ts';
import { withTimeout } from '../../concurrency/boundedWait.ts';
import { cleanText } from '../../logging/text.ts';
import type { CheckReport } from '#api/diagnostics.ts';
import { finding, type Check, type CheckContext, type Finding } from './check.ts';
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

/** Timeouts in ms: of one check, and of all. */
const checkLimits = { each: 5000, all: 15_000 } as const;

const maxTextLength = 2000;

/** The reports in the order of the checks. Never rejects. */
export async function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  limits: { readonly each: number; readonly all: number } = checkLimits,
): Promise<readonly CheckReport[]> {
  return Promise.all(checks.map((check) => runOne(check, context, Math.min(limits.each, limits.all))));
}

async function runOne(check: Check, context: CheckContext, limitMs: number): Promise<CheckReport> {
  const started = clock.monotonic();
  const controller = new AbortController();
  // In a separate async function, so that synchronous exceptions are caught as well.
  const run = async (): Promise<Finding> => check.run(context, controller.signal);
  const result = await withTimeout(
    run().catch((error: unknown) => unfinishedFinding(`It failed: ${errorText(error)}.`)),
    limitMs,
    () => {
      controller.abort();
      return unfinishedFinding(`It was not done after ${Math.round((clock.monotonic() - started) / 1000)} s.`);
    },
  );
  return {
    id: check.id,
    title: check.title,
    guide: check.guide,
    why: check.why,
    ...result,
    // Names, reasons and versions may come from other machines.
    what: cleanText(result.what, maxTextLength),
    tookMs: Math.round(clock.monotonic() - started),
  };
}

function unfinishedFinding(what: string): Finding {
  return {
    ...finding(
      'unknown',
      what,
      'Run the checks again; if the result is the same, save the diagnostics and check the log.',
    ),
    why: 'The result of an unfinished check is unknown.',
  };
}
