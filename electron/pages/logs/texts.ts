/** All texts of the Logs window. */
import { plural } from '#api/countText.ts';

const linesText = (count: number): string => plural(count, 'line');

export const logsTexts = {
  sources: { service: 'Lab manager', app: 'App' },
  unreadable: (reason: string) => `The log can’t be read: ${reason}`,
  skipped: (megabytes: string) => `${megabytes} MB of new lines were left out.`,
  notCopied: (reason: string) => `Nothing was copied: ${reason}`,
  copied: (count: number) => `${linesText(count)} copied`,
  newestCopied: (count: number) => `The newest ${linesText(count)} copied`,
  levels: { debug: 'All levels', info: 'Info and above', warn: 'Warnings and errors', error: 'Errors' },
  lineLevels: { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
} as const;
