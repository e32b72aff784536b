/** Texts of the guards: why an action isn't offered, and its effects. */
export const guardTexts = {
  ended: (node: string) =>
    node === ''
      ? 'It has ended.'
      : `It has ended. MADSci would still send the command to ${node}, whatever workflow is using that node now.`,
  alreadyEnded: 'It has ended.',
  noSteps: 'It has no steps.',
  builtInPause: (action: string) =>
    `Its current step is the workcell manager’s own (${action}), which MADSci can’t pause. Wait until that step is over.`,
  builtInResume: (action: string) =>
    `It is paused at a step of the workcell manager itself (${action}); MADSci can’t resume that. Submit it again instead.`,
  builtInCancel: (action: string) =>
    `Its current step is the workcell manager’s own (${action}), which MADSci can’t cancel. Wait until that step is over.`,
  transferCancel: (child: string, likely: boolean) =>
    `Its current step is a transfer, which MADSci can’t cancel. It is ${likely ? 'probably ' : ''}carried out by “${child}”: when that one is cancelled, the transfer fails, and this workflow with it.`,
  builtInStuck: (action: string) =>
    `It is paused at a step of the workcell manager itself (${action}); MADSci can’t cancel that. It stays as it is until the workcell manager restarts.`,
  nextBuiltIn: (step: number, action: string) =>
    `Step ${step}, the next one, is the workcell manager’s own (${action}). If the current step ended while paused, the workflow could never be resumed, cancelled or tried again.`,
  nodeUsedBy: (node: string, workflow: string, command: string) =>
    `It only waits, but MADSci would send ${command} to ${node}, which is working for “${workflow}”: that workflow would be affected instead.`,
  nodePausedFor: (node: string, workflow: string, command: string) =>
    `It only waits, but MADSci would send ${command} to ${node}, which is still busy with a step of the paused “${workflow}”: that step would be affected instead.`,
  nodeBusy: (node: string, command: string) =>
    `It only waits, but MADSci would send ${command} to ${node}, which is busy with something that is not this workflow: that would be affected instead.`,
  justChanged: (node: string) =>
    `It has just changed, and ${node} is shown as busy: whether that is still its own step is being checked.`,
  ownStepBusy: (node: string, command: string) =>
    `${node} gets the ${command} command: it is busy, probably still running this workflow’s step.`,
  nodeUnreachable: (node: string, command: string) =>
    `${node} can’t be reached, so the workcell manager can’t send it ${command} and would change nothing.`,
  nodeStillBusy: (node: string) =>
    `${node} is still working on this step. Resuming now would start the step a second time while it runs; wait until the node is free.`,

  pauseTitle: (name: string) => `Pause “${name}”?`,
  pauseVerb: 'Pause workflow',
  pauseNode: (node: string, step: number) => `${node} gets the pause command and holds step ${step}.`,
  pauseIdleNode: (node: string, others: number) =>
    others === 0
      ? `${node} gets the pause command too, though it does not work for this workflow yet: it accepts no actions until it is resumed.`
      : `${node} gets the pause command too: ${others === 1 ? 'another workflow' : `${others} other workflows`} in the queue will wait for it until it is resumed.`,
  pauseUnsupported: (node: string, step: number) =>
    `${node} can’t be paused: it finishes step ${step}, and no step is started after it.`,
  pauseQueued: (step: number) => `Step ${step} is not started until the workflow is resumed.`,
  pauseLater: (step: number) => `On resume, step ${step} is started again from its beginning.`,

  betweenSteps: (step: number, what: string) =>
    `It is between two steps. If step ${step} has started by then, ${what}.`,
  nodeMayFinish: 'its node finishes it',

  resumeTitle: (name: string) => `Resume “${name}”?`,
  resumeAgain: (step: number, node: string) =>
    `Step ${step} is started again from its beginning on ${node}, although it had already started there: what it did so far is done twice.`,
  resumeFirstStart: (step: number, node: string) => `Step ${step} is started on ${node} as soon as the node is ready.`,
  resumeNode: (node: string) => `${node} gets the resume command.`,

  cancelTitle: (name: string) => `Cancel “${name}”?`,
  cancelVerb: 'Cancel workflow',
  cancelNode: (node: string, step: number) => `${node} gets the cancel command and ends its action of step ${step}.`,
  cancelUnsupported: (node: string, step: number) =>
    `${node} can’t cancel: it finishes what it is doing for step ${step}, and its result is not used.`,
  cancelQueued: (step: number) => `It is removed from the queue before step ${step}.`,
  cancelIdleNode: (node: string) => `${node} gets the cancel command too; it is doing nothing at the moment.`,
  cancelLaterSteps: (count: number) => `${count === 1 ? 'One later step' : `${count} later steps`} will be skipped.`,

  whenFreeTitle: (name: string, node: string) => `Cancel “${name}” when ${node} is free?`,
  whenFreeUntil: (node: string, other: string | null) =>
    other === null
      ? `It is cancelled as soon as ${node} is no longer busy with something else.`
      : `It is cancelled as soon as ${node} no longer works for “${other}”.`,
  whenFreeIfStarted: (step: number, node: string) =>
    `If it is the next to start on ${node}, its action of step ${step} is cancelled.`,
  cancelNowTitle: (name: string, affected: string) => `Cancel “${name}” now, and with it what ${affected} is doing?`,
  cancelsOther: (node: string, other: string, step: number) =>
    `${node} gets the cancel command and ends its action: step ${step} of “${other}”, which ends as cancelled, too.`,
  cancelsUnknown: (node: string) =>
    `${node} gets the cancel command and ends what it is doing, which no known workflow started.`,

  retryTitle: (name: string) => `Try “${name}” again?`,
  retryFrom: (step: number, name: string) =>
    `It starts again at step ${step}, ${name}, with the same values and files.`,
  retryLabState: (count: number) =>
    `What ${count === 1 ? 'the step that was completed before it' : `the ${count} steps that were completed before it`} did in the lab must still hold: plates must be where they were.`,
  retrySkips: (count: number) =>
    `${count === 1 ? 'One step before it was' : `${count} steps before it were`} not completed, and will be skipped.`,

  resubmitTitle: (name: string) => `Submit “${name}” again?`,
  resubmitFiles: (files: string) =>
    `It needs ${files}: MADSci does not copy files, so select them again on the submit page.`,
} as const;
