/** The event manager's utilization reports, read once; a figure that is missing is 0. Pure. */
import * as z from 'zod/mini';

const number = z.nullish(z.number());
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
  /** Its begin, in ms since the epoch; `null` where the manager doesn't say. */
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

export interface UserLine {
  readonly name: string;
  readonly workflows: number;
  readonly hours: number;
}

/** Times of the report are UTC, though they don't say so. */
function utc(stamp: string): number | null {
  const at = Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(stamp) ? stamp : `${stamp}Z`);
  return Number.isNaN(at) ? null : at;
}

/** `null` for what is no such report. */
export function readPeriodReport(body: unknown): PeriodReport | null {
  const read = periodSchema.safeParse(body);
  if (!read.success) return null;
  const { key_metrics: key, node_summary: nodes, time_series: series } = read.data;
  return {
    average: key.average_utilization ?? 0,
    peak: key.peak_utilization ?? 0,
    peakPeriod: key.peak_period ?? '',
    experiments: key.total_experiments ?? 0,
    hours: key.total_runtime_hours ?? 0,
    points: series.system.map((point) => ({
      label: point.period_display ?? '',
      at: utc(point.start_time_utc ?? ''),
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

/** The busiest first; `null` for what is no such report. */
export function readUserReport(body: unknown): readonly UserLine[] | null {
  const read = userSchema.safeParse(body);
  if (!read.success) return null;
  return Object.entries(read.data.user_utilization)
    .map(([name, user]) => ({
      name: user.author || name,
      workflows: user.total_workflows ?? 0,
      hours: user.total_runtime_hours ?? 0,
    }))
    .toSorted((a, b) => b.hours - a.hours);
}
