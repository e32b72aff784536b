/**
 * The cost of one key press in the search field of a large table that is already displayed, without a page, in CPU time,
 * which depends less on the machine's load.
 */
import { arrangeRows } from '../../dashboard/components/table/rows/arrange.ts';
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

/** The view before the search, and after each key press, sorted by name. */
const views: readonly TableView[] = Array.from({ length: searchText.length + 1 }, (_, length) => ({
  search: searchText.slice(0, length),
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
  /** The first key press, which also builds the texts of the rows. */
  readonly first: number;
  /** The slowest of the later key presses. */
  readonly slowest: number;
}

/** CPU times in ms of a key press: the rows and the choices of both filters. */
function measureSearch(count: number): KeyPressCosts {
  // A new array, because the texts of the rows are cached by their array of columns.
  const freshColumns = [...columns];
  const table = arrangeRows(samples(count), freshColumns);
  const [, first = 0, ...later] = views.map((view) =>
    cpuTimeMs(() => {
      table.selectRows(view);
      for (const column of freshColumns) if (column.filter !== undefined) table.getChoices(view, column);
    }),
  );
  return { first, slowest: Math.max(...later) };
}

function benchCount(count: number, limit: number): Result {
  const costs = Array.from({ length: rounds }, () => measureSearch(count));
  const slowest = median(costs.map((cost) => cost.slowest));
  const first = median(costs.map((cost) => cost.first));
  return {
    measurement: `a table of ${count.toLocaleString('en')} rows: slowest keystroke in a search`,
    value: `${slowest.toFixed(0)} ms (the first one: ${first.toFixed(0)} ms)`,
    baseline: null,
    ratio: null,
    goal: `< ${limit} ms`,
    isMet: slowest < limit,
  };
}

export const benchTableSearch = (): Promise<Result[]> =>
  Promise.resolve([benchCount(10_000, 50), benchCount(100_000, 200)]);
