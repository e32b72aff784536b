/** Words of the safety stop. */
const heldWords: Readonly<Record<string, string>> = { lock: 'locked', pause: 'paused', cancel: 'action cancelled' };

export const safetyStopTexts = {
  button: 'Safety stop',
  short: 'STOP',
  hint: 'Stops every node at once, without asking. It does not replace the hardware emergency stop.',
  key: 'safety stop: stops every node at once, also while typing',
  title: 'Safety stop',
  sentAt: (time: string) => `Sent at ${time} to every known node.`,
  none: 'No node is known, so nothing could be sent. Use the hardware emergency stop.',
  looking: 'Asking which nodes there are, to stop each of them. If it can’t wait, use the hardware emergency stop.',
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
    sending: 'sent, no answer yet',
    confirmed: 'confirmed',
    confirmedDirectly: 'confirmed, asked at its own address',
    sent: 'sent straight to the node, not confirmed: a browser may not read its answer',
    held: (did: readonly string[]) =>
      `${did.map((command) => heldWords[command] ?? command).join(' and ')}; it has no safety stop: use the hardware stop if it moves`,
    unknownCommand: 'does not know the safety stop',
    refused: (reason: string) => `refused: ${reason}`,
    failed: (reason: string) => `not reached: ${reason}`,
  },
  heldWord: 'No safety stop',
  node: 'Node',
  came: 'What came of it',
  now: 'State now',
  again: 'Send again',
  close: 'Close',
  release: 'Release…',
  releaseHint: 'Release resets each stopped node: it works again, and workflows that wait for it go on.',
  releaseSure: (count: number) => `Reset ${count === 1 ? 'the stopped node' : `${count} stopped nodes`} now`,
  releaseBack: 'Keep stopped',
  released: (nodes: string) => `Reset after a safety stop: ${nodes}`,
  nothingToRelease: 'No node says that it is stopped.',
  releaseWhat: (node: string) => `Reset ${node} after the safety stop`,
} as const;
