import { formatNumber, plural } from '#api/countText.ts';

export const batchTexts = {
  verb: 'Change many',
  notSent: 'It was not sent, because the batch was stopped.',
  skippedState: 'Skipped',
  paused: 'The manager accepts no more requests at the moment; sending continues automatically.',
  unread: (reason: string) => `Its current state could not be read: ${reason}.`,
  title: 'Results',
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
  cancel: 'Stop',
  leaving: 'Leaving this page stops it; completed changes are kept.',
  cancelling: 'Stopping: waiting for the sent requests…',
  summary: (done: number, failed: number, notSent: number, skipped = 0) =>
    [
      `${formatNumber(done)} done`,
      ...(failed === 0 ? [] : [`${formatNumber(failed)} failed`]),
      ...(notSent === 0 ? [] : [`${formatNumber(notSent)} not sent`]),
      ...(skipped === 0 ? [] : [`${formatNumber(skipped)} skipped`]),
    ].join(', '),
  retry: (total: number) => `Try ${plural(total, 'resource', 'resources')} again`,
  columns: { name: 'Name', place: 'Place', state: 'Result', text: 'Details', line: 'Line' },
  caption: 'Individual results',
  commandText: (verb: string, total: number) => `${verb.replace(/…$/, '')}: ${plural(total, 'resource', 'resources')}`,
} as const;
