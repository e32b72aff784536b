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

/** About cancels that the page holds until a node is free. */
export const heldCancelTexts = {
  title: 'Held by this page',
  what: (name: string) => `Cancel “${name}”`,
  lead: 'Cancel of',
  until: (node: string) => `is held until ${node} is free.`,
  lost: 'This page holds it: when the page is closed or reloaded, nothing is cancelled.',
  callOff: 'Don’t cancel',
  callOffOne: (name: string) => `Don’t cancel ${name}`,
  here: (node: string) => `Held by this page: it is cancelled when ${node} is free.`,
  over: (words: string) => `Not sent: it ended before that (${words}).`,
  cancelled: 'Cancelled.',
  unchanged: (words: string) => `The workcell manager agreed, but the workflow is still: ${words}.`,
  noManager: 'No workcell manager is configured.',
  unread: (reason: string) => `The state could not be read, so nothing is sent for now: ${reason}.`,
} as const;
