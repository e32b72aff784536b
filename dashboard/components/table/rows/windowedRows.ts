/** Rows of a server that are read as they come into sight: a page at a time, the ones far away forgotten. */
import { onScopeDispose, shallowRef, watch, type Ref } from 'vue';

/** Rows that aren't all here. */
export interface RowSource<Row> {
  /** How many there are on the server; 0 until it has answered once. */
  readonly count: number;
  /** The row at a place, when it was read. */
  readonly at: (place: number) => Row | undefined;
  /** These come into sight: they are read unless they are here. */
  readonly show: (from: number, to: number) => void;
}

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Of all, as the server counts them. */
  readonly total: number;
}

export interface WindowOptions<Row> {
  /** Reads `count` rows from a place on. @throws when aborted or refused */
  readonly read: (from: number, count: number, signal: AbortSignal) => Promise<RowPage<Row>>;
  /** Another question (search, order, filters): all that was read is of the one before. */
  readonly question: () => unknown;
  readonly pageSize?: number;
  /** Pages that are kept; those not seen for longest go first. */
  readonly kept?: number;
}

export interface WindowedRows<Row> {
  readonly source: Readonly<Ref<RowSource<Row>>>;
  /** Why the last page couldn't be read; reading goes on when it comes into sight again. */
  readonly failure: Readonly<Ref<Error | null>>;
}

export function useWindowedRows<Row>(options: WindowOptions<Row>): WindowedRows<Row> {
  const { pageSize = 200, kept = 20 } = options;
  const pages = new Map<number, readonly Row[]>();
  const reading = new Map<number, AbortController>();
  const failure = shallowRef<Error | null>(null);
  let count = 0;
  const source = shallowRef(made());

  function made(): RowSource<Row> {
    return { count, at, show };
  }
  function at(place: number): Row | undefined {
    return pages.get(Math.floor(place / pageSize))?.[place % pageSize];
  }
  function show(from: number, to: number): void {
    const last = Math.max(0, Math.min(to, count - 1));
    const [first, end] = [Math.floor(Math.max(0, from) / pageSize), Math.floor(last / pageSize)];
    // What went out of sight before it was read isn't waited for.
    for (const [page, controller] of reading) if (page < first - 1 || page > end + 1) controller.abort();
    for (let page = first; page <= end; page += 1) {
      const rows = pages.get(page);
      if (rows === undefined) void readPage(page);
      else {
        // Seen again: the last to go.
        pages.delete(page);
        pages.set(page, rows);
      }
    }
  }
  async function readPage(page: number): Promise<void> {
    if (reading.has(page)) return;
    const controller = new AbortController();
    reading.set(page, controller);
    try {
      const { rows, total } = await options.read(page * pageSize, pageSize, controller.signal);
      if (controller.signal.aborted) return;
      pages.set(page, rows);
      for (const old of [...pages.keys()].slice(0, Math.max(0, pages.size - kept))) pages.delete(old);
      count = total;
      failure.value = null;
      source.value = made();
    } catch (error) {
      if (!controller.signal.aborted) failure.value = error instanceof Error ? error : new Error(String(error));
    } finally {
      if (reading.get(page) === controller) reading.delete(page);
    }
  }
  function stop(): void {
    for (const controller of reading.values()) controller.abort();
    reading.clear();
  }

  watch(
    options.question,
    () => {
      stop();
      pages.clear();
      count = 0;
      source.value = made();
      show(0, 0);
    },
    { immediate: true },
  );
  onScopeDispose(stop);
  return { source, failure };
}
