/** Words about datapoints: values, plots and files that the data manager keeps. */
import { figure } from '../../base/figure.ts';

export const dataTexts = {
  reading: (label: string) => `Reading ${label}…`,
  missing: (id: string) =>
    `The data manager has no datapoint ${id}. It may have been deleted, or its store was changed.`,
  failed: (reason: string) => `The datapoint could not be read: ${reason}.`,
  noManager: 'No data manager is configured, so its datapoints can’t be read.',
  retry: 'Read again',
  show: (label: string) => `Show ${label}`,
  download: (name: string) => `Download ${name}`,
  downloading: (name: string) => `Downloading ${name}…`,
  downloadFailed: (name: string, reason: string) => `${name} could not be downloaded: ${reason}.`,
  preview: 'Show the text',
  hide: 'Hide',
  tooLong: (bytes: string) => `Only the first ${bytes} are shown.`,
  plot: 'Plot',
  table: 'Table',
  tree: 'Tree',
  ways: (label: string) => `View ${label} as`,
  stored: 'stored',
  values: (count: number) => (count === 1 ? '1 value' : `${figure(count)} values`),
  mean: (mean: string) => `mean ${mean}`,
  rows: (count: number) => (count === 1 ? '1 row' : `${figure(count)} rows`),
  moreRows: (shown: number, total: number) => `The first ${figure(shown)} of ${figure(total)} rows.`,
  index: 'number',
  object: 'open in object storage',
} as const;
