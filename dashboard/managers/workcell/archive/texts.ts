/** How far the archive was searched, in words. */
import { figure } from '../../../base/figure.ts';

export const archiveTexts = {
  reading: 'reading the archive…',
  failed: (reason: string) => `the archive could not be read: ${reason}`,
  retry: 'try again',
  newest: (count: number) => `searched the newest ${figure(count)}`,
  whole: (count: number) => (count === 0 ? 'the archive is empty' : `searched all ${figure(count)} archived`),
  load: (count: number) => `load ${figure(count)}`,
  all: 'search all',
  leadsOn: ';',
  or: '/',
} as const;
