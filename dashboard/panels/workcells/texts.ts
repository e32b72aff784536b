/** Texts of the Workcells panel; those of commands are in `nodeCommandTexts.ts`. */
import { formatNumber, plural } from '#api/countText.ts';

/** Returns the searched range of the lab's events. */
function searchedEvents(days: number | null): string {
  if (days === null) return 'all events';
  return days === 1 ? 'the events of the last 24 hours' : `the events of the last ${days} days`;
}

export const workcellTexts = {
  caption: 'Nodes of the workcell',
  states: {
    errored: 'Error',
    initializing: 'Initializing',
    shutdown: 'Shut down',
    locked: 'Locked',
    paused: 'Paused',
    running: 'Running',
    idle: 'Idle',
  },
  stateText: {
    errored: 'The engine starts no step until the workcell manager restarts.',
    initializing: 'The engine is starting and starts no step yet.',
    shutdown: 'The engine has ended and starts no step.',
    locked: 'The workcell is locked and starts no step.',
    paused: 'The workcell is paused and starts no step.',
  },
  scheduler: (time: string) => `at most one step every ${time}`,
  nodes: (total: number, parts: string) => (total === 0 ? 'no nodes' : `${plural(total, 'node', 'nodes')}: ${parts}`),
  counts: {
    ready: 'ready',
    busy: 'busy',
    initializing: 'initializing',
    paused: 'paused',
    locked: 'locked',
    notReady: 'not ready',
    unknown: 'not reached yet',
    unconfigured: 'not configured',
    errored: 'in error',
    stopped: 'stopped',
    disconnected: 'unreachable',
  },
  table: 'Table',
  maintenance: (label: string, until: string, state: string) => `${label} ${until} (${state.toLowerCase()})`,
  step: (step: number, total: number, workflow: string) => `${workflow}, step ${step} of ${total}`,
  unclearAction: 'Just changed: checking what it works on',
  ownAction: 'An action of no active workflow',
  actions: (total: number | null) => (total === null ? 'actions not known yet' : plural(total, 'action', 'actions')),
  contact: { yes: 'Connected', lost: 'Disconnected', never: 'Never reached' },
  contactMore: {
    yes: 'It answered the workcell manager’s last request.',
    lost: 'It did not answer the workcell manager’s last request. The next one follows after at most 30 s, or immediately after a reset.',
    never: 'The workcell manager has not had an answer from it yet.',
  },

  now: {
    title: 'Workflows',
    summary: (running: number, queued: number, paused: number) =>
      [
        ...(running > 0 ? [`${formatNumber(running)} running`] : []),
        ...(paused > 0 ? [`${formatNumber(paused)} paused`] : []),
        ...(queued > 0 ? [`${formatNumber(queued)} queued`] : []),
      ].join(', '),
    all: 'All workflows',
    steps: (done: number, total: number) => `${done} of ${plural(total, 'step', 'steps')} done`,
  },

  add: {
    open: 'Add a node',
    title: 'Add a node',
    button: 'Add node',
    name: 'Name',
    needName: 'Enter a name.',
  },

  blocked: (who: string) => `The ${who.toLowerCase()} does not answer, so nothing can be sent now.`,
  noAddress: 'The workcell manager is switched off in the settings, so there are no nodes to show.',
  waiting: 'Waiting for the workcell manager’s first answer…',

  page: {
    missing: (name: string) => `There is no node ${name}`,
    missingMore:
      'The workcell has no node of this name. It may have been added by hand before the workcell manager restarted.',
    status: 'Status',
    queue: (total: number) => `${plural(total, 'workflow waits', 'workflows wait')} for it.`,
    info: 'Node information',
    state: 'State it reports',
    config: 'Configuration',
    schema: 'Schema of its configuration',
  },

  flags: {
    ready: ['accepts actions', 'accepts no actions'],
    busy: ['busy', 'busy'],
    paused: ['paused', 'paused'],
    locked: ['locked', 'locked'],
    stopped: ['stopped by a safety stop', 'stopped'],
    errored: ['in an error state', 'in error'],
    disconnected: ['not reached', 'unreachable'],
    initializing: ['initializing', 'initializing'],
    waitingForConfig: (keys: string) => `waits for configuration: ${keys}`,
    running: (total: number) => `busy with ${plural(total, 'action', 'actions')}`,
    not: (list: string) => `Inactive: ${list}.`,
    message: (text: string) => `Its message: ${text}`,
  },
  log: {
    title: 'Events',
    scope: (days: number | null) => `${searchedEvents(days)} from this node or mentioning it`,
    further: (days: number | null) => `Search ${searchedEvents(days)}`,
    unread: (reason: string) => `Its events could not be read: ${reason}.`,
    find: 'Find in its events',
    none: (days: number | null) => `None of ${searchedEvents(days)} was logged by it or names it.`,
    noMatch: 'No event matches.',
    more: (shown: number, total: number) => `Show more: ${formatNumber(shown)} of ${formatNumber(total)}`,
  },

  past: {
    title: 'Past steps',
    scope: (total: number) => `in active workflows and the newest ${formatNumber(total)} archived ones`,
    more: 'Search the newest 500',
    find: 'Find in its steps',
    none: (total: number) => `It has no steps in active workflows and the newest ${formatNumber(total)} archived ones.`,
    activeOnly: 'in active workflows; the archive has not been read yet',
    unread: (reason: string) => `The archive could not be read: ${reason}.`,
    noMatch: 'No step matches.',
    step: (number: number, name: string) => `step ${number}, ${name}`,
    lasted: (age: string) => `took ${age}`,
  },

  send: {
    title: 'Actions',
    none: 'It declares no actions.',
    unknown: 'It has not reported its actions yet.',
    send: 'Send action',
    copy: 'Copy as workflow step',
    locations: (total: number, node: string) =>
      total === 0
        ? `No location of this lab has a representation for ${node}.`
        : `${plural(total, 'location has', 'locations have')} a representation for ${node}.`,
    waitReasons: {
      busy: (what: string) => `the node is working${what}`,
      busyPlain: 'the node is busy',
      locked: 'the node is locked',
      paused: 'the node is paused',
      errored: 'the node is in an error state until it is reset',
      stopped: 'the node is stopped until it is reset',
      disconnected: 'the node can’t be reached',
      initializing: 'the node is starting up',
      unconfigured: 'the node waits for configuration',
      unknown: 'the node was never reached',
      notReady: 'the node reports that it is not ready',
      workcell: 'the workcell’s engine starts no step until its manager restarts',
      queue: (total: number) => `${plural(total, 'workflow', 'workflows')} before it in the queue`,
    },
    what: (action: string, node: string) => `Send ${action} to ${node}`,
    sent: 'Sent from this page',
    inline: 'Returned',
  },
} as const;
