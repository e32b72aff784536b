/** The list of experiments, and its rows: one by one or below their campaigns. */
import { type Experiment, experimentApi } from '#api/managers/experiment.ts';
import { experimentAppearances, experimentStates, type ExperimentState } from '#api/states.ts';
import { groupBy } from '../../base/grouping.ts';
import { shortId } from '../../base/objectPages.ts';
import {
  experimentDuration,
  experimentName,
  experimentState,
  type ExperimentDuration,
} from '../../managers/experiment/experimentState.ts';
import { experimentsTexts as texts } from './texts.ts';
import { computed, type ComputedRef } from 'vue';
import type { LiveQuery } from '../../components/feedback/liveQuery.ts';
import { isComplete, nextCounts, type PageCounts } from '../../managers/transport/poll/newestPages.ts';
import { pollingSchedule } from '../../managers/transport/poll/pollingSchedule.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';

/** One run, or a campaign with its runs. */
export interface ExperimentRow {
  readonly key: string;
  /** ID of the experiment; empty for a campaign. */
  readonly id: string;
  readonly name: string;
  readonly design: string;
  /** For a campaign, the worst state of its runs. */
  readonly state: ExperimentState;
  /** The state as text; for a campaign, the number of runs per state. */
  readonly text: string;
  readonly campaign: string;
  readonly owner: string;
  readonly started: number | null;
  readonly ended: number | null;
  readonly duration: ExperimentDuration | null;
  readonly runs: readonly ExperimentRow[];
  /** For a campaign, the number of runs per state, worst first. */
  readonly counts: readonly StateCount[];
}

export interface StateCount {
  readonly state: ExperimentState;
  readonly count: number;
}

/** Data from outside the experiment records. */
interface RelatedData {
  /** When experiments without a recorded end failed or were cancelled, by ID, in ms since the epoch. */
  readonly ends: ReadonlyMap<string, number>;
  readonly campaignName: (id: string) => string;
}
const noRelatedData: RelatedData = { ends: new Map(), campaignName: (id) => texts.campaign(shortId(id)) };

export type ParseTime = (stamp: string | null | undefined) => number | null;

export function toExperimentRow(
  experiment: Experiment,
  parseStamp: ParseTime,
  now: number,
  { ends }: Pick<RelatedData, 'ends'> = noRelatedData,
): ExperimentRow {
  const { _id: id, experiment_design: design, ownership_info: ownership } = experiment;
  const state = experimentState(experiment);
  const [started, ended] = [parseStamp(experiment.started_at), parseStamp(experiment.ended_at)];
  return {
    key: id,
    id,
    name: experimentName(experiment) || texts.unnamed,
    design: design?.experiment_name ?? '',
    state,
    text: experimentAppearances[state].label,
    campaign: ownership.campaign_id ?? design?.ownership_info?.campaign_id ?? '',
    owner: ownership.user_id ?? '',
    started,
    // After `continue`, the experiment still has its previous end time.
    ended: state === 'completed' ? ended : null,
    duration: experimentDuration(state, { started, ended, last: ends.get(id) ?? null }, now),
    runs: [],
    counts: [],
  };
}

function countStates(runs: readonly ExperimentRow[]): readonly StateCount[] {
  return experimentStates.flatMap((state) => {
    const count = runs.filter((run) => run.state === state).length;
    return count === 0 ? [] : [{ state, count }];
  });
}

/** Returns `1 failed, 2 completed`: the worst state first. */
const formatCounts = (counts: readonly StateCount[]): string =>
  texts.counts(counts.map(({ state, count }) => `${count} ${experimentAppearances[state].label.toLowerCase()}`));

function campaignRow(
  campaign: string,
  runs: readonly ExperimentRow[],
  campaignName: RelatedData['campaignName'],
): ExperimentRow {
  const counts = countStates(runs);
  const starts = runs.flatMap(({ started }) => started ?? []);
  const worst = runs.toSorted(
    (a, b) => experimentAppearances[b.state].severity - experimentAppearances[a.state].severity,
  )[0];
  const haveAllEnded = runs.every(({ ended }) => ended !== null);
  const ends = runs.flatMap(({ ended }) => ended ?? []);
  return {
    key: `campaign ${campaign}`,
    id: '',
    name: campaign === '' ? 'No campaign' : campaignName(campaign),
    design: '',
    state: worst?.state ?? 'unknown',
    text: formatCounts(counts),
    campaign,
    owner: '',
    started: starts.length === 0 ? null : Math.min(...starts),
    ended: haveAllEnded && ends.length > 0 ? Math.max(...ends) : null,
    duration: null,
    runs,
    counts,
  };
}

/** Returns one row per campaign: the campaign that started last first, runs without a campaign last. */
export function groupByCampaign(
  rows: readonly ExperimentRow[],
  { campaignName }: Pick<RelatedData, 'campaignName'> = noRelatedData,
): readonly ExperimentRow[] {
  const groups = groupBy(rows, ({ campaign }) => campaign);
  return [...groups]
    .map(([campaign, runs]) => campaignRow(campaign, runs, campaignName))
    .toSorted((a, b) => Number(a.campaign === '') - Number(b.campaign === '') || (b.started ?? 0) - (a.started ?? 0));
}

/** Selectable counts; 0 means all. */
export const experimentCounts: PageCounts = [200, 1000, 0];

interface ExperimentList {
  readonly live: LiveQuery<Experiment[]>;
  readonly isComplete: ComputedRef<boolean>;
  /** Larger counts to select next. */
  readonly nextCounts: ComputedRef<readonly number[]>;
}

/** @param count returns the number of experiments to read, 0 for all */
export function useExperimentList(count: () => number): ExperimentList {
  const live = useManagerQuery(experimentApi, 'getExperiments', {
    schedule: 'experimentsShown',
    input: () => ({ number: count() }),
    // A full list is polled less often, because old experiments rarely change.
    interval: () => (count() === experimentCounts[0] ? 0 : pollingSchedule.archiveFurtherBack),
  });
  const isListComplete = computed(() => isComplete(live.data.value?.length ?? 0, count()));
  return {
    live,
    isComplete: isListComplete,
    nextCounts: computed(() => (isListComplete.value ? [] : nextCounts(experimentCounts, count()))),
  };
}
