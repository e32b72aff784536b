/** Every word of the shared components. */
export const componentTexts = {
  table: {
    search: 'Search',
    searchIn: (caption: string) => `Search in ${caption}`,
    searchHint: 'Search (/)',
    clear: 'Clear search',
    count: (shown: number, total: number) =>
      shown === total ? total.toLocaleString('en-US') : `${figure(shown)} of ${figure(total)}`,
    counted: (shown: number, total: number) => `${figure(shown)} of ${figure(total)} shown`,
    all: 'all',
    chosen: (count: number) => `${count} chosen`,
    filter: (column: string, choice: string) => `${column}: ${choice}`,
    nothing: '(none)',
    everything: 'Show all',
    columns: 'Columns',
    columnsFor: (caption: string) => `Columns of ${caption}`,
    defaults: 'As it was',
    csv: 'CSV',
    csvHint: (count: number) => `Save ${count === 1 ? 'the one row shown' : `the ${figure(count)} rows shown`} as CSV`,
    csvNothing: 'There is no row to save',
    noMatch: 'Nothing matches.',
    showAll: 'Show all rows',
    empty: 'Nothing here yet.',
  },
  json: {
    label: 'Values',
    search: 'Search names and values',
    found: (count: number) => (count === 0 ? 'no match' : count === 1 ? '1 match' : `${figure(count)} matches`),
    next: 'Next match',
    previous: 'Previous match',
    copyValue: 'Copy value',
    copyPath: 'Copy path',
    top: 'all of it',
    fields: (count: number) => (count === 1 ? '1 field' : `${figure(count)} fields`),
    items: (count: number) => (count === 1 ? '1 item' : `${figure(count)} items`),
    more: (next: number, left: number) =>
      next === left ? `show the last ${figure(left)}` : `show ${figure(next)} more of ${figure(left)}`,
    whole: (length: number) => `show all ${figure(length)} characters`,
    less: 'show less',
    notShown: 'not JSON',
  },
  side: {
    close: 'Close (Esc)',
  },
  axis: {
    now: (time: string) => `now ${time}`,
    zoomIn: 'Closer',
    zoomOut: 'Further',
    fit: 'Fit',
    fitHint: 'Show all of it',
    hint: 'Ctrl and wheel zoom, ← → go from bar to bar',
    span: (from: string, to: string) => `${from} to ${to}`,
    still: (from: string) => `since ${from}`,
    took: (age: string) => `took ${age}`,
    soFar: (age: string) => `${age} so far`,
    waited: (age: string) => `waited ${age}`,
    at: (label: string, time: string) => `${label}, ${time}`,
    nothing: 'No times to show yet.',
  },
  loading: {
    words: 'Still waiting for the first answer…',
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
  confirm: {
    back: 'Go back',
    busy: (action: string) => `${action}: asked, waiting for the answer…`,
  },
} as const;

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
