/** What a user looks for in a table, kept in the page's address: the word under the cursor is not a page to go back to. */
import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { TableView } from './rows/tableRows.ts';
import { queryOf, viewOf } from './tableQuery.ts';

export function useTableView(): WritableComputedRef<TableView> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get: () => viewOf(route.query),
    set: (next) => void router.replace({ query: queryOf(next, route.query) }),
  });
}
