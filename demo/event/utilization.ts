/**
 * The utilization report of periods: it counts experiments and their hours from the events. The one of sessions always
 * fails in 0.8.1, with status 200.
 */
import type { Event } from '../../api/managers/event.ts';
import type { JsonObject } from '../../api/client/wire.ts';

const hourMs = 3_600_000;
const periodHours: Readonly<Record<string, number>> = { hourly: 1, daily: 24, weekly: 168, monthly: 720 };

/** What the report of sessions says in 0.8.1, and the one of users where there is nothing at all to report. */
export const brokenReport = {
  error: "Failed to generate report: Logger._log() got an unexpected keyword argument 'event_type'",
} as const;

/** What a report of periods without start or end says, with status 200. */
export const missingPeriod = {
  error: 'start_time and end_time are required',
  details: 'Both parameters must be provided as ISO strings',
} as const;

interface PeriodQuery {
  /** ISO times as sent. */
  readonly start: string;
  readonly end: string;
  readonly analysisType: string;
  readonly timezone: string;
  readonly withUsers: boolean;
  /** Now, in UTC. */
  readonly generatedAt: string;
}

interface Run {
  readonly from: number;
  readonly to: number;
}

function message(event: Event): JsonObject {
  return typeof event.event_data === 'object' && event.event_data !== null ? { ...event.event_data } : {};
}

/** The experiments' times, from the log of the experiment manager. */
function experimentRuns(events: readonly Event[], until: number): Run[] {
  const started = new Map<unknown, number>();
  const runs: Run[] = [];
  for (const event of events) {
    const { event_type: type, experiment_id: id } = message(event);
    const at = Date.parse(event.event_timestamp);
    if (type === 'experiment_start') started.set(id, at);
    const from = started.get(id);
    if (from === undefined || !/^experiment_(complete|failed|cancelled)$/.test(String(type))) continue;
    started.delete(id);
    runs.push({ from, to: at });
  }
  for (const from of started.values()) runs.push({ from, to: until });
  return runs;
}

type Point = {
  readonly period_number: number;
  readonly period_type: string;
  readonly period_display: string;
  readonly date: string;
  readonly start_time: string;
  readonly start_time_utc: string;
  /** In percent. */
  readonly utilization: number;
  readonly experiments: number;
  readonly runtime_hours: number;
  readonly active_time_hours: number;
};
const periodTypes: Readonly<Record<string, string>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
};

const round = (value: number) => Math.round(value * 100) / 100;

/** Hours of a period in which an experiment ran. */
function hoursWithin(runs: readonly Run[], from: number, to: number): number {
  return runs.reduce((sum, run) => sum + Math.max(0, Math.min(run.to, to) - Math.max(run.from, from)) / hourMs, 0);
}

/** @param start ms since the epoch */
function pointsOf(runs: readonly Run[], start: number, end: number, analysisType: string): readonly Point[] {
  const step = (periodHours[analysisType] ?? 24) * hourMs;
  const points: Point[] = [];
  for (let from = start; from < end; from += step) {
    const to = Math.min(from + step, end);
    const hours = hoursWithin(runs, from, to);
    const utilization = round((100 * Math.min(hours, (to - from) / hourMs) * hourMs) / (to - from));
    const text = new Date(from).toISOString().slice(0, 19);
    points.push({
      period_number: points.length + 1,
      period_type: periodTypes[analysisType] ?? 'period',
      period_display: text.slice(0, 10),
      date: text.slice(0, 10),
      start_time: text,
      // In UTC, without saying so.
      start_time_utc: text,
      utilization,
      experiments: runs.filter((run) => run.to > from && run.from < to).length,
      runtime_hours: round(hours),
      active_time_hours: round(hours),
    });
  }
  return points;
}

/** The report of periods; an error where the times are no times or in the wrong order. */
export function periodReport(events: readonly Event[], query: PeriodQuery): JsonObject {
  const start = Date.parse(query.start);
  const end = Date.parse(query.end);
  if (Number.isNaN(start) || Number.isNaN(end)) {
    const wrong = Number.isNaN(start) ? query.start : query.end;
    return { error: `Failed to generate utilization report: Invalid isoformat string: '${wrong}'` };
  }
  if (start >= end) return { error: 'Invalid analysis time period: start time must be before end time' };
  const runs = experimentRuns(events, end);
  const points = pointsOf(runs, start, end, query.analysisType);
  const active = points.filter((point) => point.utilization > 0);
  const peak = points.reduce<Pick<Point, 'period_display' | 'utilization'> | null>(
    (best, point) => (point.utilization > (best?.utilization ?? 0) ? point : best),
    null,
  );
  const hours = round(hoursWithin(runs, start, end));
  const within = runs.filter((run) => run.to > start && run.from < end).length;
  return {
    summary_metadata: {
      analysis_type: query.analysisType,
      generated_at: query.generatedAt,
      period_start: new Date(start).toISOString().slice(0, 19),
      period_end: new Date(end).toISOString().slice(0, 19),
      user_timezone: query.timezone,
      total_periods: points.length,
      method: 'session_based_analysis_with_experiment_details_refactored',
    },
    key_metrics: {
      average_utilization: round(points.reduce((sum, point) => sum + point.utilization, 0) / points.length),
      peak_utilization: peak?.utilization ?? 0,
      peak_period: peak?.period_display ?? null,
      total_experiments: within,
      total_runtime_hours: hours,
      total_active_time_hours: hours,
      active_periods: active.length,
      total_periods: points.length,
    },
    ...(query.withUsers ? { user_utilization: { total_users: 0, top_users: [] } } : {}),
    node_summary: {},
    workcell_summary: {},
    trends: {},
    experiment_details: { total_experiments: within, experiments: [] },
    time_series: { system: points, nodes: {}, workcells: {} },
  };
}
