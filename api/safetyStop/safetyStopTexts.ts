/** Texts of the safety stop. */
const effectTexts = Object.entries({ lock: 'locked', pause: 'paused', cancel: 'cancelled' });

/** The effects of the commands, in one order: the order of their confirmations differs from node to node. */
const listEffects = (commands: readonly string[]) =>
  effectTexts.flatMap(([command, effect]) => (commands.includes(command) ? [effect] : []));

const notHardware = 'It does not replace the hardware emergency stop.';

export const safetyStopTexts = {
  button: 'Safety stop',
  unavailable: (reason: string) =>
    `Not available here: ${reason.replace(/\.$/, '')}, and this browser reaches neither the workcell manager nor a node. Use the hardware emergency stop.`,
  short: 'STOP',
  hint: `Stops every node at once, without asking. ${notHardware}`,
  notHardware,
  title: 'Safety stop',
  pressedAt: (time: string) => `Pressed at ${time}.`,
  summary: (confirmed: number, total: number) =>
    confirmed === total
      ? total === 1
        ? 'The only node confirmed.'
        : `All ${total} nodes confirmed.`
      : `${confirmed} of ${total} nodes confirmed.`,
  waiting: (count: number) => `${count} still to answer.`,
  notStopped: (count: number) =>
    `${count === 1 ? 'One node is' : `${count} nodes are`} not known to have stopped: use the hardware emergency stop there.`,
  outcome: {
    sending: 'Sent, no answer yet.',
    noAnswerYet: 'no answer yet',
    confirmed: 'Confirmed.',
    confirmedDirectly: 'Confirmed at its own address.',
    sent: 'Sent straight to the node, not confirmed: a browser may not read its answer.',
    noAnswer: (reason: string) => `No answer: ${reason.replace(/\.$/, '')}.`,
    held: (commands: readonly string[]) => {
      const effects = listEffects(commands.filter((command) => command !== 'cancel')).join(' and ');
      if (effects === '') return 'Its action was cancelled, which is not a safety stop.';
      const cancelled = commands.includes('cancel') ? ', and its action was cancelled' : '';
      return `It was ${effects}${cancelled}, which is not a safety stop.`;
    },
    unconfirmed: (commands: string) => `Not confirmed: ${commands}.`,
    unknownCommand: 'It has no safety stop, and accepted no other command.',
    refused: (reason: string) => `Refused: ${reason.replace(/\.$/, '')}.`,
    failed: (reason: string) => (reason === '' ? 'Not reached.' : `Not reached: ${reason.replace(/\.$/, '')}.`),
  },
  /** Shown at every node that has not confirmed. */
  advice: 'Use the hardware stop if it moves.',
  repeating: 'It is sent again every 2 s to each node that has not confirmed, at most ten times.',
  /** Shown before the stop is pressed: in its tooltip, on Overview and Workcells. */
  without: (count: number, total: number) =>
    `${count} of ${total} ${total === 1 ? 'node' : 'nodes'} ${count === 1 ? 'has' : 'have'} no safety stop`,
  /** The label of a node that confirmed these commands instead of the stop. */
  fallbackLabel: (commands: readonly string[]) => {
    const label = listEffects(commands).join(' and ');
    return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  },
  close: 'Close',
  release: 'Release…',
  releaseHint:
    'Release resets each stopped node, and unlocks and resumes those that were locked and paused instead: they work again, and workflows that wait for them continue.',
  releaseConfirm: (count: number) =>
    count === 0 ? 'End the stop now' : `Release ${count === 1 ? 'one node' : `${count} nodes`} now`,
  releaseBack: 'Keep stopped',
  released: (time: string) => `Released at ${time}.`,
  releasedLabel: 'Released',
  notReleased: (reason: string) => `Not released: ${reason.replace(/\.$/, '')}.`,
  releaseSuperseded: 'The safety stop was pressed again.',
  releaseIncomplete: 'Not every node or workflow was released.',
  releasedSummary: (count: number, total: number) =>
    count === total
      ? total === 1
        ? 'The node is released.'
        : `All ${total} nodes are released.`
      : `${count} of ${total} nodes ${count === 1 ? 'is' : 'are'} released.`,
  stillStopped: (count: number) => `${count === 1 ? 'One is' : `${count} are`} still stopped.`,
  neverConfirmed: (count: number) => `${count === 1 ? 'One' : count} never confirmed the stop.`,
  banner: 'The lab is stopped',
  openReport: 'Open report',
  acknowledge: 'Acknowledge',
  acknowledgeHint: 'Hides this banner in every browser, in the tray and on the wall screen. No node is released.',
  what: {
    acknowledge: 'Acknowledge the safety stop',
  },
  nodeNow: (state: string) => `Now: ${state}`,
  notConfirmedLabel: 'Not stopped',
  notConfirmed: (time: string, reason: string) =>
    `Not known to have stopped since the safety stop at ${time}${reason === '' ? '' : `: ${reason}`}`,
  releaseTitle: 'What the release does',
  releaseNode: (node: string, commands: string) =>
    `${node}: ${commands === '' ? 'nothing, because no command of the stop is in effect' : commands}`,
  releaseWorkflows: (names: readonly string[]) =>
    names.length === 0
      ? 'No workflow is known to wait for these nodes.'
      : `These workflows continue: ${names.join(', ')}.`,
  pausedWorkflow: (name: string, node: string, failure: string) =>
    `“${name}” was paused, so that it starts no action on ${node}.${failure === '' ? '' : ` Not resumed: ${failure}.`}`,
  releasing: 'The release is in progress: workflows are resumed when their steps have ended.',
} as const;
