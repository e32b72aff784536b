/** What the checks of one manager have shown, and its status at a moment. */
import type { ManagerHealth, ManagerStatus } from '../../api/lab/lab.ts';
import { managerTitle, type ManagerKey } from '../../api/managers.ts';
import type { ManagerState } from '../../api/states.ts';
import type { HostZone } from '../../api/time/time.ts';

/** The result of one check of a manager. */
export interface CheckResult {
  readonly state: Exclude<ManagerState, 'unknown'>;
  /** The user-facing reason of the state; `null` for a healthy manager that is not busy. */
  readonly reason: string | null;
  /** The manager's entry in `/lab_health`. */
  readonly entry: ManagerHealth;
  readonly version: string | null;
  readonly latencyMs: number | null;
}

/** Times are in ms since the epoch. */
export interface ManagerCheck {
  readonly manager: ManagerKey;
  readonly url: string;
  /** Interval of the checks. */
  readonly intervalMs: number;
  readonly result: CheckResult | null;
  /** Whether the result is from before a sleep. */
  readonly isFromBeforeSleep: boolean;
  /** Start of the result's state. */
  readonly since: number | null;
  readonly lastChecked: number | null;
  readonly lastHealthy: number | null;
  readonly usualLatencyMs: number | null;
  /** How far the clock of its host is ahead, in seconds. */
  readonly aheadSeconds: number | null;
}

/** All checked managers in the order of `/context`. */
export interface LabChecks {
  readonly managers: readonly ManagerCheck[];
  /** Whether all of them were checked at least once since the start. */
  readonly everChecked: boolean;
}

/** The manager's state; `unknown` if the last result is outdated. @param now ms since the epoch */
export function managerState(check: ManagerCheck, now: number): ManagerState {
  if (check.result === null || check.isFromBeforeSleep || isOutdated(check, now)) return 'unknown';
  return check.result.state;
}

/** @param timeZone of the manager's host, `null` while it is unknown */
export function managerStatus(check: ManagerCheck, timeZone: HostZone | null, now: number): ManagerStatus {
  const state = managerState(check, now);
  const result = state === 'unknown' ? null : check.result;
  return {
    manager: check.manager,
    name: managerTitle(check.manager),
    url: check.url,
    state,
    reason: result ? result.reason : unknownReason(check),
    since: result ? toIso(check.since) : null,
    last_checked: toIso(check.lastChecked),
    last_healthy: toIso(check.lastHealthy),
    latency_ms: result?.latencyMs ?? null,
    usual_latency_ms: check.usualLatencyMs,
    version: check.result?.version ?? null,
    health: result?.entry ?? null,
    clock: { ahead_seconds: check.aheadSeconds, time_zone: timeZone },
  };
}

function unknownReason({ result, isFromBeforeSleep }: ManagerCheck): string {
  if (isFromBeforeSleep) return 'checking again after sleep';
  return result === null ? 'not checked yet' : 'not checked for a while';
}

function isOutdated({ lastChecked, intervalMs }: ManagerCheck, now: number): boolean {
  return lastChecked !== null && now - lastChecked > 3 * intervalMs + 6000;
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
