/** Steps on each node in the last hour, as lanes and bars of a time axis. */
import type { TimeRange } from '../../base/time.ts';
import { stepAppearances, type StepState } from '#api/states.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { mergeSpans, type Lane, type OwnedSpan } from '../../components/time/timeAxis.ts';
import { stepState } from '../../managers/workcell/workflowState.ts';

export const hourTexts = {
  title: 'Last hour',
  scope: (from: string, archived: number) =>
    `since ${from}: steps of active workflows and the newest ${archived} archived ones`,
  none: (from: string, archived: number) =>
    `no step since ${from} in active workflows and the newest ${archived} archived ones`,
  reading: 'reading the archive…',
  several: (workflow: string, steps: number) => `${workflow}, ${steps} steps`,
} as const;

const hourMs = 3_600_000;
/** Minimum length of the axis, in ms. */
const minSpanMs = 60_000;
/** Space for the label of the current time, in ms. */
const aheadMs = 3 * 60_000;
/** Bars closer than this, in ms, would touch on screen. */
const minGapMs = 10_000;
/** Limits above which the bars and lanes are unreadable. */
export const limits = { spans: 600, lanes: 40, idleLanes: 16 } as const;

/** @param completeSince earlier steps are unknown; `null`: all are known */
export function hourUntil(now: number, completeSince: number | null = null): TimeRange {
  return { from: Math.min(now - minSpanMs, Math.max(now - hourMs, completeSince ?? 0)), to: now + aheadMs };
}

type ParseStamp = (stamp: string | null | undefined) => number | null;

/**
 * Returns the time before which archived workflows may not be loaded: the earliest end among the newest
 * `requestedCount`. `null` if all are loaded.
 */
export function findLoadedSince(
  archived: readonly Workflow[],
  requestedCount: number,
  parseStamp: ParseStamp,
): number | null {
  if (archived.length < requestedCount) return null;
  const ends = archived.flatMap(({ end_time: end }) => parseStamp(end) ?? []);
  return ends.length === 0 ? null : ends.reduce((earliest, end) => Math.min(earliest, end));
}

/** Returns the steps on nodes since `from`, limited to the newest; short steps of a workflow are merged into one bar. */
export function hourSpans(
  workflows: readonly Workflow[],
  parseStamp: ParseStamp,
  { from }: TimeRange,
): readonly OwnedSpan[] {
  const spans = workflows.flatMap((workflow) =>
    workflow.steps.flatMap((step, index): OwnedSpan[] => {
      const start = parseStamp(step.start_time);
      const state = stepState(workflow, index);
      if (start === null || !step.node || state === 'waiting') return [];
      const endedAt = parseStamp(step.end_time);
      const end = endedAt !== null && endedAt >= start ? endedAt : unfinishedStates.has(state) ? null : start;
      if (end !== null && end < from) return [];
      return [
        {
          key: `${workflow.workflow_id}.${index}`,
          owner: workflow.workflow_id,
          lane: step.node,
          start: Math.max(start, from),
          end,
          appearance: stepAppearances[state],
          label: workflow.name,
          count: 1,
        },
      ];
    }),
  );
  return mergeSpans(spans, minGapMs)
    .toSorted((a, b) => a.start - b.start)
    .slice(0 - limits.spans)
    .map((span) => (span.count === 1 ? span : { ...span, label: hourTexts.several(span.label, span.count) }));
}
const unfinishedStates: ReadonlySet<StepState> = new Set(['running', 'paused']);

/** Returns one lane per node; in a large workcell, only nodes that executed steps. */
export function hourLanes(nodes: readonly string[], spans: readonly OwnedSpan[]): readonly Lane[] {
  const activeNodes = new Set(spans.map(({ lane }) => lane));
  const visibleNodes = nodes.length <= limits.idleLanes ? nodes : nodes.filter((name) => activeNodes.has(name));
  return visibleNodes.slice(0, limits.lanes).map((name) => ({ key: name, label: name }));
}
