/** Words about the commands of nodes: what each would do, why it isn't offered, what came of it. */
const count = (total: number, one: string, more: string) => (total === 1 ? `1 ${one}` : `${total} ${more}`);
const nodes = (total: number) => count(total, 'node', 'nodes');

/** What a node is after a command that it took, and what one is that it isn't sent to. */
const outcomes = {
  pause: ['paused', 'can’t be paused'],
  resume: ['resumed', 'can’t be resumed'],
  lock: ['locked', 'can’t be locked'],
  unlock: ['unlocked', 'can’t be unlocked'],
  reset: ['reset', 'without need or way to be reset'],
  cancel: ['cancelled', 'without an action to cancel'],
  shutdown: ['shut down', 'can’t be shut down'],
} as const;

/** How many nodes came to what. */
export interface OutcomeCounts {
  readonly done: number;
  readonly failed: number;
  readonly unclear: number;
  readonly skipped: number;
}

export const nodeCommandTexts = {
  /** Of one node. `asking` commands end in an ellipsis: something is asked first. */
  verbs: {
    reset: 'Reset',
    pause: 'Pause',
    resume: 'Resume',
    cancel: 'Cancel action',
    lock: 'Lock',
    unlock: 'Unlock',
    get_location: 'Get position',
    safety_stop: 'Safety stop',
    shutdown: 'Shut down',
  },
  sending: 'Sending…',
  asking: (verb: string) => `${verb}…`,
  title: (verb: string, node: string) => `${verb}: ${node}?`,
  button: (verb: string, node: string) => `${verb} ${node}`,
  what: (verb: string, node: string) => `${verb}, ${node}`,
  menu: (node: string) => `Commands for ${node}`,
  notKnown: (list: string) => `Not supported: ${list}.`,
  none: 'No commands available.',
  missing: (node: string) => `The workcell has no node ${node}.`,

  never: (node: string) =>
    `${node} was never reached, so its commands are unknown, and the workcell manager fails at any of them.`,
  away: (node: string) => `${node} can’t be reached: the workcell manager fails at every command but reset.`,
  unsure: (node: string) => `The state of ${node} is currently unknown.`,
  lacks: (node: string, command: string) => `${node} does not support ${command}.`,
  alreadyPaused: 'It is paused already.',
  notPaused: 'It is not paused.',
  alreadyLocked: 'It is locked already.',
  notLocked: 'It is not locked.',
  nothingRuns: 'No action is running.',
  alreadyStopped: 'It is stopped already; a reset releases it.',
  errored: 'It is in an error state: reset it first.',
  starting: 'It is starting up: wait until it is ready.',
  nothingToReset: 'Nothing to reset: no error, no stop.',
  busyNotReset: (what: string) => `It is working${what}, and has no error: reset it by itself if you must.`,

  on: (step: number, total: number, name: string, workflow: string) =>
    ` on step ${step} of ${total}, ${name}, of “${workflow}”`,
  onUnclear: ' on something that has just changed and is being checked',
  onItself: ' on an action of no active workflow',
  waiting: (total: number) => `${count(total, 'workflow', 'workflows')} in the queue will wait for it.`,
  effects: {
    pause: (what: string) => `It is working${what}, and holds that action until it is resumed.`,
    pauseIdle: 'It is idle, and accepts no actions until it is resumed.',
    resume: (what: string) => `It goes on working${what}: it may move at once.`,
    resumeIdle: 'It takes actions again.',
    cancel: (what: string) => `It ends what it is working${what}.`,
    cancelWorkflow: (workflow: string) =>
      `“${workflow}” ends there: its later steps will be skipped unless it is retried.`,
    lock: 'It accepts no actions until it is unlocked; the current action continues.',
    unlock: 'It takes actions again.',
    reset: 'Its error and its stop are cleared, and it takes actions again.',
    resetStarts: (workflow: string, others: number) =>
      `“${workflow}” waits for it and starts as soon as the scheduler looks again, as a rule within 5 s${others === 0 ? '' : `; ${count(others, 'more workflow waits', 'more workflows wait')} for it, too`}.`,
    resetHeld: 'If it is paused or locked, that may be cleared too.',
    resetBusy: (what: string) => `It is working${what}: a reset may end that action, and the workflow with it.`,
    resetAway: 'The workcell manager asks it again at once; it would do so by itself every 30 s.',
    resetAwayFails: 'If it still does not answer, the workcell manager gives no readable answer.',
    resetCause: 'Look at the instrument first: what made the error may still be there.',
    shutdown: 'The node’s process ends. Somebody must start it by hand, on its own machine.',
    shutdownWork: (what: string) => `It is working${what}; that action is lost.`,
    safety_stop: 'It stops whatever it is doing; a reset releases it.',
    get_location: 'It tells its position; nothing moves.',
  },

  done: {
    reset: 'Node confirmed: reset.',
    pause: 'Node confirmed: paused.',
    resume: 'Node confirmed: resumed.',
    cancel: 'Node confirmed: action cancelled.',
    lock: 'Node confirmed: locked.',
    unlock: 'Node confirmed: unlocked.',
    get_location: 'Its position is shown with its state.',
    safety_stop: 'Node confirmed: stopped.',
    shutdown: 'Node confirmed: shutting down.',
  },
  now: (node: string, word: string, reason: string) =>
    `${node} is shown as ${word.toLowerCase()}${reason === '' ? '' : ` (${reason})`}`,
  gone: (node: string) => `${node} is not among the nodes any more`,

  position: 'Position',
  positionOf: (node: string) => `Position of ${node}`,

  all: {
    menu: 'More',
    menuButton: 'More commands for all nodes',
    menuTitle: 'Commands for all nodes',
    verbs: {
      pause: 'Pause all',
      resume: 'Resume all',
      lock: 'Lock all',
      unlock: 'Unlock all',
      reset: 'Reset all',
      cancel: 'Cancel all',
      shutdown: 'Shut down all',
    },
    title: (verb: string) => `${verb}?`,
    nobody: 'No node can accept this now.',
    gets: (total: number) => `${nodes(total)} will get it, all at once:`,
    not: (total: number) => `${nodes(total)} will not:`,
    button: (verb: string, total: number) => `${verb}: ${nodes(total)}`,
    progress: (verb: string, done: number, total: number) => `${verb}: ${done} of ${total} asked`,
    sum: (command: keyof typeof outcomes, { done, failed, unclear, skipped }: OutcomeCounts) => {
      const [is, isNot] = outcomes[command];
      return [
        `${done} of ${nodes(done + failed + unclear + skipped)} ${is}`,
        ...(failed === 0 ? [] : [`${failed} failed`]),
        ...(unclear === 0 ? [] : [`${unclear} not confirmed`]),
        ...(skipped === 0 ? [] : [`${skipped} ${isNot}`]),
      ].join(', ');
    },
    reportOf: (verb: string) => `Results of “${verb}”`,
    dismiss: 'Dismiss',
    skipped: 'Not sent',
  },
} as const;
