import { nodeAppearances, type NodeState } from '#api/states.ts';

export const overviewTexts = {
  windows: { 2: '2 h', 24: '24 h', 168: '7 d', 720: '30 d' },
  strips: { 2: 'Last 2 hours', 24: 'Last 24 hours', 168: 'Last 7 days', 720: 'Last 30 days' },
  allHealthy: (total: number) => (total === 1 ? 'The only manager is healthy.' : `All ${total} managers healthy.`),
  one: (name: string, label: string, since: string, reason: string) => `${name} ${label}${since}${reason}.`,
  unknownLab: 'The state of the lab is not known at the moment.',
  since: (time: string) => ` since ${time}`,
  slowOne: (name: string, reason: string) => `${name} is slow${reason}`,
  count: (healthy: number, total: number, inMaintenance: number) =>
    [
      total > 0 || inMaintenance === 0 ? `${healthy} of ${total} healthy` : '',
      inMaintenance > 0 ? `${inMaintenance} in maintenance` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  maintenanceReason: (until: string, label: string, reason: string) =>
    `${until} (${label.toLowerCase()}${reason === '' ? '' : `: ${reason}`})`,
  showManagers: 'Show all',
  nodes: (counts: readonly (readonly [count: number, state: NodeState])[]) => {
    const parts = counts
      .filter(([count]) => count > 0)
      .map(([count, state], index) => {
        const noun = index > 0 ? '' : count === 1 ? ' node' : ' nodes';
        return `${count}${noun} ${state === 'errored' ? 'in error' : nodeAppearances[state].label.toLowerCase()}`;
      });
    return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
  },
  workflows: (running: number, queued: number, paused: number) =>
    [
      running > 0 ? `${running} ${running === 1 ? 'workflow' : 'workflows'} running` : 'no workflow running',
      paused > 0 ? `${paused} paused` : '',
      queued > 0 ? `${queued} queued` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  attention: 'Needs attention',
  sinceWithAge: (time: string, age: string) => `since ${time}, ${age}`,
  at: (time: string, age: string) => `${time}, ${age} ago`,
  ownAddress: (count: number) =>
    `${count === 1 ? 'One manager’s address is' : `${count} managers’ addresses are`} on localhost, which other machines can’t reach`,
  addresses: 'Addresses',
  wentDown: (state: string) => `became ${state.toLowerCase()}`,
  nodeError: (reason: string) => (reason === '' ? 'went into an error state' : `error: ${reason}`),
  workflowFailed: (reason: string) => (reason === '' ? 'failed' : `failed: ${reason}`),
  more: (count: number) => `and ${count} more`,
  pastFailures: (count: number, isMore: boolean) =>
    `${count}${isMore ? ' more' : ''} past ${count === 1 ? 'failure' : 'failures'}`,
  lastKnown: 'last known',
  conditions: (list: readonly string[], more: number) => {
    const parts = more > 0 ? [...list, `${more} more`] : list;
    return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
  },
  runningCount: (running: number, queued: number) =>
    [running > 0 ? `${running} running` : '', queued > 0 ? `${queued} queued` : ''].filter(Boolean).join(', '),
  unavailable: (manager: string) => `The ${manager} does not answer, so there is no data.`,
} as const;

/** Texts for the managers' availability and incidents over days. */
export const historyTexts = {
  windows: { 2: '2 h', 24: '24 h', 168: '7 d', 720: '30 d', 2160: '90 d' },
  stripLabel: (name: string, window: string, text: string) => `${name}, last ${window}: ${text}`,
  notWatched: 'not watched',
  count: (count: number) => (count === 0 ? 'none' : String(count)),
  incidents: 'Incidents',
  maintenance: 'Maintenance',
  columns: {
    from: 'From',
    to: 'To',
    duration: 'Duration',
  },
  reading: 'Reading the history…',
} as const;
