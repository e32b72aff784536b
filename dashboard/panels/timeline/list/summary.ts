/** Summary of the visible span in numbers. */
import { type TimeRange, formatClock, formatDuration, formatTime } from '#dashboard/base/time.ts';
import { endAt, isWait, overlappingRange, workflowStateAt, type Layer } from '../layer/layer.ts';
import type { Mark } from '../moments/marks.ts';
import type { Outage } from '../moments/outages.ts';
import { timelineTexts } from '../texts.ts';
import { workflowAppearances } from '#api/states.ts';
import { type Filters, filterKeys } from '../layer/filters.ts';

/** The time in the span during which a manager or node was not healthy. */
interface OutageTime {
  readonly name: string;
  readonly ms: number;
}

export interface Summary {
  /** Workflows that ended in the span. */
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** The number of running and paused workflows. */
  readonly running: number;
  /** The longest wait within the span: index in the layer, and ms; `null` without waits. */
  readonly longestWait: { readonly entry: number; readonly ms: number } | null;
  readonly nodeErrors: number;
  readonly stops: number;
  /** Outages of managers. */
  readonly outages: readonly OutageTime[];
  readonly nodeOutages: readonly OutageTime[];
}

interface SummaryInput {
  readonly layer: Layer | null;
  readonly visibleWorkflows: Uint8Array;
  readonly lanes: ReadonlySet<string>;
  readonly marks: readonly Mark[];
  readonly outages: readonly Outage[];
  /** The parts of the span without monitoring. */
  readonly unwatched: readonly TimeRange[];
}

export function summarizeSpan(
  { layer, visibleWorkflows, lanes, marks, outages, unwatched }: SummaryInput,
  { from, to }: TimeRange,
  now: number,
): Summary {
  const counts = { completed: 0, failed: 0, cancelled: 0, running: 0, queued: 0, paused: 0 };
  if (layer !== null) {
    const workflowFlags = flagWorkflowsInLanes(layer, lanes);
    for (let index = 0; index < visibleWorkflows.length; index += 1) {
      if (visibleWorkflows[index] === 0 || workflowFlags[index] === 0) continue;
      const ended = layer.workflows.endedAt[index] ?? Number.NaN;
      const state = workflowStateAt(layer, index);
      const isEnded = state === 'completed' || state === 'failed' || state === 'cancelled';
      if (isEnded ? ended >= from && ended <= to : now >= from && now <= to) counts[state] += 1;
    }
  }
  const visibleMarks = marks.filter(({ node }) => node === null || lanes.has(node));
  const isInSpan = ({ at }: Mark): boolean => at >= from && at <= to;
  return {
    completed: counts.completed,
    failed: counts.failed,
    cancelled: counts.cancelled,
    running: counts.running + counts.paused,
    longestWait: layer === null ? null : findLongestWait(layer, visibleWorkflows, lanes, { from, to }, now),
    nodeErrors: visibleMarks.filter((mark) => mark.kind === 'error' && isInSpan(mark)).length,
    stops: distinctStops(visibleMarks).filter(isInSpan).length,
    outages: outageTimes(
      outages.filter(({ node }) => node === null),
      unwatched,
      { from, to },
      now,
    ),
    nodeOutages: outageTimes(
      outages.filter(({ node }) => node !== null && lanes.has(node)),
      unwatched,
      { from, to },
      now,
    ),
  };
}

/** Maximum difference between the times at which nodes log one safety stop, including clock skew, in ms. */
const sameStopMs = 60_000;

/** Returns one mark per safety stop: the command for the lab, or the first event of the nodes when no command was recorded. */
function distinctStops(marks: readonly Mark[]): readonly Mark[] {
  const stops = marks.filter(({ kind }) => kind === 'stop');
  const distinct = stops.filter(({ node }) => node === null);
  for (const stop of stops) {
    if (distinct.every(({ at }) => Math.abs(stop.at - at) > sameStopMs)) distinct.push(stop);
  }
  return distinct;
}

