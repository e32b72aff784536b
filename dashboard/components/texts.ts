/** Texts of the shared components. */
import { andMore, formatNumber, plural } from '../../api/countText.ts';

export const copyTexts = {
  button: (text: string) => `Copy ${text}`,
  copy: 'Copy',
  done: 'Copied',
  failed: 'Could not copy: select the text instead',
} as const;

/** Texts of an address with its QR code. */
export const qrTexts = {
  label: (address: string) => `QR code of ${address}`,
} as const;

/** Texts about stale and failed data. */
export const feedbackTexts = {
  age: {
    updated: 'updated',
    now: 'just now',
    ago: (age: string) => `${age} ago`,
    lastSeen: (time: string) => `last seen ${time}`,
    never: 'no answer yet',
    waiting: 'waiting for the first answer',
  },
  invalidRecords: {
    title: (count: number) =>
      count === 1
        ? '1 record can’t be read and is incomplete or missing here'
        : `${count} records can’t be read and are incomplete or missing here`,
  },
  stale: {
    labManager: 'Lab manager',
    lastKnown: 'Showing the last known values.',
    trying: 'trying now',
  },
} as const;

export const componentTexts = {
  guide: 'Explained in the user guide',
  combobox: {
    more: (count: number) => `${formatNumber(count)} more: type to narrow the list`,
  },
  plate: {
    more: andMore,
  },
  plot: {
    showAll: 'Show all',
    unit: (unit: string) => `in ${unit}`,
  },
  table: {
    id: 'ID',
    clear: 'Clear search',
    count: (shown: number, total: number) =>
      shown === total ? formatNumber(total) : `${formatNumber(shown)} of ${formatNumber(total)}`,
    printed: (printed: number, all: number) =>
      `This print has rows 1 to ${formatNumber(printed)} of ${formatNumber(all)}. The CSV file has all of them.`,
    counted: (shown: number, total: number) => `${formatNumber(shown)} of ${formatNumber(total)} shown`,
    nothing: '(none)',
    filters: (active: number) => (active === 0 ? 'Filters' : `Filters (${active})`),
    columns: 'Columns',
    columnsFor: (caption: string) => `Columns of ${caption}`,
    csv: 'CSV',
    csvHint: (count: number) =>
      `Save ${count === 1 ? 'the one row shown' : `the ${formatNumber(count)} rows shown`} as CSV`,
    selectAll: 'Select all rows shown',
    rowsSelected: (count: number) => plural(count, 'row selected', 'rows selected'),
    unselect: 'Clear selection',
  },
  json: {
    found: (count: number) => (count === 0 ? 'no match' : plural(count, 'match', 'matches')),
    copyValue: 'Copy value',
    fields: (count: number) => plural(count, 'field', 'fields'),
    items: (count: number) => plural(count, 'item', 'items'),
    more: (next: number, hidden: number) =>
      next === hidden
        ? `show the last ${formatNumber(hidden)}`
        : `show ${formatNumber(next)} more of ${formatNumber(hidden)}`,
    whole: (length: number) => `show all ${formatNumber(length)} characters`,
  },
  axis: {
    hint: 'Ctrl and wheel zoom, ← → go from bar to bar',
  },
  error: {
    address: 'Address',
    since: (time: string, age: string) => `since ${time}, ${age}`,
    next: (wait: string) => `next try in ${wait}`,
    trying: 'trying now',
    retry: 'Retry now',
  },
  id: {
    copied: 'Copied',
    failed: 'Could not copy: select the text instead',
  },
  object: {
    removed: (name: string) => `“${name}” has been removed in the meantime; what you entered stays here.`,
  },
  confirm: {
    back: 'Go back',
  },
} as const;
