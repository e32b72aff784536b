import { formatNumber, plural } from '#api/countText.ts';

export const batchTexts = {
  notSent: 'It was not sent, because the batch was stopped.',
  title: 'Results',
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
  summary: (done: number, failed: number, notSent: number, skipped = 0) =>
    [
      `${formatNumber(done)} done`,
      ...(failed === 0 ? [] : [`${formatNumber(failed)} failed`]),
      ...(notSent === 0 ? [] : [`${formatNumber(notSent)} not sent`]),
      ...(skipped === 0 ? [] : [`${formatNumber(skipped)} skipped`]),
    ].join(', '),
  retry: (total: number) => `Try ${plural(total, 'resource', 'resources')} again`,
  commandText: (verb: string, total: number) => `${verb.replace(/…$/, '')}: ${plural(total, 'resource', 'resources')}`,
} as const;
