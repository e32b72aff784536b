/** The plottable lines of CSV files among datapoints: each file is read once, sequentially. */
import { computed, shallowRef, watch } from 'vue';
import type { Datapoint } from '#api/managers/data.ts';
import { fileKind, datapointFileName, getDatapointId } from './datapoint.ts';
import type { ResultLine } from './results.ts';
import { maxTableBytes, useDatapointFile } from './useDatapointFile.ts';

export function useTableLines(datapoints: () => readonly Datapoint[]) {
  const lines = shallowRef<ReadonlyMap<string, readonly ResultLine[]>>(new Map());
  /** The reason why a file could not be read, by the ID of its datapoint. */
  const failures = shallowRef<ReadonlyMap<string, string>>(new Map());
  const current = shallowRef<Datapoint | null>(null);
  const fileName = (datapoint: Datapoint): string => datapointFileName(datapoint, datapoint.label ?? '');
  const file = useDatapointFile(
    () => (current.value === null ? '' : getDatapointId(current.value)),
    () => (current.value === null ? '' : fileName(current.value)),
  );
  const isUnread = (datapoint: Datapoint): boolean =>
    datapoint.data_type !== 'json' &&
    fileKind(fileName(datapoint)) === 'table' &&
    !lines.value.has(getDatapointId(datapoint)) &&
    !failures.value.has(getDatapointId(datapoint));
  const next = computed(() => datapoints().find(isUnread) ?? null);

  async function readTable(datapoint: Datapoint): Promise<void> {
    current.value = datapoint;
    const id = getDatapointId(datapoint);
    const content = await file.read({ maxBytes: maxTableBytes, allowTruncated: true });
    if (content === null) {
      failures.value = new Map([...failures.value, [id, file.failure.value]]);
      return;
    }
    const [{ readCsv }, { extractSeries }] = await Promise.all([
      import('../../components/csv/readCsv.ts'),
      import('./tableSeries.ts'),
    ]);
    const csv = readCsv(new Uint8Array(await content.blob.arrayBuffer()));
    // If the file is truncated, its last line is incomplete.
    const table =
      csv.ok && !content.isComplete ? { ...csv.file, records: csv.file.records.slice(0, -1) } : csv.ok && csv.file;
    const plottable = table ? extractSeries(table) : null;
    const series = plottable?.series.map(({ name, values }) => ({ name, values, x: plottable.x })) ?? [];
    lines.value = new Map([...lines.value, [id, series]]);
  }
  watch(
    [next, file.address],
    ([datapoint, address]) => {
      if (datapoint !== null && address !== null && !file.busy.value) void readTable(datapoint);
    },
    { immediate: true, flush: 'post' },
  );
  return { lines, failures: computed(() => [...failures.value.values()].filter(Boolean)) };
}
