/** An experiment on one time axis: the experiment, its workflows and its records. */
import { experimentAppearances, outcomeAppearances, workflowAppearances, type ExperimentState } from '#api/states.ts';
import { groupBy } from '#dashboard/base/grouping.ts';
import type { Lane, Mark, LaneSpan } from '#dashboard/components/time/timeAxis.ts';
import { stateLabel, type WorkflowRow } from '#dashboard/managers/workcell/workflowRow.ts';
import { experimentsTexts } from '../texts.ts';
import type { Result } from '#dashboard/managers/data/results.ts';

const texts = experimentsTexts.page;
export const experimentLane = 'experiment';

interface ExperimentTimes {
  readonly state: ExperimentState;
  readonly name: string;
  readonly started: number | null;
  /** `null` while in progress. */
  readonly ended: number | null;
}

type ParseTime = (stamp: string) => number | null;

/** Workflows of one name share a lane, so that a series of fifty is one lane with fifty bars. */
const laneKey = ({ name }: WorkflowRow): string => `workflows ${name}`;

export function experimentLanes(workflows: readonly WorkflowRow[]): readonly Lane[] {
  return [
    { key: experimentLane, label: 'Experiment' },
    ...[...groupBy(workflows, laneKey)].map(([key, rows]) => ({
      key,
      label: rows[0]?.name ?? '',
      subtitle: texts.times(rows.length),
    })),
  ];
}

/** Returns a bar for the experiment, and for each workflow a thin line while it waited and a bar while it ran. */
export function experimentSpans(
  experiment: ExperimentTimes,
  workflows: readonly WorkflowRow[],
  parseStamp: ParseTime,
): readonly LaneSpan[] {
  const experimentBar: LaneSpan[] =
    experiment.started === null
      ? []
      : [
          {
            key: experimentLane,
            lane: experimentLane,
            start: experiment.started,
            end: experiment.ended,
            appearance: experimentAppearances[experiment.state],
            label: experiment.name,
          },
        ];
  const workflowSpans = workflows.flatMap((row): LaneSpan[] => {
    const [submitted, started, ended] = [parseStamp(row.submitted), parseStamp(row.started), parseStamp(row.ended)];
    const hasEnded = row.hasEnded && !row.isFinishing;
    const waitingSpans: LaneSpan[] =
      submitted === null
        ? []
        : [
            {
              key: `${row.id} waiting`,
              lane: laneKey(row),
              start: submitted,
              end: started ?? (hasEnded ? (ended ?? submitted) : null),
              appearance: workflowAppearances.queued,
              label: row.name,
              thin: true,
            },
          ];
    const runningSpans: LaneSpan[] =
      started === null
        ? []
        : [
            {
              key: row.id,
              lane: laneKey(row),
              start: started,
              end: hasEnded ? (ended ?? started) : null,
              appearance: { ...workflowAppearances[row.state], label: stateLabel(row) },
              label: row.name,
            },
          ];
    return [...waitingSpans, ...runningSpans];
  });
  return [...experimentBar, ...workflowSpans];
}

/** Returns the workflow ID of a bar; `null` for the bar of the experiment. */
export function workflowIdOfSpan(key: string): string | null {
  return key === experimentLane ? null : (key.split(' ')[0] ?? null);
}

interface TimedEvent {
  readonly at: number | null;
  readonly message: string;
  readonly level: number;
  readonly isNote?: boolean;
}

/**
 * Returns marks for datapoints and for events of level warning or higher. Events of lower levels are too many; the list
 * contains them.
 */
export function experimentMarks(results: readonly Result[], events: readonly TimedEvent[]): readonly Mark[] {
  const data = results.flatMap(({ storedAt: at, label }) =>
    at === null ? [] : [{ at, label: `Datapoint ${label}`, appearance: outcomeAppearances.done }],
  );
  const problems = events.flatMap(({ at, message, level }) =>
    at === null || level < 30
      ? []
      : [{ at, label: message, appearance: level >= 40 ? outcomeAppearances.failed : outcomeAppearances.unclear }],
  );
  return [...data, ...problems].toSorted((a, b) => a.at - b.at);
}

/** Returns the last activity in ms since the epoch. Notes don't count, because a later note would extend the bar. */
export function findLastActivity(
  workflows: readonly WorkflowRow[],
  results: readonly Result[],
  events: readonly TimedEvent[],
  parseStamp: ParseTime,
): number | null {
  const activityTimes = [
    ...workflows.flatMap(({ submitted, started, ended }) => [
      parseStamp(submitted),
      parseStamp(started),
      parseStamp(ended),
    ]),
    ...results.map((result) => result.storedAt),
    ...events.filter((event) => event.isNote !== true).map((event) => event.at),
  ].filter((time) => time !== null);
  return activityTimes.reduce<number | null>((last, time) => (last === null || time > last ? time : last), null);
}
