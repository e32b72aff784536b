/** Words of the Overview about nodes, workflows and experiments. */
export const overviewTexts = {
  nodes: (ready: number, busy: number, bad: number) => {
    const parts = [
      ready > 0 || (busy === 0 && bad === 0) ? `${ready} ${ready === 1 ? 'node' : 'nodes'} ready` : '',
      busy > 0 ? `${busy} busy` : '',
      bad > 0 ? `${bad} not` : '',
    ].filter((part) => part !== '');
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
  what: 'What',
  reason: 'Reason',
  when: 'Since',
  action: 'What to do',
  since: (time: string, age: string) => `since ${time}, ${age}`,
  at: (time: string, age: string) => `${time}, ${age} ago`,
  checkNow: 'Check now',
  openNode: 'Open node',
  openWorkflow: 'Open workflow',
  openWorkcell: 'Open workcell',
  openLab: 'Open Lab',
  hide: (name: string) => `Don’t show again in this browser: ${name}`,
  managerTitle: (name: string) => `${name} manager`,
  failedAt: (words: string, reason: string) => (reason === '' ? words : `${words}: ${reason}`),
  waitForIt: (count: number) => (count === 1 ? 'One workflow waits for it.' : `${count} workflows wait for it.`),
  hangs: (step: string, node: string, took: string, usual: string) =>
    `${step} on ${node} runs for ${took}; earlier ones took at most ${usual}`,
  workcellErrored: 'The workcell’s engine has stopped: no step starts until the workcell manager is restarted',
  ownAddress: (count: number) =>
    `${count === 1 ? 'One manager’s address is' : `${count} managers’ addresses are`} on localhost, which other machines can’t reach`,
  addresses: 'Addresses',
  versions: (list: string) => `Managers run different versions of MADSci: ${list}`,
  version: 'Versions',

  looked: (time: string) => `Since you last looked, ${time}`,
  seen: 'Seen',
  cameBack: (time: string) => `and back at ${time}`,
  wentDown: (state: string) => `became ${state.toLowerCase()}`,
  nodeError: (reason: string) => (reason === '' ? 'went into an error state' : `error: ${reason}`),
  workflowFailed: (reason: string) => (reason === '' ? 'failed' : `failed: ${reason}`),
  more: (count: number) => `and ${count} more`,
  restOf: (count: number) => `${count} more`,
  fewer: 'Only the most important',

  running: 'Running now',
  runningCount: (running: number, queued: number) =>
    [running > 0 ? `${running} running` : '', queued > 0 ? `${queued} queued` : ''].filter(Boolean).join(', '),
  workflow: 'Workflow',
  state: 'State',
  progress: 'Progress',
  node: 'Node',
  time: 'Runs for',
  steps: (done: number, total: number) => `${done} of ${total} steps done`,
  nothingRuns: 'No workflow is running or waiting.',
  submit: 'Submit workflow',
  allWorkflows: 'all workflows',
  moreQueued: (count: number) => `${count} more`,

  experiments: 'Experiments',
  experiment: 'Experiment',
  startedAt: 'Started',
  noExperiment: 'No experiment is in progress.',
  unnamedExperiment: 'Unnamed experiment',
  experimentStates: { in_progress: 'In progress', paused: 'Paused' } as Readonly<Record<string, string>>,
  unavailable: (who: string) => `The ${who} does not answer, so nothing is known here.`,
} as const;
