/** A table's view in the query string: `?q=plate 14&sort=-submitted&is.status=Running&is.status=Paused`. */
import { type LocationQuery, type LocationQueryRaw, useRoute, useRouter } from 'vue-router';
import { type TableSort, type TableView, defaultView } from './rows/tableRows.ts';
import { type WritableComputedRef, computed } from 'vue';
import { stringifyExactJson } from '#api/exactJson.ts';

const filterPrefix = 'is.';

/** Parses the view in a query string. `initial`: the view without any parameters. */
export function viewFromQuery(query: LocationQuery, initial: TableView = defaultView): TableView {
  const search = toTexts(query['q'])[0];
  const sort = toTexts(query['sort'])[0];
  const names = getFilterNames(query);
  return {
    search: search ?? initial.search,
    sort: sort === undefined ? initial.sort : parseSort(sort),
    filters:
      names.length === 0
        ? initial.filters
        : Object.fromEntries(
            names
              .map((name) => [name.slice(filterPrefix.length), toTexts(query[name])] as const)
              .filter(([key]) => key !== ''),
          ),
  };
}

/** Returns `query` with `view` in it; defaults are omitted. */
export function viewToQuery(
  view: TableView,
  query: LocationQuery = {},
  initial: TableView = defaultView,
): LocationQueryRaw {
  const tableKeys = new Set(['q', 'sort', ...getFilterNames(query)]);
  const result: LocationQueryRaw = Object.fromEntries(Object.entries(query).filter(([name]) => !tableKeys.has(name)));
  if (view.search !== initial.search) result['q'] = view.search;
  if (formatSort(view.sort) !== formatSort(initial.sort)) result['sort'] = formatSort(view.sort);
  if (serializeFilters(view) !== serializeFilters(initial)) {
    const activeFilters = Object.entries(view.filters).filter(([, values]) => values.length > 0);
    for (const [key, values] of activeFilters) result[filterPrefix + key] = [...values];
    // A filter without a name means that the initial filters are removed.
    if (activeFilters.length === 0) result[filterPrefix] = '';
  }
  return result;
}

function getFilterNames(query: LocationQuery): string[] {
  return Object.keys(query).filter((name) => name.startsWith(filterPrefix));
}

function toTexts(value: LocationQuery[string] | undefined): string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((text) => text ?? '');
}

function parseSort(text: string): TableSort | null {
  if (text === '' || text === '-') return null;
  return text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}

function formatSort(sort: TableSort | null): string {
  return sort === null ? '' : `${sort.descending ? '-' : ''}${sort.key}`;
}

function serializeFilters({ filters }: TableView): string {
  const activeFilters = Object.entries(filters).filter(([, values]) => values.length > 0);
  return stringifyExactJson(
    activeFilters.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, values]) => [key, values.toSorted()]),
  );
}

/** The user's view of a table, stored in the query string without new history entries. */
export function useTableView(): WritableComputedRef<TableView> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get: () => viewFromQuery(route.query),
    set: (next) => void router.replace({ query: viewToQuery(next, route.query) }),
  });
}
