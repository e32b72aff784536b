/** Steps of the layer as rows, and the table of the steps that ran in the span. */
import { type TimeRange, formatDuration, formatTimeSeconds, toUtcIso } from '#dashboard/base/time.ts';
import { type StepState, stepAppearances } from '#api/states.ts';
import {
  atEarliestFlag,
  byTransferFlag,
  endAt,
  isWait,
  type Layer,
  stateAt,
  overlappingRange,
} from '../layer/layer.ts';
import { withFullId } from '#dashboard/base/objectPages.ts';
import type { Column } from '#dashboard/components/table/rows/tableRows.ts';
import { workcellLane } from '#dashboard/managers/workcell/stepSpans.ts';
import { timelineTexts } from '../texts.ts';

export interface StepRow {
  /** Index in the layer that it was created from. */
  readonly entry: number;
  readonly key: string;
  /** A node's name, or `workcellLane`. */
  readonly lane: string;
  readonly step: string;
  /** Index in its workflow, from 0. */
  readonly index: number;
  readonly workflow: string;
  readonly workflowId: string;
  readonly author: string;
  /** The experiment's ID; empty without one. */
  readonly experiment: string;
  /** ms since the epoch. */
  readonly start: number;
  /** `null` while running. */
  readonly end: number | null;
  readonly state: StepState;
  readonly waiting: boolean;
  readonly isEarliestStart: boolean;
  /** Executed by a workflow that performs the transfer at `index`. */
  readonly byTransfer: boolean;
  /** The reason why it failed; empty unless it did. */
  readonly error: string;
}

type Texts = (index: number | undefined) => string;

export function toStepRow(layer: Layer, texts: Texts, entry: number, lane: string): StepRow {
  const owner = layer.owner[entry] ?? 0;
  const { id, name, author, experiment } = layer.workflows;
  const kind = layer.kind[entry] ?? 0;
  const index = layer.step[entry] ?? 0;
  const workflowId = texts(id[owner]);
  const start = layer.start[entry] ?? 0;
  const end = layer.end[entry] ?? 0;
  return {
    entry,
    key: `${workflowId} ${index} ${start} ${kind} ${lane}`,
    lane,
    step: texts(layer.name[entry]),
    index,
    workflow: texts(name[owner]),
    workflowId,
    author: texts(author[owner]),
    experiment: texts(experiment[owner]),
    start,
    end: end === Infinity ? null : end,
    state: stateAt(layer, entry),
    waiting: isWait(layer, entry),
    isEarliestStart: (kind & atEarliestFlag) !== 0,
    byTransfer: (kind & byTransferFlag) !== 0,
    error: texts(layer.error[entry]),
  };
}

export interface StepsInSpan {
  /** Only runs, newest first. */
  readonly rows: readonly StepRow[];
  /** The number of all these runs, including those beyond the limit. */
  readonly total: number;
}

/** Returns the newest runs in the span, at most `limit`, of the given lanes and visible workflows. */
export function listSteps(
  {
    layer,
    texts,
    visibleWorkflows,
  }: { readonly layer: Layer; readonly texts: Texts; readonly visibleWorkflows: Uint8Array },
  { from, to }: TimeRange,
  now: number,
  lanes: ReadonlySet<string>,
  limit: number,
): StepsInSpan {
  const entries: { readonly entry: number; readonly lane: string; readonly start: number }[] = [];
  let total = 0;
  for (const [laneIndex, lane] of layer.lanes.entries()) {
    if (!lanes.has(lane)) continue;
    const [first, last] = overlappingRange(layer, laneIndex, from, to);
    let laneCount = 0;
    // From the newest, with at most `limit` entries per lane.
    for (let entry = last - 1; entry >= first; entry -= 1) {
      if (isWait(layer, entry) || visibleWorkflows[layer.owner[entry] ?? 0] === 0 || endAt(layer, entry, now) < from)
        continue;
      total += 1;
      if (laneCount < limit) entries.push({ entry, lane, start: layer.start[entry] ?? 0 });
      laneCount += 1;
    }
  }
  const newest = entries.toSorted((a, b) => b.start - a.start).slice(0, limit);
  return { rows: newest.map(({ entry, lane }) => toStepRow(layer, texts, entry, lane)), total };
}

const texts = timelineTexts.table.columns;

/** Returns the display name of a lane. */
export function laneName(lane: string): string {
  return lane === workcellLane ? timelineTexts.lanes.builtIn : lane;
}

/**
 * Returns the columns of the step table.
 * @param now in ms since the epoch; times of this day are shown without the date
 */
// oxlint-disable-next-line max-lines-per-function -- a table, one entry for each column
export function stepColumns(now: number, experiment: (id: string) => string): readonly Column<StepRow>[] {
  return [
    {
      key: 'step',
      title: texts.step,
      value: ({ step }) => step,
      text: ({ step, byTransfer }) => (byTransfer ? timelineTexts.text.ofTransfer(step) : step),
      width: 8,
    },
    { key: 'node', title: texts.node, value: ({ lane }) => laneName(lane), width: 7 },
    {
      key: 'workflow',
      title: texts.workflow,
      value: ({ workflow }) => workflow,
      // ID and author are exported although their columns are hidden by default.
      csvAs: [
        { title: texts.workflow, value: ({ workflow }) => workflow },
        { key: 'id', title: texts.id, value: ({ workflowId }) => workflowId },
        { key: 'author', title: texts.author, value: ({ author }) => author },
      ],
      width: 8.5,
    },
    {
      key: 'start',
      title: texts.start,
      value: ({ start }) => start,
      text: ({ start }) => formatTimeSeconds(start, now),
      csv: ({ start }) => toUtcIso(start),
      width: 6,
      fits: true,
    },
    {
      key: 'end',
      title: texts.end,
      value: ({ end }) => end,
      text: ({ end, start }) =>
        end === null
          ? 'still running'
          : formatTimeSeconds(end, new Date(end).toDateString() === new Date(start).toDateString() ? end : now),
      csv: ({ end }) => toUtcIso(end),
      width: 6,
      fits: true,
    },
    {
      key: 'duration',
      title: texts.duration,
      value: ({ start, end }) => (end === null ? null : end - start),
      text: ({ start, end }) => (end === null ? '' : formatDuration(end - start)),
      csvAs: [{ title: 'Seconds', value: ({ start, end }) => (end === null ? null : (end - start) / 1000) }],
      width: 5,
      align: 'end',
    },
    {
      key: 'state',
      title: texts.state,
      value: ({ state }) => stepAppearances[state].severity,
      text: ({ state }) => stepAppearances[state].label,
      csvAs: [
        { title: texts.state, value: ({ state }) => stepAppearances[state].label },
        { key: 'error', title: texts.error, value: ({ error }) => error },
      ],
      width: 7,
    },
    { key: 'error', title: texts.error, value: ({ error }) => error, width: 12, collapsesWhenEmpty: true },
    {
      key: 'experiment',
      title: texts.experiment,
      value: ({ experiment: id }) => (id === '' ? '' : experiment(id)),
      csv: ({ experiment: id }) => (id === '' ? '' : withFullId(experiment(id), id)),
      width: 8,
      hidden: true,
    },
    { key: 'author', title: texts.author, value: ({ author }) => author, width: 7, hidden: true },
    { key: 'number', title: texts.number, value: ({ index }) => index + 1, width: 4, align: 'end', hidden: true },
    { key: 'id', title: texts.id, value: ({ workflowId }) => workflowId, width: 8, hidden: true },
  ];
}
