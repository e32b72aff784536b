/** Filters and sorts the rows of a table: on the page, or in a worker if there are very many. */
import { computed, onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { arrangeRows, isDefaultView, toSupportedView, pickRows } from './rowData.ts';
import { createTableWorker, type TableWorker } from '../worker/tableWorker.ts';
import type { Choice, Column, TableView } from './tableRows.ts';

/**
 * The number of rows from which a worker is used. Below it, a keystroke takes less than 50 ms, and transferring the rows
 * costs more than it saves.
 */
const workerThreshold = 20_000;

interface RowArrangement<Row> {
  readonly matchingRows: Readonly<Ref<readonly Row[]>>;
  readonly getChoices: (column: Column<Row>) => readonly Choice[];
}

export function useRowArrangement<Row>(
  rows: () => readonly Row[],
  columns: () => readonly Column<Row>[],
  view: () => TableView,
): RowArrangement<Row> {
  const pageArrangement = computed(() => arrangeRows(rows(), columns()));
  const workerFailed = shallowRef(false);
  const usesWorker = computed(() => rows().length >= workerThreshold && !workerFailed.value);
  const workerResult = shallowRef<{ readonly rows: readonly Row[]; readonly choices: ReadonlyMap<string, Choice[]> }>();
  let worker: TableWorker | null = null;

  watch(
    [usesWorker, rows, columns, view],
    async (_now, _before, onCleanup) => {
      if (!usesWorker.value) return;
      const controller = new AbortController();
      onCleanup(() => controller.abort());
      const request = {
        rows: rows(),
        columns: columns(),
        view: toSupportedView(view(), columns()),
        choices: columns().flatMap(({ key, filter }) => (filter === undefined ? [] : [key])),
      };
      try {
        worker ??= createTableWorker();
        const { rowIndexes, choices } = await worker.arrange(request, controller.signal);
        const isDefault = isDefaultView(request.view);
        workerResult.value = {
          rows: isDefault ? request.rows : pickRows(request.rows, rowIndexes),
          choices: new Map(choices),
        };
      } catch (error) {
        // A newer request replaced this one. For any other error, the page arranges the rows itself, more slowly.
        if (controller.signal.aborted) return;
        console.error(error);
        workerFailed.value = true;
      }
    },
    { immediate: true },
  );
  onScopeDispose(() => worker?.stop());

  return {
    matchingRows: computed(() =>
      usesWorker.value ? (workerResult.value?.rows ?? rows()) : pageArrangement.value.selectRows(view()),
    ),
    getChoices: (column) =>
      usesWorker.value
        ? (workerResult.value?.choices.get(column.key) ?? [])
        : pageArrangement.value.getChoices(view(), column),
  };
}
