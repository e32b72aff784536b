/** Until when something is muted or in maintenance, as menus offer it. Pure. */
import { atClock } from '../../server/maintenance/words.ts';

export const endChoices = ['hour', 'four-hours', 'tomorrow'] as const;
export type EndChoice = (typeof endChoices)[number];

/** As a menu writes it. */
export const choiceLabels: Readonly<Record<EndChoice, string>> = {
  hour: 'For 1 Hour',
  'four-hours': 'For 4 Hours',
  tomorrow: 'Until Tomorrow 8:00',
};

const hourMs = 3_600_000;

/** In ms since the epoch. */
export function choiceUntil(choice: EndChoice, now: number): number {
  switch (choice) {
    case 'hour':
      return now + hourMs;
    case 'four-hours':
      return now + 4 * hourMs;
    case 'tomorrow':
      return atClock(now, 1, 8, 0);
  }
}
