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
  closeNotice: (text: string) => `Close: ${text}`,
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
    record: (source: string, name: string, reason: string) => `${source}, ${name}: ${reason}`,
  },
  stale: {
    labManager: 'Lab manager',
    seen: (source: string, time: string, reason: string) => `${source} last seen ${time}: ${reason}.`,
    never: (source: string, reason: string) => `No usable answer from the ${source}: ${reason}.`,
    silent: (source: string, time: string) => `Nothing new from the ${source} since ${time}.`,
    lastKnown: 'Showing the last known values.',
    next: (delay: string) => `next try in ${delay}`,
    trying: 'trying now',
  },
} as const;

export const componentTexts = {
  guide: 'Explained in the user guide',
  combobox: {
    notChosen: (text: string) => `“${text}” is not chosen: select a row of the list, or clear the field.`,
    more: (count: number) => `${formatNumber(count)} more: type to narrow the list`,
  },
  plate: {
    more: andMore,
  },
  plot: {
    summary: (name: string, count: number, min: string, max: string) =>
      `${name}: ${count} values from ${min} to ${max}`,
    point: (x: string, values: string) => `${x}: ${values}`,
    showAll: 'Show all',
    unit: (unit: string) => `in ${unit}`,
  },
  table: {
    id: 'ID',
    searchIn: (caption: string) => `Search in ${caption}`,
    clear: 'Clear search',
    count: (shown: number, total: number) =>
      shown === total ? formatNumber(total) : `${formatNumber(shown)} of ${formatNumber(total)}`,
    printed: (printed: number, all: number) =>
      `This print has rows 1 to ${formatNumber(printed)} of ${formatNumber(all)}. The CSV file has all of them.`,
    counted: (shown: number, total: number) => `${formatNumber(shown)} of ${formatNumber(total)} shown`,
    selected: (count: number) => `${count} selected`,
    filter: (column: string, choice: string) => `${column}: ${choice}`,
    nothing: '(none)',
    filters: (active: number) => (active === 0 ? 'Filters' : `Filters (${active})`),
    columns: 'Columns',
    emptyColumn: (title: string) => `${title} (empty)`,
    columnsFor: (caption: string) => `Columns of ${caption}`,
    csv: 'CSV',
    csvHint: (count: number) =>
      `Save ${count === 1 ? 'the one row shown' : `the ${formatNumber(count)} rows shown`} as CSV`,
    select: (name: string) => `Select ${name}`,
    selectAll: 'Select all rows shown',
    rowsSelected: (count: number) => plural(count, 'row selected', 'rows selected'),
    unselect: 'Clear selection',
    open: (name: string) => `Open ${name}`,
    close: (name: string) => `Close ${name}`,
    didYouMean: (search: string) => `Search for “${search}” instead`,
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
    now: (time: string) => `now ${time}`,
    hint: 'Ctrl and wheel zoom, ← → go from bar to bar',
    span: (from: string, to: string) => `${from} to ${to}`,
    ongoing: (from: string) => `since ${from}`,
    duration: (age: string) => `took ${age}`,
    soFar: (age: string) => `${age} so far`,
    waited: (age: string) => `waited ${age}`,
    at: (label: string, time: string) => `${label}, ${time}`,
  },
  error: {
    address: 'Address',
    since: (time: string, age: string) => `since ${time}, ${age}`,
    next: (wait: string) => `next try in ${wait}`,
    trying: 'trying now',
    retry: 'Retry now',
  },
  id: {
    copy: (id: string) => `Copy ${id}`,
    copied: 'Copied',
    failed: 'Could not copy: select the text instead',
  },
  object: {
    removed: (name: string) => `“${name}” has been removed in the meantime; what you entered stays here.`,
  },
  confirm: {
    back: 'Go back',
    busy: (action: string) => `${action}: sending…`,
  },
} as const;
