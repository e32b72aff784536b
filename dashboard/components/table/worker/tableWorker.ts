/** The page's side of the worker that arranges a large table: sends the required data once, then the requests. */
import type { Value } from '../rows/arrange.ts';
import { type ArrangeResponse, type ArrangeRequest, getRequiredParts, type RowsPart } from './arrangeMessages.ts';
import { createTableData } from '../rows/rowData.ts';
import type { Column, TableView } from '../rows/tableRows.ts';

/** The parts of a `Worker` that are used. */
export interface ArrangePort {
  postMessage(request: ArrangeRequest): void;
  onResponse(listen: (response: ArrangeResponse) => void): void;
  onFailure(listen: (reason: string) => void): void;
  terminate(): void;
}

export interface TableWorker {
  /**
   * Returns the indexes of a view's rows and the choices of columns. @throws when aborted, or when the worker can't run
   */
  readonly arrange: <Row>(request: ViewRequest<Row>, signal: AbortSignal) => Promise<ArrangeResponse>;
  readonly stop: () => void;
}

interface ViewRequest<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly view: TableView;
  /** Keys of the columns whose choices are requested. */
  readonly choices: readonly string[];
}

/** The number of rows that one message contains: few enough not to block the page. */
const rowsPerMessage = 4000;

function createBrowserPort(): ArrangePort {
  const worker = new Worker(new URL('./arrangeWorker.ts', import.meta.url), { type: 'module' });
  return {
    postMessage: (request) => worker.postMessage(request),
    onResponse: (listen) =>
      worker.addEventListener('message', ({ data }: MessageEvent<ArrangeResponse>) => listen(data)),
    onFailure: (listen) => worker.addEventListener('error', ({ message }) => listen(message)),
    terminate: () => worker.terminate(),
  };
}

export function createTableWorker(port: ArrangePort = createBrowserPort()): TableWorker {
  const pending = new Map<number, { resolve: (response: ArrangeResponse) => void; reject: (reason: Error) => void }>();
  let lastId = 0;
  const stopController = new AbortController();
  /** Requests are sent one after the other, because the worker would treat a partly sent part as complete. */
  let lastSend: Promise<void> = Promise.resolve();
  let sentTable: { readonly rows: unknown; readonly columns: unknown; readonly sent: Set<RowsPart> } | null = null;

  port.onResponse((response) => {
    pending.get(response.id)?.resolve(response);
    pending.delete(response.id);
  });
  port.onFailure((reason) => {
    for (const { reject } of pending.values()) reject(new Error(`The table’s worker failed: ${reason}`));
    pending.clear();
  });

  /**
   * Completes a part even if its request is aborted, because the request after the next keystroke needs the same part.
   */
  async function send<Row>({ rows, columns, view, choices }: ViewRequest<Row>): Promise<void> {
    if (sentTable === null || sentTable.rows !== rows || sentTable.columns !== columns) {
      port.postMessage({ kind: 'rows', count: rows.length });
      sentTable = { rows, columns, sent: new Set() };
    }
    const { sent } = sentTable;
    for (const part of getRequiredParts(view, choices).filter((name) => !sent.has(name))) {
      for (let from = 0; from < rows.length && !stopController.signal.aborted; from += rowsPerMessage) {
        const slice = createTableData(rows.slice(from, from + rowsPerMessage), columns);
        port.postMessage({ kind: 'part', part, values: getPartValues(slice, part) });
        await waitForNextTask();
      }
      sent.add(part);
    }
  }

  return {
    arrange: async (request, signal) => {
      lastSend = lastSend.then(() => (signal.aborted ? undefined : send(request)));
      await lastSend;
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        pending.set(id, { resolve, reject });
        signal.addEventListener(
          'abort',
          () => {
            pending.delete(id);
            reject(signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'));
          },
          { once: true },
        );
        port.postMessage({ kind: 'arrange', id, view: request.view, choices: request.choices });
      });
    },
    stop: () => {
      stopController.abort();
      port.terminate();
    },
  };
}

function getPartValues(data: ReturnType<typeof createTableData>, part: RowsPart): readonly Value[] {
  if (part === 'search') return data.searchTexts();
  const column = part.slice(part.indexOf(' ') + 1);
  return part.startsWith('texts ') ? data.texts(column) : data.values(column);
}

/** Resolves in the next task. It uses a message, because browsers throttle timers. */
function waitForNextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener(
      'message',
      () => {
        port1.close();
        resolve();
      },
      { once: true },
    );
    port1.start();
    port2.postMessage(null);
  });
}
