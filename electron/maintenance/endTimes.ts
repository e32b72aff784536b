/** Until when something is muted or in maintenance, as menus offer it. Pure. */
import { atClock } from '../../server/maintenance/maintenanceText.ts';
import type { EndChoice } from '../ipc/commands.ts';

/** As a menu writes it. */
export const choiceLabels: Readonly<Record<EndChoice, string>> = {
  hour: 'For 1 Hour',
  'four-hours': 'For 4 Hours',
  tomorrow: 'Until Tomorrow 8:00',
};

const hourMs = 3_600_000;

/** Returns the end in ms since the epoch, for a time or a menu choice; `null` ends it at once. */
export function endOf(until: EndChoice | number | null, now: number): number | null {
  switch (until) {
    case 'hour':
      return now + hourMs;
    case 'four-hours':
      return now + 4 * hourMs;
    case 'tomorrow':
      return atClock(now, 1, 8, 0);
    default:
      return until;
  }
}
