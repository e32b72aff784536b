/** Words about what came of an action. */
export const outcomeTexts = {
  region: 'Outcomes of actions',
  sending: 'sent, waiting for the answer…',
  done: 'Done.',
  unreadable: (reason: string, afterwards: string) =>
    `No readable answer: ${reason}.${afterwards === '' ? ' Look at the state before trying again.' : ` Afterwards: ${afterwards}.`}`,
  dismiss: (what: string) => `Dismiss: ${what}`,
  open: 'Open',
  said: (state: string, what: string, words: string) => `${what}: ${state}. ${words}`,
} as const;

/** Why a command that was confirmed is not sent. */
export const notSentTexts = {
  notSafe: (why: string) => `Not sent: the state has changed. ${why}`,
  changed: 'Not sent yet: the state has changed, and with it what would happen. Look again before you go on.',
  unread: (reason: string) => `Not sent: the state could not be read again. ${reason}.`,
} as const;
