import { formatNumber } from '#api/countText.ts';
import { workflowStateTexts } from '../../managers/workcell/workflowState.ts';

export const workflowsTexts = {
  submit: 'Submit workflow',
  columns: {
    name: 'Name',
    state: 'State',
    progress: 'Steps',
    stepsDone: 'Steps done',
    node: 'Current node',
    author: 'Author',
    experiment: 'Experiment',
    submitted: 'Submitted',
    started: 'Started',
    duration: 'Duration',
    id: 'ID',
  },
  list: {
    summary: (running: number, paused: number, queued: number) =>
      [
        running > 0 ? `${formatNumber(running)} running` : '',
        paused > 0 ? `${formatNumber(paused)} paused` : '',
        queued > 0 ? `${formatNumber(queued)} queued` : '',
      ]
        .filter(Boolean)
        .join(', '),
    idle: 'No workflow is active.',
    need: (count: number) => (count === 1 ? 'one needs intervention' : `${count} need intervention`),
    lost: (count: number, from: string, until: string) =>
      `${count === 1 ? 'One active workflow was' : `${formatNumber(count)} active workflows were`} lost between ${from} and ${until}: the workcell manager no longer has ${count === 1 ? 'it' : 'them'}.`,
    lostWorkflow: (name: string, state: string, id: string) => `${name}, last ${state}, ${id}`,
    none: 'The workcell manager lists no workflows. Workflows that are submitted to it appear here.',
    archiveUnread: 'No workflow is active; the archive is still being read…',
    archiveFailed: (reason: string) => `No workflow is active; the archive could not be read: ${reason}.`,
    noneOn: (node: string, count: number) =>
      `None of the ${formatNumber(count)} workflows searched has a step on ${node}.`,
    waiting: 'Waiting for the workcell manager’s first answer…',
    node: (node: string) => `Node: ${node}`,
    nodeTitle: 'Nodes of its steps',
    anyNode: 'all',
    nodes: 'Node',
    builtIn: workflowStateTexts.builtIn,
    steps: (done: number, total: number) => (total === 0 ? 'no steps' : `${done} of ${total} steps done`),
    ofSteps: (done: number, total: number) => `${done}/${total}`,
  },
  queue: {
    more: (count: number) => `and ${count === 1 ? 'one more' : `${formatNumber(count)} more`} in the list`,
  },
  engine: {
    title: 'The workcell’s scheduler has failed.',
    what: 'No further step starts until the workcell manager restarts. Actions on nodes continue.',
  },
  facts: {
    transferRelation: (likely: boolean) => (likely ? 'probably the transfer of' : 'the transfer of'),
  },
  page: {
    loading: 'Waiting for the workcell manager’s first answer…',
    time: 'Time',
    timeHint: 'a lane per node; thin: waiting, thick: running',
    steps: 'Steps',
    inputs: 'Values and files',
    raw: 'Raw',
    tabs: 'Parts of the workflow',
    noSteps: 'This workflow has no steps.',
    noTimes: 'No step has started yet.',
    openFull: 'Open full page',
    notFoundTitle: 'No such workflow',
    notFound: (id: string) => `The workcell manager has no workflow ${id}.`,
    notFoundWhy:
      'It may have belonged to another workcell. Queued and running workflows are lost when the workcell manager restarts without its store; check the list, or submit it again.',
    lostTitle: 'The workcell manager no longer has this workflow',
    lostWhy: (time: string) =>
      `It was last read at ${time} and is shown in that state. Queued and running workflows are lost when the workcell manager restarts without its store. Its node may still be finishing its action: check the node.`,
    toList: 'All workflows',
    lane: workflowStateTexts.builtIn,
    waitsFor: (step: string) => `Waiting for ${step}`,
    again: (step: string, attempt: number) => `${step}, attempt ${attempt}`,
    rawLabel: (name: string) => `${name} as the workcell manager serves it`,
  },
  steps: {
    fromTo: (start: string, end: string | null) => (end === null ? `since ${start}` : `${start} – ${end}`),
    result: 'Result',
    retryHere: 'Retry from here',
    errorAbove: 'The error is shown at the top of the page.',
    failedWithoutReason: 'The node gave no reason.',
    file: (parameter: string, name: string) => (name === '' ? parameter : `${parameter}: ${name}`),
    child: (likely: boolean) => (likely ? 'probably carried out by' : 'carried out by'),
  },
  conditions: {
    operators: {
      is_greater_than: 'is greater than',
      is_less_than: 'is less than',
      is_equal_to: 'is',
      is_greater_than_or_equal_to: 'is at least',
      is_less_than_or_equal_to: 'is at most (MADSci 0.8 treats it as less than)',
    } as Readonly<Record<string, string>>,
  },
  inputs: {
    produced: (step: string) => `produced by step ${step}`,
    notProduced: (step: string) => `from step ${step}, not available yet`,
  },
  actions: {
    names: {
      pause: 'Pause',
      resume: 'Resume',
      cancel: 'Cancel',
      cancelWhenFree: 'Cancel when free',
      cancelNow: 'Cancel now',
      retry: 'Retry',
      resubmit: 'Submit again',
    },
    stale: 'The workcell manager doesn’t answer, so the workflow’s current state is unknown.',
    noManager: 'No workcell manager is configured.',
    lost: 'The workcell manager does not have this workflow any more.',
    paused: 'Paused.',
    cancelled: 'Cancelled.',
  },
} as const;
