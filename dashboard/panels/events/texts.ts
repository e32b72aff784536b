import { formatNumber, plural } from '#api/countText.ts';
import type { SubjectKind } from '../../managers/event/eventRow.ts';

const kinds: Readonly<Record<SubjectKind, string>> = {
  workflow: 'Workflow',
  node: 'Node',
  experiment: 'Experiment',
  resource: 'Resource',
  location: 'Location',
};

export const eventsTexts = {
  activity: 'Activity',
  activityHint: 'Shows only the commands sent from dashboards, apps and command lines, with the senders that they name',
  caption: 'Events',
  noAddress: 'No event manager is configured.',
  waiting: 'Waiting for the event manager…',
  onlyAbout: 'only about',
  all: 'show all',
  none: 'No events',
  noneMore: 'No events match this level and time range.',
  /** @param since the time of the first of them */
  repeated: (message: string, count: number, since: string) => `${message} (${count} times since ${since})`,
  columns: {
    about: 'About',
    id: 'ID',
  },
  level: 'Lowest level',
  anyLevel: 'All levels',
  andAbove: (level: string) => `${level} and above`,
  period: 'Time',
  range: {
    label: 'Time range',
    from: 'From',
    to: 'To',
    localTime: 'Date and time by this machine’s clock; empty: no bound',
    format: '2026-11-22 18:00',
    invalid: 'Enter a date and time such as 2026-11-22 18:00.',
    reversed: 'From must be before To.',
  },
  periods: {
    all: 'All times',
    minutes15: 'Last 15 minutes',
    hour: 'Last hour',
    day: 'Last 24 hours',
    week: 'Last 7 days',
    month: 'Last 30 days',
    range: 'Custom range',
  },
  views: 'Events to show',
  current: 'Log',
  archived: 'Archive',
  follow: 'Follow',
  pause: 'Pause',
  newEvents: (number: number) => `${plural(number, 'new event', 'new events')}: show`,
  scope: (loaded: number, whole: boolean) => (whole ? '(all)' : `search covers the newest ${formatNumber(loaded)}`),
  readingRange: (loaded: number) => `reading the whole range: ${plural(loaded, 'event', 'events')} so far`,
  found: 'found by the event manager in message, type, source and IDs',
  cut: (bound: number) =>
    `the page keeps the newest ${formatNumber(bound)}; a search or a filter covers the whole range`,
  unreadBefore: (time: string) => `not read before ${time}`,
  gap: 'some events in between are missing: more arrived at once than the page reads',
  searchMonth: 'search the last 30 days',
  searchPeriod: 'search the whole range',
  older: 'load older',
  loading: 'loading…',
  olderFailed: (reason: string) => `older ones could not be read: ${reason}`,
  histogram: 'Events over time, by level',
  bar: (from: string, to: string, text: string) => `${from}–${to}: ${text}`,
  /** Info includes Debug and lower levels, Error includes Critical. */
  levelGroups: { low: 'Info or lower', warning: 'Warning', error: 'Error or higher' },
  rates: 'Error rate over time',
  rate: (share: string) => `${share} errors`,
  worst: (share: string, from: string) => `peak: ${share} at ${from}`,
  histogramHint: 'Drag to zoom',
  errorShare: (share: string, total: number) => `${share} errors among the ${formatNumber(total)} loaded`,
  archivedScope: (loaded: number) => `search covers the ${formatNumber(loaded)} archived last`,
  saveNdjson: 'NDJSON',
  saveNdjsonMore: 'Save the matching events in full, one JSON object per line',
  archive: {
    selected: (number: number) => `Archive ${plural(number, 'event', 'events')}…`,
    title: 'Archive events',
    confirmArchive: (number: number) =>
      `${plural(number, 'event is', 'events are')} removed from the log. The archive keeps them until they are deleted there.`,
    date: 'Before (this machine’s time)',
    countNow: (number: number) => `${plural(number, 'event is', 'events are')} older than that.`,
    countMore: (number: number) => `More than ${formatNumber(number)} events are older than that.`,
    action: 'Archive',
    done: (number: number) => `${plural(number, 'event', 'events')} archived`,
    deleteTitle: 'Delete archived events',
    days: 'Archived more than this many days ago',
    deleteAction: 'Delete permanently',
    deleted: (number: number) => `${plural(number, 'archived event', 'archived events')} deleted`,
    what: 'Events',
    counted: (shown: number | null, now: number) =>
      shown === null
        ? `${plural(now, 'event is', 'events are')} older than that; the number was not shown.`
        : `${plural(shown, 'event was', 'events were')} shown as older than that; now ${formatNumber(now)}.`,
    doneOf: (number: number, all: number) =>
      `${formatNumber(number)} of ${plural(all, 'event', 'events')} archived. The others are no longer in the log.`,
    selectedEvents: (number: number) => plural(number, 'selected event', 'selected events'),
    deletedEvents: (days: number) => `events archived more than ${plural(days, 'day', 'days')} ago`,
  },
  page: {
    missing: (id: string) => `No event ${id}`,
    about: kinds,
    aroundMore: (seconds: number) => `From ${formatNumber(seconds)} s before to ${formatNumber(seconds)} s after`,
    more: (number: number) => `Show ${formatNumber(number)} more`,
  },
} as const;

export const utilizationTexts = {
  spans: { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days', quarter: 'Last 12 weeks' },
  peakOf: (share: string, period: string) => (period === '' ? share : `${share}, ${period}`),
  percent: (value: number) => `${formatNumber(Math.round(value * 10) / 10)} %`,
  hours: (value: number) => `${formatNumber(Math.round(value * 10) / 10)} h`,
  columns: {
    utilization: 'Utilization',
    runtime: 'Runtime',
    workflows: 'Workflows',
    busy: 'Busy',
  },
  scope: (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
  none: 'No workflow ran in this time.',
  approximate: (text: string) => `≈ ${text}`,
} as const;
