import { formatNumber, plural } from '../../../../api/countText.ts';

export const batchTexts = {
  verb: 'Change many',
  notSent: 'It was stopped before.',
  skippedState: 'Skipped',
  paused: 'The manager accepts no more requests at the moment; the import continues automatically.',
  unread: (reason: string) => `Its current state could not be read: ${reason}.`,
  title: 'Results',
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
  cancel: 'Stop',
  leaving: 'Leaving this page stops it; what was done stays.',
  cancelling: 'Stopping: waiting for what was sent …',
  sum: (done: number, failed: number, left: number, skipped = 0) =>
    [
      `${formatNumber(done)} done`,
      ...(failed === 0 ? [] : [`${formatNumber(failed)} failed`]),
      ...(left === 0 ? [] : [`${formatNumber(left)} not sent`]),
      ...(skipped === 0 ? [] : [`${formatNumber(skipped)} skipped`]),
    ].join(', '),
  again: (total: number) => `Try the other ${formatNumber(total)} again`,
  columns: { name: 'Name', place: 'Place', state: 'Result', text: 'Details', line: 'Line' },
  caption: 'Individual results',
  what: (verb: string, total: number) => `${verb.replace(/…$/, '')}: ${plural(total, 'resource', 'resources')}`,
} as const;
