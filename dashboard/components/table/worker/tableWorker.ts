/** The page's side of the worker that arranges a large table: sends the required data once, then the requests. */
import type { Value } from '../rows/arrange.ts';
import { type ArrangeAnswer, type ArrangeRequest, partsFor, type RowsPart } from './arrangeMessages.ts';
import { rowData } from '../rows/rowData.ts';
import type { Column, TableView } from '../rows/tableRows.ts';

/** The parts of a `Worker` that are used. */
export interface ArrangePort {
  postMessage(request: ArrangeRequest): void;
  onAnswer(listen: (answer: ArrangeAnswer) => void): void;
  onFailure(listen: (reason: string) => void): void;
  terminate(): void;
}

export interface TableWorker {
  /**
   * Returns the indexes of a view's rows and the choices of columns. @throws when aborted, or when the worker can't run
   */
  readonly arrange: <Row>(question: Question<Row>, signal: AbortSignal) => Promise<ArrangeAnswer>;
  readonly stop: () => void;
}

interface Question<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly view: TableView;
  /** Keys of the columns whose choices are requested. */
  readonly choices: readonly string[];
}

/** Rows read at once: few enough not to block the page. */
const rowsInMessage = 4000;

function browserPort(): ArrangePort {
  const worker = new Worker(new URL('./arrangeWorker.ts', import.meta.url), { type: 'module' });
  return {
    postMessage: (request) => worker.postMessage(request),
    onAnswer: (listen) => worker.addEventListener('message', ({ data }: MessageEvent<ArrangeAnswer>) => listen(data)),
    onFailure: (listen) => worker.addEventListener('error', ({ message }) => listen(message)),
    terminate: () => worker.terminate(),
  };
}

export function createTableWorker(port: ArrangePort = browserPort()): TableWorker {
  const waiting = new Map<number, { done: (answer: ArrangeAnswer) => void; failed: (reason: Error) => void }>();
  let lastId = 0;
  const stopped = new AbortController();
  /** Sends the parts of one request after the other, because half of a part could be mistaken for a whole one. */
  let sending: Promise<void> = Promise.resolve();
  let sentTable: { readonly rows: unknown; readonly columns: unknown; readonly sent: Set<RowsPart> } | null = null;

  port.onAnswer((answer) => {
    waiting.get(answer.id)?.done(answer);
    waiting.delete(answer.id);
  });
  port.onFailure((reason) => {
    for (const { failed } of waiting.values()) failed(new Error(`The table’s worker failed: ${reason}`));
    waiting.clear();
  });

  /** Sends whole parts even when the request is aborted: the next one, after another keystroke, needs the same. */
  async function send<Row>({ rows, columns, view, choices }: Question<Row>): Promise<void> {
    if (sentTable === null || sentTable.rows !== rows || sentTable.columns !== columns) {
      port.postMessage({ kind: 'rows', count: rows.length });
      sentTable = { rows, columns, sent: new Set() };
    }
    const { sent } = sentTable;
    for (const part of partsFor(view, choices).filter((name) => !sent.has(name))) {
      for (let from = 0; from < rows.length && !stopped.signal.aborted; from += rowsInMessage) {
        const slice = rowData(rows.slice(from, from + rowsInMessage), columns);
        port.postMessage({ kind: 'part', part, values: valuesOf(slice, part) });
        await nextTask();
      }
      sent.add(part);
    }
  }

  return {
    arrange: async (question, signal) => {
      sending = sending.then(() => (signal.aborted ? undefined : send(question)));
      await sending;
      signal.throwIfAborted();
      return new Promise((done, failed) => {
        lastId += 1;
        const id = lastId;
        waiting.set(id, { done, failed });
        signal.addEventListener(
          'abort',
          () => {
            waiting.delete(id);
            failed(signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'));
          },
          { once: true },
        );
        port.postMessage({ kind: 'ask', id, view: question.view, choices: question.choices });
      });
    },
    stop: () => {
      stopped.abort();
      port.terminate();
    },
  };
}

function valuesOf(data: ReturnType<typeof rowData>, part: RowsPart): readonly Value[] {
  if (part === 'searched') return data.searchTexts();
  const column = part.slice(part.indexOf(' ') + 1);
  return part.startsWith('texts ') ? data.texts(column) : data.values(column);
}

/** A message to itself, which isn't throttled as timers are. */
function nextTask(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener(
      'message',
      () => {
        port1.close();
        done();
      },
      { once: true },
    );
    port1.start();
    port2.postMessage(null);
  });
}
