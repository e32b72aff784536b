/** All texts of the Logs window. */
import { plural } from '#api/countText.ts';

const linesText = (count: number): string => plural(count, 'line');

export const logsTexts = {
  sources: { service: 'Lab manager', app: 'App' },
  copied: (count: number) => `${linesText(count)} copied`,
  newestCopied: (count: number) => `The newest ${linesText(count)} copied`,
  levels: { debug: 'All levels', info: 'Info and above', warn: 'Warnings and errors', error: 'Errors' },
  lineLevels: { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
} as const;
