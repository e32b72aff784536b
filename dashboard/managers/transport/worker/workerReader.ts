/**
 * The page's side of a worker that reads large responses: one read, one promise. The worker's side is `serveReads`; each
 * panel has its own worker, which defines the rows.
 */
import type { InvalidRecord } from '#api/client/invalidRecords.ts';
import { ManagerError } from '#api/client/managerError.ts';
import type { ServerKey } from '#api/client/endpoint.ts';
import type { ReadFailure, ReadTarget, WorkerResponse, WorkerRequest } from './workerMessages.ts';

/** The subject of a read, for error messages. */
interface ReadSubject {
  readonly manager: ServerKey;
  readonly endpoint: string;
  /** The description in the manager's endpoint table. */
  readonly purpose: string;
}

interface ReadRows<Row, Extra> {
  readonly rows: readonly Row[];
  readonly extra: Extra;
  /** Invalid records of the response. */
  readonly invalid: readonly InvalidRecord[];
  /** The age of the response, in ms. */
  readonly ageMs: number;
}

export interface WorkerReader<Input, Row, Extra> {
  /** @throws ManagerError */
  readonly read: (target: ReadTarget, input: Input, signal: AbortSignal) => Promise<ReadRows<Row, Extra>>;
  readonly stop: () => void;
}

interface PendingRead<Row, Extra> {
  readonly rows: Row[];
  readonly done: (result: ReadRows<Row, Extra>) => void;
  readonly failed: (failure: ReadFailure) => void;
}

/** The parts of a `Worker` that are used. */
export type WorkerPort = Pick<Worker, 'postMessage' | 'addEventListener' | 'terminate'>;

/** Creates a reader that owns the worker: `stop` terminates it. */
export function createWorkerReader<Input, Row, Extra>(
  worker: WorkerPort,
  subject: ReadSubject,
): WorkerReader<Input, Row, Extra> {
  const pendingReads = new Map<number, PendingRead<Row, Extra>>();
  let lastId = 0;
  const send = (request: WorkerRequest<Input>): void => worker.postMessage(request);

  worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse<Row, Extra>>) => {
    const reading = pendingReads.get(data.id);
    if (reading === undefined) return;
    if ('rows' in data) {
      reading.rows.push(...data.rows);
      return;
    }
    pendingReads.delete(data.id);
    if ('failure' in data) reading.failed(data.failure);
    else reading.done({ rows: reading.rows, extra: data.extra, invalid: data.invalid, ageMs: data.ageMs });
  });
  worker.addEventListener('error', (event) => {
    const failure = { kind: 'not-sent', status: null, reason: event.message, retryAfterMs: null } as const;
    for (const { failed } of pendingReads.values()) failed(failure);
    pendingReads.clear();
  });

  return {
    read: (target, input, signal) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const stop = (): void => send({ id, stop: true });
        // A signal may be shared by a whole page, so a completed read removes its listener.
        const removeListener = (): void => signal.removeEventListener('abort', stop);
        pendingReads.set(id, {
          rows: [],
          done: (result) => {
            removeListener();
            resolve(result);
          },
          failed: (failure) => {
            removeListener();
            const { baseUrl, relayedTo = null } = target;
            const address = relayedTo ?? baseUrl;
            reject(new ManagerError({ ...subject, address, isRelayed: relayedTo !== null, ...failure }));
          },
        });
        signal.addEventListener('abort', stop, { once: true });
        send({ id, target, input });
      }),
    stop: () => worker.terminate(),
  };
}
