/** Texts of the guards: why an action isn't offered, and its effects. */
export const guardTexts = {
  ended: (node: string) =>
    node === ''
      ? 'It has ended.'
      : `It has ended. MADSci would still send the command to ${node}, whatever workflow is using that node now.`,
  alreadyEnded: 'It has ended.',
  noSteps: 'It has no steps.',
  transferCancel: (child: string, likely: boolean) =>
    `Its current step is a transfer, which MADSci can’t cancel. It is ${likely ? 'probably ' : ''}carried out by “${child}”: when that one is cancelled, the transfer fails, and this workflow with it.`,
  nodeUsedBy: (node: string, workflow: string, command: string) =>
    `It only waits, but MADSci would send ${command} to ${node}, which is working for “${workflow}”: that workflow would be affected instead.`,
  nodePausedFor: (node: string, workflow: string, command: string) =>
    `It only waits, but MADSci would send ${command} to ${node}, which is still busy with a step of the paused “${workflow}”: that step would be affected instead.`,
  ownStepBusy: (node: string, command: string) =>
    `${node} gets the ${command} command: it is busy, probably still running this workflow’s step.`,
  pauseVerb: 'Pause workflow',
  pauseIdleNode: (node: string, others: number) =>
    others === 0
      ? `${node} gets the pause command too, though it does not work for this workflow yet: it accepts no actions until it is resumed.`
      : `${node} gets the pause command too: ${others === 1 ? 'another workflow' : `${others} other workflows`} in the queue will wait for it until it is resumed.`,

  betweenSteps: (step: number, what: string) =>
    `It is between two steps. If step ${step} has started by then, ${what}.`,
  nodeMayFinish: 'its node finishes it',
  cancelVerb: 'Cancel workflow',
  cancelQueued: (step: number) => `It is removed from the queue before step ${step}.`,
  cancelLaterSteps: (count: number) => `${count === 1 ? 'One later step' : `${count} later steps`} will be skipped.`,
  whenFreeUntil: (node: string, other: string | null) =>
    other === null
      ? `It is cancelled as soon as ${node} is no longer busy with something else.`
      : `It is cancelled as soon as ${node} no longer works for “${other}”.`,
  retryLabState: (count: number) =>
    `What ${count === 1 ? 'the step that was completed before it' : `the ${count} steps that were completed before it`} did in the lab must still hold: plates must be where they were.`,
  retrySkips: (count: number) =>
    `${count === 1 ? 'One step before it was' : `${count} steps before it were`} not completed, and will be skipped.`,
} as const;
