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
  badRecords: {
    title: (count: number) =>
      count === 1
        ? '1 record can’t be read and is incomplete or missing here'
        : `${count} records can’t be read and are incomplete or missing here`,
    record: (who: string, name: string, reason: string) => `${who}, ${name}: ${reason}`,
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
