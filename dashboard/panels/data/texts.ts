import { andMore, formatNumber, plural } from '#api/countText.ts';

/** Texts of the ZIP download of several datapoints. */
export const zipTexts = {
  progress: (done: number, all: number, size: string) => `${formatNumber(done)} of ${formatNumber(all)} files, ${size}`,
  bar: (done: number, all: number) => `${formatNumber(done)} of ${formatNumber(all)} files`,
  ready: (number: number, size: string) => `${plural(number, 'file', 'files')}, ${size}`,
  missing: (number: number) =>
    `${plural(number, 'datapoint', 'datapoints')} could not be read and ${number === 1 ? 'is' : 'are'} not in the archive:`,
  moreMissing: andMore,
  tooLarge: (name: string, limit: string) =>
    `The archive would be larger than ${limit} with ${name}. Select fewer datapoints.`,
  /** The file in the archive that lists the contents and their origins. */
  list: 'datapoints.json',
} as const;

export const dataPanelTexts = {
  caption: 'Datapoints',
  noAddress: 'No data manager is configured.',
  waiting: 'Waiting for the data manager…',
  summary: (number: number) => `${plural(number, 'datapoint', 'datapoints')} loaded`,
  newest: (number: number) => `search covers the newest ${formatNumber(number)}`,
  load: (number: number) => (number === 0 ? 'load all' : `load ${formatNumber(number)}`),
  columns: {
    workflow: 'Workflow',
  },
  types: { json: 'JSON', file: 'File', object_storage: 'Stored file' } as Readonly<Record<string, string>>,
  values: (number: number) => plural(number, 'value', 'values'),
  page: {
    allDatapoints: 'All datapoints',
  },
  comparing: {
    plot: 'Values',
  },
} as const;
