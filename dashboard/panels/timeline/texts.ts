import { formatNumber, plural } from '../../../api/countText.ts';
import { workflowStateTexts } from '../../managers/workcell/workflowState.ts';
import { lastNightTexts } from '../sinceFilter.ts';
import type { SpanKey } from './span/span.ts';
import type { Colouring, Filters } from './layer/filters.ts';
import type { MarkFilter } from './moments/markFilter.ts';
import type { MarkKind } from './moments/marks.ts';

export const timelineTexts = {
  noAddress: 'The lab has no workcell manager, so there are no workflows to show.',
  waiting: 'Reading the workflows…',
  empty: 'Nothing ran in this span.',
  emptyLab: 'No workflow has been run in this lab yet.',
  submit: 'Submit a workflow',
  spans: {
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
  noLook: 'The Overview was not opened in this browser before this visit.',
  nightMeans: lastNightTexts.hint,
  lookMeans: (time: string) => `Since the previous visit to the Overview, ${time}`,
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
  only: (by: keyof Filters, what: string): string => `${timelineTexts.filters[by]}: ${what}`,
  all: (what: string) => `${what}: all`,
  choice: (text: string, count: number) => `${text} (${formatNumber(count)})`,
  clear: 'Show all',
  colouring: 'Coloured by',
  by: { workflow: 'Workflow', experiment: 'Experiment', outcome: 'Outcome' } satisfies Readonly<
    Record<Colouring, string>
  >,
  legend: 'Legend',
  rest: (by: Colouring, count: number) =>
    by === 'experiment' ? `other or no experiment (${formatNumber(count)})` : `others (${formatNumber(count)})`,
  waits: 'Waiting',
  lanes: { builtIn: workflowStateTexts.builtIn, outages: 'Managers', busy: 'Busy' },
  busyMeans: (node: string, part: string) =>
    `${node} ran ${part} of the shown span up to now, as far as it was read. What ran at the same time counts once.`,
  outagesMeans:
    'When managers didn’t answer, weren’t well or were in maintenance. Hatched: when the lab manager didn’t watch them.',
  canvas: (span: string, lanes: number, steps: number) =>
    `Timeline, ${span}: ${plural(steps, 'step', 'steps')} in ${plural(lanes, 'lane', 'lanes')}. The same steps are in the table below.`,
  keys: 'Arrow keys left and right move, plus and minus zoom, Home goes to the first step that was read and End to now. Arrow keys up and down choose a lane, comma and full stop a step in it, Enter opens the step.',
  hint: 'Drag to move, Ctrl and the wheel to zoom, click a step to open it',
  more: (count: number, part: string) => `and ${plural(count, 'more node', 'more nodes')}, ${part} busy together`,
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
    endsUnread: 'Workflows that ended are not known',
    noneCompleted: 'No workflow completed',
    readSince: (since: string) => `Workflows are counted since ${since}: no further back was read.`,
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
    unwatched: 'outages are not known because the lab manager was not watching',
    unread: 'node errors are not known',
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
    before: (since: string) => `What was before ${since} is not shown.`,
    cut: (limit: number) =>
      `More than ${formatNumber(limit)} steps are not kept on the page: the oldest were left out.`,
    older: (count: number) => `Read the newest ${formatNumber(count)}`,
    end: 'The page reads no further back.',
    outages: (time: string) =>
      `For ${time} of this span the lab manager didn’t watch the managers: hatched in their lane.`,
    marks: (reason: string) => `Stops, commands and node errors could not be read: ${reason}.`,
    foreign: (count: number) =>
      `${plural(count, 'event', 'events')} of nodes of other workcells ${count === 1 ? 'is' : 'are'} not drawn.`,
    events: 'All events of this span',
    marksCut: (limit: number) => `Of the marks the newest ${formatNumber(limit)} are shown.`,
    recorded:
      'Of nodes MADSci records locks, starts and errors; a stop, a pause or a reset only where a node’s own program does.',
  },
  table: {
    caption: 'Steps in the shown span',
    title: 'Steps',
    scope: (shown: number, total: number) =>
      shown < total
        ? `the newest ${formatNumber(shown)} of ${formatNumber(total)} in the span`
        : 'in the span, newest first',
    none: 'No step ran in this span.',
    unread: 'No step is known in this span: the archive of workflows has not been read.',
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
    legend: (by: string) => `Legend, coloured by ${by.toLowerCase()}:`,
    marks: { stop: 'Safety stop', error: 'Error', command: 'Command', gone: 'Disconnected' },
    outage: 'Manager or node not healthy',
    unread: 'Not known',
  },
  pictureTitle: (lab: string) => (lab === '' ? 'Timeline' : `${lab}: timeline`),
} as const;
