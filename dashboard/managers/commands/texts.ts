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
