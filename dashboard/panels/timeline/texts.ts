import { formatNumber, plural } from '#api/countText.ts';
import { workflowStateTexts } from '../../managers/workcell/workflowState.ts';
import { lastNightTexts } from '../sinceFilter.ts';
import type { SpanKey } from './span/span.ts';
import type { Colouring, Filters } from './layer/filters.ts';
import type { MarkFilter } from './moments/markFilter.ts';
import type { MarkKind } from './moments/marks.ts';

export const timelineTexts = {
  noAddress: 'The lab has no workcell manager, so there are no workflows to show.',
  waiting: 'Reading the workflows…',
  emptyLab: 'The workcell manager lists no workflows.',
  submit: 'Submit a workflow',
  spans: {
    latest: 'Latest',
    '10m': '10 min',
    '1h': '1 h',
    '8h': '8 h',
    night: lastNightTexts.title,
    '24h': '24 h',
    '7d': '7 d',
    '30d': '30 d',
    look: 'Since your last visit',
  } satisfies Readonly<Record<SpanKey, string>>,
  span: 'Span',
  noPreviousVisit: 'The Overview was not opened in this browser before this visit.',
  nightHint: lastNightTexts.hint,
  latestHint: 'From the first step or outage of the last 24 hours to now',
  previousVisitHint: (time: string) => `Since the previous visit to the Overview, ${time}`,
  closer: 'Zoom in',
  wider: 'Zoom out',
  earlier: 'Earlier',
  later: 'Later',
  png: 'Save as PNG',
  print: 'Print',
  pngFailed: 'This browser could not create the picture.',
  filters: {
    node: 'Node',
    workflow: 'Workflow',
    author: 'Author',
    experiment: 'Experiment',
    outcome: 'Outcome',
  },
  marks: 'Marks',
  markFilters: {
    all: 'Marks: all',
    warnings: 'Marks: warnings and errors',
    errors: 'Marks: errors',
    commands: 'Marks: stops and commands',
    none: 'Marks: none',
  } satisfies Readonly<Record<MarkFilter, string>>,
  only: (filter: keyof Filters, value: string): string => `${timelineTexts.filters[filter]}: ${value}`,
  all: (what: string) => `${what}: all`,
  choice: (text: string, count: number) => `${text} (${formatNumber(count)})`,
  clear: 'Show all',
  colouring: 'Coloured by',
  colourings: { workflow: 'Workflow', experiment: 'Experiment', outcome: 'Outcome' } satisfies Readonly<
    Record<Colouring, string>
  >,
  legend: 'Legend',
  rest: (colouring: Colouring, count: number) =>
    colouring === 'experiment' ? `other or no experiment (${formatNumber(count)})` : `others (${formatNumber(count)})`,
  waits: 'Waiting',
  lanes: { builtIn: workflowStateTexts.builtIn, outages: 'Managers', busy: 'Busy' },
  busyHint: (node: string, share: string) =>
    `${node} was busy for ${share} of the shown span up to now, as far as it was loaded. Concurrent steps count once.`,
  outagesHint:
    'Times when managers were not healthy or in maintenance. Hatched: times when the lab manager did not watch them.',
  canvas: (span: string, lanes: number, steps: number) =>
    `Timeline, ${span}: ${plural(steps, 'step', 'steps')} in ${plural(lanes, 'lane', 'lanes')}. The same steps are in the table below.`,
  keys: 'Arrow keys left and right move, plus and minus zoom, Home goes to the first loaded step and End to now. Arrow keys up and down choose a lane, comma and full stop a step in it, Enter opens the step.',
  more: (count: number, share: string) => `and ${plural(count, 'more node', 'more nodes')}, ${share} busy on average`,
  /** For a bar that represents several concurrent steps. */
  further: (count: number) => `+${formatNumber(count)}`,
  text: {
    step: (step: string, workflow: string) => `${step} · ${workflow}`,
    wait: (step: string) => `Waiting for ${step}`,
    ofTransfer: (step: string) => `${step} (of a transfer)`,
    several: (count: number) => `the worst of ${formatNumber(count)} here; zoom in to see each`,
    atEarliest: 'at the earliest',
    marks: {
      stop: (count: number) => plural(count, 'safety stop', 'safety stops'),
      error: (count: number) => plural(count, 'error', 'errors'),
      gone: (count: number) => plural(count, 'disconnection', 'disconnections'),
      command: (count: number) => plural(count, 'command', 'commands'),
      start: (count: number) => plural(count, 'start', 'starts'),
    } satisfies Readonly<Record<MarkKind, (count: number) => string>>,
    unwatchedPart: (time: string) => `${time} of this not watched`,
    pressZooms: 'Click to zoom in',
    pressLists: 'Click to list them',
  },
  summary: {
    completed: (count: number) => plural(count, 'workflow completed', 'workflows completed'),
    none: 'No workflow ended',
    endsUnread: 'Ended workflows are unknown',
    noneCompleted: 'No workflow completed',
    readSince: (since: string) => `Workflows are counted since ${since}; earlier ones are not loaded.`,
    failed: (count: number) => `${formatNumber(count)} failed`,
    cancelled: (count: number) => `${formatNumber(count)} cancelled`,
    running: (count: number) => `${formatNumber(count)} running`,
    wait: (time: string, step: string, workflow: string) => `longest wait ${time} (${step} of ${workflow})`,
    errors: (count: number) => plural(count, 'node error', 'node errors'),
    noErrors: 'no node errors',
    stops: (count: number) => plural(count, 'safety stop', 'safety stops'),
    outage: (name: string, time: string) => `${name} not healthy for ${time}`,
    nodeOutages: (count: number, longest: string, time: string) =>
      `${plural(count, 'node', 'nodes')} not healthy, ${longest} the longest with ${time}`,
    unhealthy: (manager: string) => `${manager} not healthy for a while`,
    nodesUnhealthy: (count: number) => `${plural(count, 'node', 'nodes')} not healthy for a while`,
    noOutages: 'no outages',
    noOutagesSeen: (time: string) => `no outages in the ${time} in which the lab manager watched`,
    unwatched: 'outages are unknown because the lab manager was not watching',
    unread: 'node errors are unknown',
  },
  scope: {
    reading: 'Reading the archive…',
    failed: (reason: string) => `The archive could not be read: ${reason}.`,
    retry: 'Try again',
    whole: (count: number) => {
      if (count === 0) return 'The archive is empty.';
      return count === 1
        ? 'The only archived workflow was read.'
        : `All ${formatNumber(count)} archived workflows were read.`;
    },
    newest: (count: number, since: string) =>
      `The newest ${count === 1 ? 'archived workflow was' : `${formatNumber(count)} archived workflows were`} read, submitted since ${since}.`,
    before: (since: string) => `Steps before ${since} are not shown.`,
    cut: (limit: number) => `The page shows at most ${formatNumber(limit)} steps; the oldest are left out.`,
    older: (count: number) => `Read the newest ${formatNumber(count)}`,
    end: 'The page loads no older workflows.',
    outages: (time: string) =>
      `For ${time} of this span the lab manager didn’t watch the managers: hatched in their lane.`,
    marks: (reason: string) => `Stops, commands and node errors could not be read: ${reason}.`,
    foreign: (count: number) =>
      `${plural(count, 'event', 'events')} of nodes of other workcells ${count === 1 ? 'is' : 'are'} not drawn.`,
    events: 'All events of this span',
    marksCut: (limit: number) => `Only the newest ${formatNumber(limit)} marks are shown.`,
    recorded:
      'For nodes, MADSci records locks, starts and errors; stops, pauses and resets only if the node’s own program does.',
  },
  table: {
    caption: 'Steps in the shown span',
    scope: (shown: number, total: number) =>
      shown < total
        ? `the newest ${formatNumber(shown)} of ${formatNumber(total)} in this span`
        : 'in this span, newest first',
    none: 'No step ran in this span.',
    unread: 'The steps in this span are unknown: the archive of workflows has not been read.',
    columns: {
      step: 'Step',
      node: 'Node',
      workflow: 'Workflow',
      start: 'Start',
      end: 'End',
      duration: 'Duration',
      state: 'State',
      experiment: 'Experiment',
      author: 'Author',
      number: 'Number',
      id: 'Workflow ID',
      error: 'Error',
    },
    continues: 'still running',
  },
  picture: {
    span: (from: string, to: string, zone: string) => `${from} – ${to}, ${zone}`,
    saved: (time: string) => `Saved ${time}`,
  },
  legendItems: {
    title: (colouring: string) => `Legend, coloured by ${colouring.toLowerCase()}:`,
    marks: {
      stop: 'Safety stop',
      error: 'Error',
      gone: 'Disconnected',
      command: 'Command',
      start: 'Node started',
    } satisfies Readonly<Record<MarkKind, string>>,
    outage: 'Manager or node not healthy',
    unread: 'Unknown',
  },
  pictureTitle: (lab: string) => (lab === '' ? 'Timeline' : `${lab}: timeline`),
} as const;
