/**
 * The cost of one key press in the search field of a large table, which the page searches itself below 20,000 rows and
 * otherwise in a worker. Both run here without a page or worker, in CPU time, which depends less on the machine's load.
 */
import { createArrangeHandler } from '../../dashboard/components/table/worker/arrangeHandler.ts';
import { getRequiredParts } from '../../dashboard/components/table/worker/arrangeMessages.ts';
import { arrangeRows, createTableData } from '../../dashboard/components/table/rows/rowData.ts';
import type { Column, TableView } from '../../dashboard/components/table/rows/tableRows.ts';
import { median, type Result } from './table.ts';

interface Sample {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly owner: string;
  readonly label: string;
  readonly node: string;
  readonly time: number;
  readonly size: number;
}
const states = ['Completed', 'Failed', 'Running', 'Cancelled'] as const;
const verbs = ['Transfer', 'Shake', 'Read', 'Seal', 'Incubate', 'Wash', 'Scan'] as const;
const searchText = 'plate 99 failed';
const rounds = 5;

const columns: readonly Column<Sample>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'state', title: 'State', value: ({ state }) => state.length, text: ({ state }) => state, filter: 'choice' },
  { key: 'owner', title: 'Owner', value: ({ owner }) => owner, filter: 'choice' },
  { key: 'label', title: 'Label', value: ({ label }) => label },
  { key: 'node', title: 'Node', value: ({ node }) => node },
  { key: 'time', title: 'Time', value: ({ time }) => time, text: ({ time }) => new Date(time).toISOString() },
  { key: 'size', title: 'Size', value: ({ size }) => size },
  { key: 'id', title: 'ID', value: ({ id }) => id },
];
const choices = ['state', 'owner'];

function samples(count: number): Sample[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `01K${index.toString(36).toUpperCase().padStart(23, '0')}`,
    name: `${verbs[index % verbs.length] ?? ''} plate ${index % 997}`,
    state: states[index % states.length] ?? '',
    owner: `owner ${index % 31}`,
    label: `batch ${index % 211}`,
    node: `node_${index % 57}`,
    time: 1_790_000_000_000 + index * 1000,
    size: (index * 7919) % 100_003,
  }));
}

/** The view after each key press of the search, sorted by name. */
const views: readonly TableView[] = Array.from(searchText, (_, index) => ({
  search: searchText.slice(0, index + 1),
  sort: { key: 'name', descending: false },
  filters: {},
}));

/** CPU time of `work`, in ms. */
export function cpuTimeMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface KeyPressCosts {
  /** The first key press, which on the page also builds the texts of the rows. */
  readonly first: number;
  /** The slowest of the later key presses. */
  readonly slowest: number;
}

/** CPU times in ms of a key press on the page: the rows and the choices of both filters. */
function measureOnPage(count: number): KeyPressCosts {
  const rows = samples(count);
  // A new array, because the texts of the rows are cached by their array of columns.
  const freshColumns = [...columns];
  const table = arrangeRows(rows, freshColumns);
  const costs = views.map((view) =>
    cpuTimeMs(() => {
      table.selectRows(view);
      for (const column of freshColumns) if (column.filter !== undefined) table.getChoices(view, column);
    }),
  );
  return { first: costs[0] ?? 0, slowest: Math.max(...costs.slice(1)) };
}

/** CPU times in ms of a key press in the worker, which already has all rows. */
function measureInWorker(count: number): KeyPressCosts {
  const handle = createArrangeHandler();
  const data = createTableData(samples(count), [...columns]);
  handle({ kind: 'rows', count });
  for (const part of getRequiredParts(views[0] ?? { search: 'x', sort: null, filters: {} }, choices)) {
    const column = part.slice(part.indexOf(' ') + 1);
    const values =
      part === 'search' ? data.searchTexts() : part.startsWith('texts') ? data.texts(column) : data.values(column);
    handle({ kind: 'part', part, values });
  }
  const costs = views.map((view, id) => cpuTimeMs(() => void handle({ kind: 'arrange', id, view, choices })));
  return { first: costs[0] ?? 0, slowest: Math.max(...costs.slice(1)) };
}

export function benchTableSearch(): Promise<Result[]> {
  const page = Array.from({ length: rounds }, () => measureOnPage(10_000));
  const worker = Array.from({ length: rounds }, () => measureInWorker(100_000));
  const result = (measurement: string, slowest: number, first: number, limit: number): Result => ({
    measurement,
    value: `${slowest.toFixed(0)} ms (the first one: ${first.toFixed(0)} ms)`,
    baseline: null,
    ratio: null,
    goal: `< ${limit} ms`,
    isMet: slowest < limit,
  });
  const medianCost = (costs: typeof page, which: keyof KeyPressCosts): number =>
    median(costs.map((cost) => cost[which]));
  return Promise.resolve([
    result(
      'a table of 10,000 rows: slowest keystroke in a search, on the page',
      medianCost(page, 'slowest'),
      medianCost(page, 'first'),
      50,
    ),
    result(
      'a table of 100,000 rows: the same in its worker',
      medianCost(worker, 'slowest'),
      medianCost(worker, 'first'),
      200,
    ),
  ]);
}
