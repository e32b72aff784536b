/** Converts a probe's outcome to the manager's state for `/lab_health`, tray and dashboard. */
import { labManagerDescription } from '../../api/lab/lab.ts';
import { managerTitle, type ManagerKey } from '../../api/managers.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import type { ClockOffset } from './clockOffset.ts';
import type { CheckResult } from '../lab/managerCheck.ts';
import { cleanText, maxTextLength } from '../logging/text.ts';
import type { ProbeOutcome } from './probe.ts';

/** Response times of at least this, in milliseconds, are reported as slow. */
export const slowMs = 1000;

/** How long the last result applies while the manager responds only "too many requests", in milliseconds. */
export const busyValidMs = 60_000;

/** Maximum length of a displayed version, in characters. */
const maxVersionLength = 60;

/** The result of one check of a manager, with what the next check needs. */
export interface HealthCheckResult extends CheckResult {
  /**
   * Time of the last probe with an outcome other than "too many requests", in ms since the epoch; earlier than the
   * current probe while the manager is busy, `null` if there was none.
   */
  readonly decidedAt: number | null;
  /** The offset of the manager's clock from this machine's, according to this response. */
  readonly clock?: ClockOffset | null;
}

/** The result of the check of `manager` from `outcome`, received at `now` (ms since the epoch); `previous` is its last one. */
export function evaluateHealth(
  manager: ManagerKey,
  outcome: Exclude<ProbeOutcome, { kind: 'aborted' }>,
  previous: HealthCheckResult | null,
  now: number,
): HealthCheckResult {
  switch (outcome.kind) {
    case 'answered':
      return { ...evaluateResponse(manager, outcome.body, outcome.latencyMs, now), clock: outcome.clock ?? null };
    case 'busy':
      return evaluateBusy(outcome.latencyMs, previous, now);
    case 'failed': {
      // The text may come from the other machine, for example from its certificate or a redirect.
      const reason = cleanText(outcome.reason);
      return {
        state: outcome.reached ? 'unhealthy' : 'unreachable',
        reason,
        entry: { healthy: false, description: reason },
        version: null,
        latencyMs: null,
        decidedAt: now,
      };
    }
  }
}

function evaluateResponse(manager: ManagerKey, body: JsonObject, latencyMs: number, now: number): HealthCheckResult {
  const reported = typeof body['description'] === 'string' ? body['description'].trim() : '';
  const title = managerTitle(manager);
  if (reported === labManagerDescription) {
    const reason = `the address is a lab manager’s, not the ${title}’s: correct it in the settings`;
    const entry = { ...body, healthy: false, description: reason };
    return { state: 'unhealthy', reason, entry, version: null, latencyMs, decidedAt: now };
  }
  const healthy = body['healthy'] === true;
  const description = reported || (healthy ? `${title} is running` : `${title} reports that it is unhealthy`);
  const slow = healthy && latencyMs >= slowMs;
  return {
    state: healthy ? (slow ? 'slow' : 'healthy') : 'unhealthy',
    reason: healthy ? (slow ? `answers in ${(latencyMs / 1000).toFixed(1)} s` : null) : description,
    entry: { ...body, healthy, description },
    version: typeof body['version'] === 'string' ? cleanText(body['version'], maxVersionLength) : null,
    latencyMs,
    decidedAt: now,
  };
}

function evaluateBusy(latencyMs: number, previous: HealthCheckResult | null, now: number): HealthCheckResult {
  // An earlier unreachable state is outdated: the manager responds now.
  const lastResult = previous?.state === 'unreachable' ? null : previous;
  const decidedAt = lastResult?.decidedAt ?? null;
  if (lastResult !== null && decidedAt !== null && now - decidedAt <= busyValidMs) {
    const busyNote = 'busy (HTTP 429), its last result still applies';
    const description = cleanText(
      lastResult.entry.description.replace(` (${busyNote})`, ''),
      maxTextLength - busyNote.length - 3,
    );
    return {
      ...lastResult,
      clock: null,
      reason: lastResult.reason === null || lastResult.state === 'slow' ? busyNote : lastResult.reason,
      entry: { ...lastResult.entry, description: `${description} (${busyNote})` },
      latencyMs,
    };
  }
  const reason =
    decidedAt === null
      ? 'busy (HTTP 429), no result yet'
      : 'busy (HTTP 429) for more than a minute, so its last result no longer applies';
  return {
    state: 'unhealthy',
    reason,
    entry: { healthy: false, description: reason },
    version: previous?.version ?? null,
    latencyMs,
    decidedAt,
  };
}
