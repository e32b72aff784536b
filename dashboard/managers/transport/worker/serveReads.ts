/**
 * The worker side of `WorkerReader`: reads and parses responses off the main thread, because parsing tens of megabytes
 * would block the page for most of a second. Only rows are returned, in slices.
 */
import type { InvalidRecord } from '#api/client/invalidRecords.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { rowsPerMessage, type ReadTarget, type WorkerResponse, type WorkerRequest } from './workerMessages.ts';

/** The result of a read: the objects, each converted to a row when its slice is sent. */
export interface WorkerRead<Item, Row, Extra> {
  readonly items: readonly Item[];
  readonly toRow: (item: Item) => Row;
  /** The data of the response that are not rows, such as the order of the resources; sent after the last rows. */
  readonly extra: Extra;
  /** Invalid records of the response. */
  readonly invalid?: readonly InvalidRecord[];
  /** The age of the response, in ms. */
  readonly ageMs?: number;
  /** The parts of `extra` that are transferred rather than copied. */
  readonly transfer?: Transferable[];
}

/** The parts of a worker's `self` that are used. */
export interface WorkerSelf {
  postMessage(message: unknown, options: { readonly transfer: Transferable[] }): void;
  addEventListener(type: 'message', listen: (event: { readonly data: never }) => void): void;
}

/** Serves the requests of a `WorkerReader` until the worker is terminated. */
export function serveReads<Input, Item, Row, Extra>(
  self: WorkerSelf,
  read: (target: ReadTarget, input: Input, signal: AbortSignal) => Promise<WorkerRead<Item, Row, Extra>>,
): void {
  const running = new Map<number, AbortController>();
  const send = (message: WorkerResponse<Row, Extra>, transfer: Transferable[] = []): void =>
    self.postMessage(message, { transfer });

  async function respond(id: number, target: ReadTarget, input: Input): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const { items, toRow, extra, invalid = [], ageMs = 0, transfer } = await read(target, input, controller.signal);
      for (let from = 0; from < items.length; from += rowsPerMessage)
        send({ id, rows: items.slice(from, from + rowsPerMessage).map(toRow) });
      send({ id, end: true, extra, invalid, ageMs }, transfer);
    } catch (error) {
      const { kind, status, reason, retryAfterMs } =
        error instanceof ManagerError
          ? error
          : { kind: 'not-understood' as const, status: null, reason: String(error), retryAfterMs: null };
      send({ id, failure: { kind, status, reason, retryAfterMs } });
    } finally {
      running.delete(id);
    }
  }

  self.addEventListener('message', ({ data }: { readonly data: WorkerRequest<Input> }) => {
    if ('stop' in data) running.get(data.id)?.abort();
    else void respond(data.id, data.target, data.input);
  });
}
