/** Words about CSV files that are read. */
import { figure } from '../../base/figure.ts';

export const csvReadTexts = {
  binary: 'This is no text file. Save the table as CSV.',
  empty: 'The file is empty.',
  quotes: 'A quotation mark isn’t closed, or stands inside a cell: write "" for one.',
  tooMany: (cells: number, headings: number) =>
    `It has ${figure(cells)} cells, but there are ${figure(headings)} headings.`,
} as const;
