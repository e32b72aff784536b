/** The end times that menus offer for a mute or maintenance. */
import { timeOfDay } from '../../server/maintenance/maintenanceText.ts';
import type { EndChoice } from '../ipc/commands.ts';

/** The labels in menus. */
export const choiceLabels: Readonly<Record<EndChoice, string>> = {
  hour: 'For 1 Hour',
  'four-hours': 'For 4 Hours',
  tomorrow: 'Until Tomorrow 8:00',
};

const hourMs = 3_600_000;

/**
 * Returns the end of a mute or maintenance, in ms since the epoch.
 * @param until a menu choice or a time in ms since the epoch; `null` ends it now and is returned unchanged
 */
export function resolveEndTime(until: EndChoice | number | null, now: number): number | null {
  switch (until) {
    case 'hour':
      return now + hourMs;
    case 'four-hours':
      return now + 4 * hourMs;
    case 'tomorrow':
      return timeOfDay(now, 1, 8, 0);
    default:
      return until;
  }
}
