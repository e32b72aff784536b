import { formatNumber, plural } from '#api/countText.ts';
import type { ExperimentChange } from '../../managers/experiment/experimentState.ts';

/** Each change's verb, dialog title and description of its effect. */
const changes: Readonly<
  Record<ExperimentChange, { readonly verb: string; readonly title: string; readonly what: string }>
> = {
  pause: { verb: 'Pause', title: 'Pause experiment', what: 'Marks the experiment as paused.' },
  continue: { verb: 'Continue', title: 'Continue experiment', what: 'Marks the experiment as in progress again.' },
  end: { verb: 'End', title: 'End experiment', what: 'Marks the experiment as completed and records its end time.' },
  fail: {
    verb: 'Mark as failed',
    title: 'Mark experiment as failed',
    what: 'Marks the experiment as failed. The experiment manager records no end time for it.',
  },
  cancel: {
    verb: 'Cancel',
    title: 'Cancel experiment',
    what: 'Marks the experiment as cancelled. The experiment manager records no end time for it.',
  },
};

export const experimentsTexts = {
  caption: 'Experiments',
  start: 'Start an experiment…',
  noAddress: 'No experiment manager is configured.',
  waiting: 'Waiting for the experiment manager…',
  unnamed: 'Unnamed experiment',
  summary: (open: number, all: number) =>
    `${open === 0 ? 'None' : formatNumber(open)} in progress, ${plural(all, 'experiment', 'experiments')} loaded`,
  newest: (number: number) => `the newest ${formatNumber(number)}`,
  load: (number: number) => (number === 0 ? 'load all' : `load ${formatNumber(number)}`),
  campaign: (id: string) => `Campaign ${id}`,
  counts: (text: readonly string[]) => text.join(', '),
  columns: {
    name: 'Run',
    design: 'Experiment',
    state: 'State',
    campaign: 'Campaign',
    campaignId: 'Campaign ID',
    owner: 'User',
    started: 'Started',
    ended: 'Ended',
    duration: 'Duration',
    seconds: 'Duration (s)',
    estimated: 'Duration is estimated',
    yes: 'yes',
    id: 'ID',
  },
  changes,
  what: (verb: string, name: string) => `${verb}: ${name}`,
  changedState: (shown: string, now: string) => `${shown} was shown; it is ${now.toLowerCase()} now.`,
  otherState: (state: string) => `The experiment manager answered, but the experiment is ${state.toLowerCase()}.`,
  continues: (number: number | null) =>
    number === null
      ? 'It is unknown whether any of its workflows is queued, running or paused. They would stay as they are: MADSci doesn’t stop the workflows of an experiment.'
      : number === 0
        ? 'None of its workflows is queued, running or paused.'
        : `${plural(number, 'of its workflows has not ended, and stays as it is', 'of its workflows have not ended, and stay as they are')}: MADSci doesn’t stop the workflows of an experiment.`,
  page: {
    allExperiments: 'All experiments',
    user: 'User',
    about: (time: string) => `≈ ${time}`,
    aboutMore:
      'The experiment manager records no end for it: this is the time until its last workflow, datapoint or event.',
    time: 'Timeline',
    times: (number: number) => (number === 1 ? 'once' : `${formatNumber(number)} times`),
    results: 'Results',
    changed: {
      experiment_create: 'Created',
      experiment_start: 'Started',
      experiment_pause: 'Paused',
      experiment_continued: 'Continued',
      experiment_complete: 'Ended',
      experiment_failed: 'Marked as failed',
      experiment_cancelled: 'Cancelled',
    },
    more: (shown: number, all: number) => `Show more: ${formatNumber(shown)} of ${formatNumber(all)}`,
  },
  attention: {
    failed: 'failed',
    failedSince: 'failed; it began then',
    stuck: (workflow: string) => `in progress, but its newest workflow, ${workflow}, failed and none is queued or runs`,
    open: 'Open experiment',
  },
  starting: {
    title: 'Start an experiment',
    name: 'Name',
    campaign: 'Campaign',
    noCampaign: (text: string) => `There is no campaign “${text}”: choose one from the list, or a new one.`,
    start: 'Start',
  },
  comparing: {
    none: 'Nothing to compare',
    noneMore: 'Select two or more experiments in the list.',
    unread: (number: number) => `${plural(number, 'experiment was', 'experiments were')} not found.`,
    what: 'Compared',
    state: 'State',
    started: 'Started',
    duration: 'Duration',
    workflows: 'Workflows',
    completed: 'Workflows completed',
    failed: 'Workflows failed',
    datapoints: (number: number) => plural(number, 'datapoint', 'datapoints'),
    parameters: 'Parameters',
    results: 'Results',
    different: 'Only differences',
    mean: (value: string, number: number) => (number === 1 ? value : `mean ${value} of ${formatNumber(number)}`),
    show: 'Show',
    values: (number: number) => plural(number, 'value', 'values'),
    more: (number: number) => `${formatNumber(number)} more`,
    datapoint: (label: string, value: string, origin: string) => `${label}, ${value}, ${origin}`,
    plot: 'Plot',
    over: 'time',
    sinceStart: { minutes: 'minutes since the start', hours: 'hours since the start' },
    plotted: (shown: number, all: number) =>
      `The newest ${formatNumber(shown)} of ${formatNumber(all)} lines are drawn.`,
    absent: '–',
    unknown: '?',
    reading: 'reading the archive…',
    notRead: (reason: string) => `the archive could not be read: ${reason}`,
  },
} as const;