/** 1 for each workflow with an entry in one of the lanes. */
function flagWorkflowsInLanes(layer: Layer, lanes: ReadonlySet<string>): Uint8Array {
  const workflowFlags = new Uint8Array(layer.workflows.id.length);
  // A workflow without steps, or that never ran, is in no lane.
  if (layer.lanes.every((lane) => lanes.has(lane))) return workflowFlags.fill(1);
  for (const [laneIndex, lane] of layer.lanes.entries()) {
    if (!lanes.has(lane)) continue;
    const end = layer.offsets[laneIndex + 1] ?? 0;
    for (let entry = layer.offsets[laneIndex] ?? 0; entry < end; entry += 1) workflowFlags[layer.owner[entry] ?? 0] = 1;
  }
  return workflowFlags;
}

function findLongestWait(
  layer: Layer,
  visibleWorkflows: Uint8Array,
  lanes: ReadonlySet<string>,
  { from, to }: TimeRange,
  now: number,
): Summary['longestWait'] {
  let longest: Summary['longestWait'] = null;
  for (const [laneIndex, lane] of layer.lanes.entries()) {
    if (!lanes.has(lane)) continue;
    const [first, last] = overlappingRange(layer, laneIndex, from, to);
    for (let entry = first; entry < last; entry += 1) {
      if (!isWait(layer, entry) || visibleWorkflows[layer.owner[entry] ?? 0] === 0) continue;
      const ms = Math.min(to, endAt(layer, entry, now)) - Math.max(from, layer.start[entry] ?? 0);
      if (ms > (longest?.ms ?? 0)) longest = { entry, ms };
    }
  }
  return longest;
}

/** Returns how long each was observed as not healthy in the span, without maintenance; the longest first. */
function outageTimes(
  outages: readonly Outage[],
  unwatched: readonly TimeRange[],
  range: TimeRange,
  now: number,
): readonly OutageTime[] {
  const sums = new Map<string, number>();
  for (const { name, isMaintenance, start, end } of outages) {
    const downtime = { from: Math.max(range.from, start), to: Math.min(range.to, end ?? now) };
    const ms = unwatched.reduce(
      (remainingMs, gap) => remainingMs - overlapMs(downtime, gap),
      Math.max(0, downtime.to - downtime.from),
    );
    if (!isMaintenance && ms > 0) sums.set(name, (sums.get(name) ?? 0) + ms);
  }
  return [...sums].map(([name, ms]) => ({ name, ms })).toSorted((a, b) => b.ms - a.ms);
}

function overlapMs(a: TimeRange, b: TimeRange): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}

const texts = timelineTexts.summary;

/** Returns `21 Nov 18:00 – 22 Nov 08:00`; omits redundant dates. */
export function formatSpan({ from, to }: TimeRange, now: number): string {
  const begin = formatTime(from, now);
  const isSameDay = new Date(from).toDateString() === new Date(to).toDateString();
  return `${begin} – ${isSameDay ? formatClock(to) : formatTime(to, from)}`;
}

/** A summary with the data that its description needs. */
export interface SummarizedSpan {
  readonly summary: Summary;
  /** Step and workflow of the longest wait. */
  readonly wait: { readonly step: string; readonly workflow: string } | null;
  readonly range: TimeRange;
  /** The time since which workflows were read, ms since the epoch; `null` if all were. */
  readonly readSince: number | null;
  /** Time in the span without monitoring of the managers, in ms. */
  readonly unwatchedMs: number;
  /** Whether the archive was read; before that, ended workflows are unknown. */
  readonly hasReadWorkflows: boolean;
  /** Whether the event manager has responded and its clock is known. */
  readonly hasReadMarks: boolean;
  readonly now: number;
}

/** Shorter waits, in ms, are due to the scheduler and not reported. */
const minReportedMs = 60_000;

