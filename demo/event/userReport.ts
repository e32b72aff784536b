/**
 * The utilization report of users: the authors of the workflows that ended in a period, from the events that the
 * workcell manager sends at their end. It is the report of a lab with a MongoDB; a local lab, whose store in memory
 * can't compare its times, refuses it as soon as one workflow has ended.
 */
import type { Event } from '../../api/managers/event.ts';
import type { JsonObject } from '../../api/client/wire.ts';
import { naiveText } from '../base/clock.ts';

interface UserQuery {
  /** ISO times as sent, or null: with one of them, a day from or up to it; with none, all that is stored. */
  readonly start: string | null;
  readonly end: string | null;
  /** Now, in UTC. */
  readonly generatedAt: string;
}

interface EndedWorkflow {
  readonly id: string;
  readonly name: string;
  readonly author: string;
  readonly status: string;
  readonly seconds: number | null;
  readonly endedAt: string;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

const round = (value: number, digits: number) => Number(value.toFixed(digits));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const percent = (part: number, whole: number) => (whole === 0 ? 0 : round((100 * part) / whole, 2));
const hours = (seconds: number) => seconds / 3600;

/** Times without a zone are the manager host's; the report writes them without a fraction that is zero. */
const text = (ms: number) => naiveText(ms).replace('.000000', '');

function period(events: readonly Event[], { start, end }: UserQuery): readonly [from: number, to: number] {
  const [from, to] = [start ? Date.parse(start) : null, end ? Date.parse(end) : null];
  if (from !== null) return [from, to ?? from + dayMs];
  if (to !== null) return [to - dayMs, to];
  const times = events.map((event) => Date.parse(event.event_timestamp));
  const [newest = 0, oldest = newest] = [times[0], times.at(-1)];
  return [oldest - minuteMs, newest + minuteMs];
}

function endedWorkflow(event: Event): EndedWorkflow | null {
  if (event.event_type !== 'workflow_complete') return null;
  const data: JsonObject =
    typeof event.event_data === 'object' && event.event_data !== null ? { ...event.event_data } : {};
  const { workflow_id: id, name, author, status, duration_seconds: seconds } = data;
  if (typeof id !== 'string') return null;
  return {
    id,
    name: typeof name === 'string' ? name : 'Unknown',
    author: typeof author === 'string' ? author.trim() : '',
    status: typeof status === 'string' ? status : 'completed',
    seconds: typeof seconds === 'number' ? seconds : null,
    endedAt: event.event_timestamp,
  };
}

function user(author: string, workflows: readonly EndedWorkflow[]): JsonObject {
  const count = (status: string) => workflows.filter((one) => one.status === status).length;
  const took = workflows.flatMap(({ seconds }) => (seconds === null ? [] : [hours(seconds)]));
  return {
    author,
    total_workflows: workflows.length,
    completed_workflows: count('completed'),
    failed_workflows: count('failed'),
    cancelled_workflows: count('cancelled'),
    total_runtime_hours: round(sum(took), 2),
    average_workflow_duration_hours: took.length === 0 ? 0 : round(sum(took) / took.length, 3),
    shortest_workflow_hours:
      took.length === 0
        ? null
        : round(
            took.reduce((least, value) => Math.min(least, value)),
            3,
          ),
    longest_workflow_hours:
      took.length === 0
        ? null
        : round(
            took.reduce((most, value) => Math.max(most, value)),
            3,
          ),
    completion_rate_percent: percent(count('completed'), workflows.length),
    workflows: workflows.map((one) => ({
      workflow_id: one.id,
      workflow_name: one.name,
      // Its start is no event of its own.
      start_time: null,
      end_time: one.endedAt,
      duration_hours: one.seconds === null ? null : hours(one.seconds),
      status: one.status,
    })),
  };
}

/** `newestFirst`: all events in the order of lists. */
export function userReport(newestFirst: readonly Event[], query: UserQuery): JsonObject {
  const [from, to] = period(newestFirst, query);
  const workflows = newestFirst
    .flatMap((event) => endedWorkflow(event) ?? [])
    .filter(({ endedAt }) => Date.parse(endedAt) >= from && Date.parse(endedAt) <= to)
    .toReversed();
  const authors = new Map<string, EndedWorkflow[]>();
  for (const one of workflows) {
    const author = one.author === '' ? 'Unknown Author' : one.author;
    authors.set(author, [...(authors.get(author) ?? []), one]);
  }
  const took = workflows.flatMap(({ seconds }) => (seconds === null ? [] : [hours(seconds)]));
  const known = workflows.filter(({ author }) => author !== '').length;
  const completed = workflows.filter(({ status }) => status === 'completed').length;
  return {
    report_metadata: {
      generated_at: query.generatedAt,
      analysis_start: text(from),
      analysis_end: text(to),
      total_workflows: workflows.length,
      total_users: authors.size,
      workflows_with_authors: known,
      workflows_without_authors: workflows.length - known,
    },
    system_summary: {
      total_workflows: workflows.length,
      total_runtime_hours: round(sum(took), 2),
      average_workflow_duration_hours: took.length === 0 ? 0 : round(sum(took) / took.length, 3),
      completion_rate_percent: percent(completed, workflows.length),
      workflows_with_known_authors: known,
      author_attribution_rate_percent: percent(known, workflows.length),
    },
    user_utilization: Object.fromEntries([...authors].map(([author, own]) => [author, user(author, own)])),
  };
}

const cell = (value: unknown) => {
  const words = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
};

/** The rows of a table with one row a user: what heads each column, and the field under it. */
const columns = {
  Author: 'author',
  'Total Workflows': 'total_workflows',
  Completed: 'completed_workflows',
  Failed: 'failed_workflows',
  Cancelled: 'cancelled_workflows',
  'Total Runtime (hours)': 'total_runtime_hours',
  'Avg Duration (hours)': 'average_workflow_duration_hours',
  'Completion Rate (%)': 'completion_rate_percent',
  'Shortest (hours)': 'shortest_workflow_hours',
  'Longest (hours)': 'longest_workflow_hours',
} as const;

/** The report as CSV, for `csv_format`. */
export function userCsv(report: JsonObject): string {
  const of = (part: string) => report[part] as JsonObject;
  const [metadata, summary] = [of('report_metadata'), of('system_summary')];
  const rows: readonly (readonly unknown[])[] = [
    ['=== DETAILED USER UTILIZATION REPORT ==='],
    [],
    ['Report Metadata'],
    ['Generated At', metadata['generated_at']],
    ['Analysis Start', metadata['analysis_start']],
    ['Analysis End', metadata['analysis_end']],
    ['Total Users', metadata['total_users']],
    ['Total Workflows', metadata['total_workflows']],
    [],
    ['System Summary'],
    ['Total Workflows', summary['total_workflows']],
    ['Total Runtime (hours)', summary['total_runtime_hours']],
    ['Average Workflow Duration (hours)', summary['average_workflow_duration_hours']],
    ['Completion Rate (%)', summary['completion_rate_percent']],
    ['Author Attribution Rate (%)', summary['author_attribution_rate_percent']],
    [],
    ['=== USER DETAILS ==='],
    Object.keys(columns),
    ...Object.values(of('user_utilization')).map((own) =>
      Object.values(columns).map((name) => (own as JsonObject)[name]),
    ),
    [],
  ];
  return rows.map((row) => row.map(cell).join(',')).join('\r\n');
}
