/** Words about several datapoints as one archive. */
import { figure, plural } from '../../../base/texts.ts';

export const zipTexts = {
  open: 'Download as ZIP',
  title: 'Download as ZIP',
  noAddress: 'no data manager is configured',
  progress: (done: number, all: number, size: string) => `${figure(done)} of ${figure(all)} files, ${size}`,
  bar: (done: number, all: number) => `${figure(done)} of ${figure(all)} files`,
  ready: (number: number, size: string) => `${plural(number, 'file', 'files')}, ${size}`,
  missing: (number: number) =>
    `${plural(number, 'datapoint', 'datapoints')} could not be read and ${number === 1 ? 'is' : 'are'} not in it:`,
  moreMissing: (number: number) => `and ${figure(number)} more`,
  none: 'None of the datapoints could be read.',
  tooLarge: (name: string, most: string) => `It would be larger than ${most} with ${name}. Select fewer datapoints.`,
  failed: (reason: string) => `The archive could not be made: ${reason}.`,
  again: 'Save again',
  /** The list of what is in it, and of where each comes from. */
  list: 'datapoints.json',
} as const;
