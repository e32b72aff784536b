/** Words about locations, wherever they are named. */
import { figure } from '../../base/figure.ts';

export const locationTexts = {
  /** What stands at one, in a line. */
  contents: (names: readonly string[]) =>
    names.length <= 2 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${figure(names.length - 2)} more`,
  checkTooLong: 'the check took too long and was stopped',
  notTaken: 'The location manager did not save it: somebody may have deleted the location.',
} as const;
