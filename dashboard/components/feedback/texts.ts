/** How old or wrong what is shown is. */
export const feedbackTexts = {
  age: {
    updated: 'updated',
    now: 'just now',
    ago: (age: string) => `${age} ago`,
    lastSeen: (time: string) => `last seen ${time}`,
    never: 'no answer yet',
    waiting: 'waiting for the first answer',
  },
  stale: {
    labManager: 'Lab manager',
    seen: (who: string, time: string, reason: string) => `${who} last seen ${time}: ${reason}.`,
    never: (who: string, reason: string) => `No usable answer from the ${who}: ${reason}.`,
    silent: (who: string, time: string) => `Nothing new from the ${who} since ${time}.`,
    kept: 'Showing the last known values.',
    next: (delay: string) => `next try in ${delay}`,
    trying: 'trying now',
    address: 'Address',
  },
} as const;