function describeEnds(
  { completed, failed, cancelled, running }: Summary,
  hasReadWorkflows: boolean,
): readonly string[] {
  const ended = completed + failed + cancelled;
  const runningParts = running > 0 ? [texts.running(running)] : [];
  if (!hasReadWorkflows) return ['Ended workflows are unknown', ...runningParts];
  return [
    ended === 0 ? texts.none : completed === 0 ? 'No workflow completed' : texts.completed(completed),
    ...(failed > 0 ? [texts.failed(failed)] : []),
    ...(cancelled > 0 ? [texts.cancelled(cancelled)] : []),
    ...runningParts,
  ];
}

function describeNodes({ nodeErrors, nodeOutages, stops }: Summary, hasReadMarks: boolean): readonly string[] {
  const isQuiet = nodeErrors === 0 && nodeOutages.length === 0;
  return [
    ...(!hasReadMarks
      ? ['node errors are unknown']
      : isQuiet
        ? [texts.noErrors]
        : nodeErrors > 0
          ? [texts.errors(nodeErrors)]
          : []),
    ...(stops > 0 ? [texts.stops(stops)] : []),
  ];
}

/** Watched time under a second counts as none. */
function describeNoOutages(watchedMs: number, unwatchedMs: number): string {
  if (unwatchedMs === 0) return texts.noOutages;
  return watchedMs < 1000
    ? 'outages are unknown because the lab manager was not watching'
    : `no outages in the ${formatDuration(watchedMs)} in which the lab manager watched`;
}

/** Names up to two nodes; for more, returns their number and the longest outage. */
function describeNodeOutages(outages: Summary['nodeOutages']): readonly string[] {
  const [longest] = outages;
  if (longest === undefined || outages.length <= 2)
    return outages.map(({ name, ms }) => texts.outage(name, formatDuration(ms)));
  return [texts.nodeOutages(outages.length, longest.name, formatDuration(longest.ms))];
}

/**
 * Returns the announcement for screen readers: selection and counts, without times that change by themselves.
 * @param selection the span and the filters, as texts
 */
export function describeForScreenReader(
  selection: readonly string[],
  { summary, hasReadWorkflows, hasReadMarks }: SummarizedSpan,
): string {
  const { nodeOutages } = summary;
  const outages = [
    ...(nodeOutages.length > 0 ? [texts.nodesUnhealthy(nodeOutages.length)] : []),
    ...summary.outages.map(({ name }) => `${name} not healthy for a while`).toSorted(),
  ];
  const counts = [...describeEnds(summary, hasReadWorkflows), ...describeNodes(summary, hasReadMarks), ...outages];
  return `${selection.join(', ')}. ${counts.join(', ')}.`;
}

export function describeSummary(summarizedSpan: SummarizedSpan): string {
  const { summary, wait, range, readSince, unwatchedMs, hasReadWorkflows, hasReadMarks, now } = summarizedSpan;
  const { longestWait, outages, nodeOutages } = summary;
  const watchedMs = Math.min(range.to, now) - range.from - unwatchedMs;
  const parts = [
    ...describeEnds(summary, hasReadWorkflows),
    ...(longestWait !== null && wait !== null && longestWait.ms >= minReportedMs
      ? [`longest wait ${formatDuration(longestWait.ms)} (${wait.step} of ${wait.workflow})`]
      : []),
    ...describeNodes(summary, hasReadMarks),
    ...describeNodeOutages(nodeOutages),
    ...outages.map(({ name, ms }) => texts.outage(name, formatDuration(ms))),
    ...(outages.length + nodeOutages.length > 0 ? [] : [describeNoOutages(watchedMs, unwatchedMs)]),
  ];
  const text = `${parts.join(', ')}.`;
  return readSince !== null && readSince > range.from
    ? `${text} Workflows are counted since ${formatTime(readSince, now)}; earlier ones are not loaded.`
    : text;
}

/** Returns the text of each active filter. */
export function describeFilters(filters: Filters, experiment: (id: string) => string): readonly string[] {
  return filterKeys.flatMap((key) => {
    const { [key]: value, outcome } = filters;
    if (value === null) return [];
    if (key === 'outcome') return outcome === null ? [] : [timelineTexts.only(key, workflowAppearances[outcome].label)];
    return [timelineTexts.only(key, key === 'experiment' ? experiment(value) : value)];
  });
}
