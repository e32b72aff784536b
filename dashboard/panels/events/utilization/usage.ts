/** Parses the event manager's utilization reports, and computes the utilization from workflows. */
import type { TimeRange } from '#dashboard/base/time.ts';
import { groupBy } from '#dashboard/base/grouping.ts';
import type { WorkflowRow } from '#dashboard/managers/workcell/workflowRow.ts';
import * as z from 'zod/mini';
import { jsonNumber } from '#api/client/wire.ts';

/** A period in which workflows ran, without a pause longer than `maxPauseMs`. */
interface Session extends TimeRange {
  readonly workflows: number;
  /** How long at least one workflow ran, in ms. */
  readonly busyMs: number;
  /** Whether a workflow is still running. */
  readonly isRunning: boolean;
}

/** The maximum pause within a session, in ms. */
export const maxPauseMs = 30 * 60_000;
const hour = 3_600_000;

interface Run extends TimeRange {
  readonly author: string;
  readonly isRunning: boolean;
}

type ParseTime = (stamp: string) => number | null;

/** Returns the run times within the range, cut at its ends; a running workflow counts until the end of the range. */
function findRuns(rows: readonly WorkflowRow[], parseStamp: ParseTime, { from, to }: TimeRange): readonly Run[] {
  return rows.flatMap(({ started, ended, node, author }) => {
    const isRunning = node !== null;
    const [begin, end] = [parseStamp(started), isRunning ? to : parseStamp(ended)];
    if (begin === null || end === null || end < from || begin > to) return [];
    return [{ from: Math.max(begin, from), to: Math.min(Math.max(end, begin), to), author, isRunning }];
  });
}

/** Returns the usage by author, highest first; workflows without an author have an empty name. */
export function computeUsageByUser(
  rows: readonly WorkflowRow[],
  parseStamp: ParseTime,
  range: TimeRange,
): readonly UserUsage[] {
  return [...groupBy(findRuns(rows, parseStamp, range), ({ author }) => author)]
    .map(([name, runs]) => ({
      name,
      workflows: runs.length,
      hours: runs.reduce((sum, run) => sum + (run.to - run.from), 0) / hour,
    }))
    .toSorted((a, b) => b.hours - a.hours);
}

/** Returns the sessions within the range, newest first. */
export function findSessions(
  rows: readonly WorkflowRow[],
  parseStamp: ParseTime,
  range: TimeRange,
): readonly Session[] {
  const sessions: Session[] = [];
  for (const run of findRuns(rows, parseStamp, range).toSorted((a, b) => a.from - b.from)) {
    const last = sessions.at(-1);
    if (last === undefined || run.from - last.to > maxPauseMs) {
      sessions.push({ from: run.from, to: run.to, workflows: 1, busyMs: run.to - run.from, isRunning: run.isRunning });
      continue;
    }
    sessions[sessions.length - 1] = {
      from: last.from,
      to: Math.max(last.to, run.to),
      workflows: last.workflows + 1,
      busyMs: last.busyMs + Math.max(0, run.to - Math.max(last.to, run.from)),
      isRunning: last.isRunning || run.isRunning,
    };
  }
  return sessions.toReversed();
}

const number = z.nullish(jsonNumber);
const text = z.nullish(z.string());

const periodSchema = z.object({
  key_metrics: z.object({
    average_utilization: number,
    peak_utilization: number,
    peak_period: text,
    total_experiments: number,
    total_runtime_hours: number,
  }),
  node_summary: z.nullish(
    z.record(z.string(), z.object({ node_name: text, average_utilization: number, total_busy_hours: number })),
  ),
  time_series: z.object({
    system: z.array(
      z.object({
        period_display: text,
        start_time_utc: text,
        utilization: number,
        experiments: number,
        runtime_hours: number,
      }),
    ),
  }),
});

const userSchema = z.object({
  user_utilization: z.record(
    z.string(),
    z.object({ author: text, total_workflows: number, total_runtime_hours: number }),
  ),
});

interface PeriodPoint {
  /** As the manager names the period: `2026-11-21`. */
  readonly label: string;
  /** Start in ms since the epoch; `null` if the manager does not report it. */
  readonly at: number | null;
  /** In percent. */
  readonly utilization: number;
  readonly experiments: number;
  readonly hours: number;
}

interface PeriodReport {
  /** In percent, over all periods and of the busiest one. */
  readonly average: number;
  readonly peak: number;
  readonly peakPeriod: string;
  readonly experiments: number;
  readonly hours: number;
  readonly points: readonly PeriodPoint[];
  readonly nodes: readonly { readonly name: string; readonly utilization: number; readonly hours: number }[];
}

interface UserUsage {
  readonly name: string;
  readonly workflows: number;
  readonly hours: number;
}

/** Parses a time of the report, which is UTC without a zone. */
function parseUtc(stamp: string): number | null {
  const at = Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(stamp) ? stamp : `${stamp}Z`);
  return Number.isNaN(at) ? null : at;
}

/** Returns `null` if the body is not a period report. */
export function readPeriodReport(body: unknown): PeriodReport | null {
  const result = periodSchema.safeParse(body);
  if (!result.success) return null;
  const { key_metrics: key, node_summary: nodes, time_series: series } = result.data;
  return {
    average: key.average_utilization ?? 0,
    peak: key.peak_utilization ?? 0,
    peakPeriod: key.peak_period ?? '',
    experiments: key.total_experiments ?? 0,
    hours: key.total_runtime_hours ?? 0,
    points: series.system.map((point) => ({
      label: point.period_display ?? '',
      at: parseUtc(point.start_time_utc ?? ''),
      utilization: point.utilization ?? 0,
      experiments: point.experiments ?? 0,
      hours: point.runtime_hours ?? 0,
    })),
    nodes: Object.entries(nodes ?? {}).map(([id, node]) => ({
      name: node.node_name || id,
      utilization: node.average_utilization ?? 0,
      hours: node.total_busy_hours ?? 0,
    })),
  };
}

/** Returns the usage by user, highest first; `null` if the body is not a user report. */
export function readUserReport(body: unknown): readonly UserUsage[] | null {
  const result = userSchema.safeParse(body);
  if (!result.success) return null;
  return Object.entries(result.data.user_utilization)
    .map(([name, user]) => ({
      name: user.author || name,
      workflows: user.total_workflows ?? 0,
      hours: user.total_runtime_hours ?? 0,
    }))
    .toSorted((a, b) => b.hours - a.hours);
}
