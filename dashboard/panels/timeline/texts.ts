import { formatNumber, plural } from '#api/countText.ts';
import { workflowStateTexts } from '../../managers/workcell/workflowState.ts';
import { lastNightTexts } from '../sinceFilter.ts';
import type { SpanKey } from './span/span.ts';
import type { Colouring, Filters } from './layer/filters.ts';
import type { MarkFilter } from './moments/markFilter.ts';
import type { MarkKind } from './moments/marks.ts';

export const timelineTexts = {
  waiting: 'Reading the workflows…',
  spans: {
    latest: 'Latest',
    '10m': '10 min',
    '1h': '1 h',
    '8h': '8 h',
    night: lastNightTexts.title,
    '24h': '24 h',
    '7d': '7 d',
    '30d': '30 d',
    'last-visit': 'Since your last visit',
  } satisfies Readonly<Record<SpanKey, string>>,
  nightHint: lastNightTexts.hint,
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
  choice: (text: string, count: number) => `${text} (${formatNumber(count)})`,
  colouring: 'Coloured by',
  colourings: { workflow: 'Workflow', experiment: 'Experiment', outcome: 'Outcome' } satisfies Readonly<
    Record<Colouring, string>
  >,
  rest: (colouring: Colouring, count: number) =>
    colouring === 'experiment' ? `other or no experiment (${formatNumber(count)})` : `others (${formatNumber(count)})`,
  lanes: { builtIn: workflowStateTexts.builtIn },
  canvas: (span: string, lanes: number, steps: number) =>
    `Timeline, ${span}: ${plural(steps, 'step', 'steps')} in ${plural(lanes, 'lane', 'lanes')}. The same steps are in the table below.`,
  more: (count: number, share: string) => `and ${plural(count, 'more node', 'more nodes')}, ${share} busy on average`,
  /** For a bar that represents several concurrent steps. */
  further: (count: number) => `+${formatNumber(count)}`,
  text: {
    ofTransfer: (step: string) => `${step} (of a transfer)`,
    several: (count: number) => `the worst of ${formatNumber(count)} here; zoom in to see each`,
    marks: {
      stop: (count: number) => plural(count, 'safety stop', 'safety stops'),
      error: (count: number) => plural(count, 'error', 'errors'),
      gone: (count: number) => plural(count, 'disconnection', 'disconnections'),
      command: (count: number) => plural(count, 'command', 'commands'),
      start: (count: number) => plural(count, 'start', 'starts'),
    } satisfies Readonly<Record<MarkKind, (count: number) => string>>,
  },
  summary: {
    completed: (count: number) => plural(count, 'workflow completed', 'workflows completed'),
    none: 'No workflow ended',
    failed: (count: number) => `${formatNumber(count)} failed`,
    cancelled: (count: number) => `${formatNumber(count)} cancelled`,
    running: (count: number) => `${formatNumber(count)} running`,
    errors: (count: number) => plural(count, 'node error', 'node errors'),
    noErrors: 'no node errors',
    stops: (count: number) => plural(count, 'safety stop', 'safety stops'),
    outage: (name: string, time: string) => `${name} not healthy for ${time}`,
    nodeOutages: (count: number, longest: string, time: string) =>
      `${plural(count, 'node', 'nodes')} not healthy, ${longest} the longest with ${time}`,
    nodesUnhealthy: (count: number) => `${plural(count, 'node', 'nodes')} not healthy for a while`,
    noOutages: 'no outages',
  },
  scope: {
    reading: 'Reading the archive…',
    whole: (count: number) => {
      if (count === 0) return 'The archive is empty.';
      return count === 1
        ? 'The only archived workflow was read.'
        : `All ${formatNumber(count)} archived workflows were read.`;
    },
    newest: (count: number, since: string) =>
      `The newest ${count === 1 ? 'archived workflow was' : `${formatNumber(count)} archived workflows were`} read, submitted since ${since}.`,
    cut: (limit: number) => `The page shows at most ${formatNumber(limit)} steps; the oldest are left out.`,
    older: (count: number) => `Read the newest ${formatNumber(count)}`,
    foreign: (count: number) =>
      `${plural(count, 'event', 'events')} of nodes of other workcells ${count === 1 ? 'is' : 'are'} not drawn.`,
    marksCut: (limit: number) => `Only the newest ${formatNumber(limit)} marks are shown.`,
  },
  table: {
    scope: (shown: number, total: number) =>
      shown < total
        ? `the newest ${formatNumber(shown)} of ${formatNumber(total)} in this span`
        : 'in this span, newest first',
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
  },
  pictureTitle: (lab: string) => (lab === '' ? 'Timeline' : `${lab}: timeline`),
} as const;
