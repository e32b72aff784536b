/** All texts of the Logs window. */
import { plural } from '#api/countText.ts';

const linesText = (count: number): string => plural(count, 'line');

export const logsTexts = {
  title: 'Logs',
  sources: { service: 'Lab manager', app: 'App' },
  unreadable: (reason: string) => `The log can’t be read: ${reason}`,
  searching: 'Searching…',
  reading: 'Reading…',
  noMatch: 'No line matches.',
  nothingLogged: 'Nothing was logged yet.',
  trimmed: 'Older lines were dropped to make room. Change the filter to find them.',
  skipped: (megabytes: string) => `${megabytes} MB of new lines were left out.`,
  selectionGone: 'The selected lines are no longer here; nothing was copied.',
  notCopied: (reason: string) => `Nothing was copied: ${reason}`,
  copied: (count: number) => `${linesText(count)} copied`,
  newestCopied: (count: number) => `The newest ${linesText(count)} copied`,
  searchLabel: 'Search in the logs',
  searchHint: 'Search',
  level: 'Level',
  levels: { debug: 'All levels', info: 'Info and above', warn: 'Warnings and errors', error: 'Errors' },
  source: 'Source',
  bothSources: 'Both logs',
  pause: 'Pause',
  follow: 'Follow',
  copyAll: 'Copy all shown',
  copySelected: 'Copy selected',
  nothingToCopy: 'There is no line to copy',
  openFolder: 'Open log folder',
  lines: 'Log lines',
  lineLevels: { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
  selectedLine: 'Selected line',
} as const;
