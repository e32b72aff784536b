import { nodeAppearances, type NodeState } from '#api/states.ts';

export const overviewTexts = {
  windows: { 2: '2 h', 24: '24 h', 168: '7 d', 720: '30 d' },
  strips: { 2: 'Last 2 hours', 24: 'Last 24 hours', 168: 'Last 7 days', 720: 'Last 30 days' },
  starting: (checked: number, total: number) => `Starting: ${checked} of ${total} managers checked so far.`,
  allHealthy: (total: number) => (total === 1 ? 'The only manager is healthy.' : `All ${total} managers healthy.`),
  allAnswer: (total: number, slow: string) => `All ${total} managers answer; ${slow}.`,
  noneAnswers: (total: number, since: string) => `No response from any of the ${total} managers${since}.`,
  one: (name: string, label: string, since: string, reason: string) => `${name} ${label}${since}${reason}.`,
  several: (failing: number, total: number, predicate: string, list: string) =>
    `${failing} of ${total} managers ${predicate}: ${list}.`,
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
  stateSince: (label: string, time: string, age: string) => `${label} since ${time}, ${age}.`,
  answering: (answering: number, total: number) => `${answering} of ${total} managers answer.`,
  maintenanceReason: (until: string, label: string, reason: string) =>
    `${until} (${label.toLowerCase()}${reason === '' ? '' : `: ${reason}`})`,
  showManagers: 'Show all',
  nodeWork: (workflow: string, step: number, total: number) => `${workflow}, step ${step} of ${total}`,
  replaced: (host: string) =>
    `Addresses on the lab manager’s own machine (localhost) are shown with ${host}, the host this page came from.`,
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
  hide: (name: string) => `Don’t show again in this browser: ${name}`,
  dismiss: (name: string) => `Dismiss in this browser: ${name}`,
  ownAddress: (count: number) =>
    `${count === 1 ? 'One manager’s address is' : `${count} managers’ addresses are`} on localhost, which other machines can’t reach`,
  addresses: 'Addresses',
  versions: (list: string) => `Managers run different versions of MADSci: ${list}`,

  sinceVisit: (time: string) => `Since your last visit, ${time}`,
  recoveredAt: (time: string) => `recovered at ${time}`,
  wentDown: (state: string) => `became ${state.toLowerCase()}`,
  nodeError: (reason: string) => (reason === '' ? 'went into an error state' : `error: ${reason}`),
  workflowFailed: (reason: string) => (reason === '' ? 'failed' : `failed: ${reason}`),
  more: (count: number) => `and ${count} more`,
  pastFailures: (count: number, isMore: boolean) =>
    `${count}${isMore ? ' more' : ''} past ${count === 1 ? 'failure' : 'failures'}`,
  dismissed: (count: number) => `${count} dismissed`,
  lastKnown: 'last known',
  conditions: (list: readonly string[], more: number) => {
    const parts = more > 0 ? [...list, `${more} more`] : list;
    return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
  },
  runningCount: (running: number, queued: number) =>
    [running > 0 ? `${running} running` : '', queued > 0 ? `${queued} queued` : ''].filter(Boolean).join(', '),
  steps: (done: number, total: number) => `${done} of ${total} steps done`,
  otherWorkflows: (count: number) => `${count} more`,
  unavailable: (manager: string) => `The ${manager} does not answer, so there is no data.`,
} as const;
