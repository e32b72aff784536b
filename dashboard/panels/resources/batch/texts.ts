import { figure, plural } from '../../../base/texts.ts';

export const batchTexts = {
  verb: 'Change many',
  notSent: 'It was stopped before.',
  skippedState: 'Skipped',
  paused: 'The manager accepts no more requests at the moment; the import continues automatically.',
  unread: (reason: string) => `Its current state could not be read: ${reason}.`,
  title: 'Results',
  progress: (done: number, total: number) => `${figure(done)} of ${figure(total)}`,
  cancel: 'Stop',
  leaving: 'Leaving this page stops it; what was done stays.',
  cancelling: 'Stopping: waiting for what was sent …',
  sum: (done: number, failed: number, left: number, skipped = 0) =>
    [
      `${figure(done)} done`,
      ...(failed === 0 ? [] : [`${figure(failed)} failed`]),
      ...(left === 0 ? [] : [`${figure(left)} not sent`]),
      ...(skipped === 0 ? [] : [`${figure(skipped)} skipped`]),
    ].join(', '),
  again: (total: number) => `Try the other ${figure(total)} again`,
  columns: { name: 'Name', place: 'Place', state: 'Result', text: 'Details', line: 'Line' },
  caption: 'Result of each',
  what: (verb: string, total: number) => `${verb.replace(/…$/, '')}: ${plural(total, 'resource', 'resources')}`,
} as const;
