/** The utilization reports with the figures that the Utilization page reads: hours of experiments and of users. */
import type { Event } from '../../api/managers/event.ts';
import { isObject, type JsonObject } from '../../api/client/wire.ts';
import { toNumber } from '../../api/exactJson.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;
const periodHours: Readonly<Record<string, number>> = { hourly: 1, daily: 24, weekly: 168, monthly: 720 };

const round = (value: number) => Math.round(value * 100) / 100;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const eventData = (event: Event): JsonObject => (isObject(event.event_data) ? event.event_data : {});

/** Returns the time in UTC without a zone, as in the reports. */
const utcText = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** Returns the requested range. For a missing or invalid one, the managers respond with status 200 and an error. */
export function readRange(query: URLSearchParams): Span | { readonly error: string } {
  const [start, end] = [query.get('start_time'), query.get('end_time')];
  if (!start || !end) return { error: 'start_time and end_time are required' };
  const [from, to] = [Date.parse(start), Date.parse(end)];
  if (Number.isNaN(from) || Number.isNaN(to)) {
    return { error: `Failed to generate utilization report: Invalid isoformat string: '${start} ${end}'` };
  }
  if (from >= to) return { error: 'Invalid analysis time period: start time must be before end time' };
  return { from, to };
}

/** Returns the times in which experiments ran, from the log of the experiment manager. */
function experimentSpans(events: readonly Event[], until: number): Span[] {
  const started = new Map<unknown, number>();
  const spans: Span[] = [];
  for (const event of events) {
    const { event_type: type, experiment_id: id } = eventData(event);
    const at = Date.parse(event.event_timestamp);
    if (type === 'experiment_start') started.set(id, at);
    const from = started.get(id);
    if (from === undefined || !/^experiment_(complete|failed|cancelled)$/.test(String(type))) continue;
    started.delete(id);
    spans.push({ from, to: at });
  }
  return [...spans, ...[...started.values()].map((from) => ({ from, to: until }))];
}

/** Returns the number of spans in a period and their hours within it. */
function usageWithin(spans: readonly Span[], { from, to }: Span) {
  const overlapping = spans.filter((span) => span.to > from && span.from < to);
  const hours = sum(overlapping.map((span) => (Math.min(span.to, to) - Math.max(span.from, from)) / hourMs));
  return { experiments: overlapping.length, runtime_hours: round(hours) };
}

/**
 * Returns the utilization of each period of a range. `experimentEvents`: the events of the experiment manager, in the order
 * in which they were stored.
 */
export function periodReport(experimentEvents: readonly Event[], range: Span, analysisType: string): JsonObject {
  const spans = experimentSpans(experimentEvents, range.to);
  const periodMs = (periodHours[analysisType] ?? 24) * hourMs;
  const points = [];
  for (let { from } = range; from < range.to; from += periodMs) {
    const to = Math.min(from + periodMs, range.to);
    const usage = usageWithin(spans, { from, to });
    const share = Math.min(1, (usage.runtime_hours * hourMs) / (to - from));
    const display = utcText(from).slice(0, 10);
    points.push({
      period_display: display,
      start_time_utc: utcText(from),
      utilization: round(100 * share),
      ...usage,
    });
  }
  const [peak] = points.toSorted((left, right) => right.utilization - left.utilization);
  const total = usageWithin(spans, range);
  return {
    summary_metadata: { analysis_type: analysisType, total_periods: points.length },
    key_metrics: {
      average_utilization: round(sum(points.map(({ utilization }) => utilization)) / points.length),
      peak_utilization: peak?.utilization ?? 0,
      peak_period: peak !== undefined && peak.utilization > 0 ? peak.period_display : null,
      total_experiments: total.experiments,
      total_runtime_hours: total.runtime_hours,
    },
    node_summary: {},
    time_series: { system: points },
  };
}

/** Returns the report of users: the authors of the workflows that ended in the range, and their hours. */
export function userReport(events: readonly Event[], range: Span): JsonObject {
  const users = new Map<string, { workflows: number; seconds: number }>();
  for (const event of events) {
    const at = Date.parse(event.event_timestamp);
    if (event.event_type !== 'workflow_complete' || at < range.from || at > range.to) continue;
    const { author, duration_seconds: seconds } = eventData(event);
    const name = typeof author === 'string' && author !== '' ? author : 'Unknown Author';
    const totals = users.get(name) ?? { workflows: 0, seconds: 0 };
    users.set(name, {
      workflows: totals.workflows + 1,
      seconds: totals.seconds + (toNumber(seconds) ?? 0),
    });
  }
  const reported = [...users].map(([author, { workflows, seconds }]) => [
    author,
    { author, total_workflows: workflows, total_runtime_hours: round(seconds / 3600) },
  ]);
  return { report_metadata: { total_users: users.size }, user_utilization: Object.fromEntries(reported) as JsonObject };
}
