/**
 * The page's side of a worker that reads big answers for it: one read, one promise. The worker's side is `serveReads`; a
 * panel has a worker of its own, which says what a row is.
 */
import type { InvalidRecord } from '../../../../api/client/badRecords.ts';
import { ManagerError } from '../../../../api/client/managerError.ts';
import type { ServerKey } from '../../../../api/client/endpoint.ts';
import type { ReadFailure, ReadTarget, WorkerAnswer, WorkerRequest } from './workerMessages.ts';

/** What is read, for the sentence that says that it can't be. */
interface ReadSubject {
  readonly manager: ServerKey;
  readonly endpoint: string;
  /** As in the manager's table. */
  readonly does: string;
}

interface ReadRows<Row, Rest> {
  readonly rows: readonly Row[];
  readonly rest: Rest;
  /** Records of the answer that couldn't be read. */
  readonly invalid: readonly InvalidRecord[];
}

export interface WorkerReader<Input, Row, Rest> {
  /** @throws ManagerError */
  readonly read: (target: ReadTarget, input: Input, signal: AbortSignal) => Promise<ReadRows<Row, Rest>>;
  readonly stop: () => void;
}

interface Reading<Row, Rest> {
  readonly rows: Row[];
  readonly done: (answer: ReadRows<Row, Rest>) => void;
  readonly failed: (failure: ReadFailure) => void;
}

/** The half of a `Worker` that is needed here. */
export type WorkerPort = Pick<Worker, 'postMessage' | 'addEventListener' | 'terminate'>;

/** Owns the worker: `stop` ends it. */
export function createWorkerReader<Input, Row, Rest>(
  worker: WorkerPort,
  subject: ReadSubject,
): WorkerReader<Input, Row, Rest> {
  const readings = new Map<number, Reading<Row, Rest>>();
  let last = 0;
  const send = (request: WorkerRequest<Input>): void => worker.postMessage(request);

  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer<Row, Rest>>) => {
    const reading = readings.get(data.id);
    if (reading === undefined) return;
    if ('rows' in data) {
      reading.rows.push(...data.rows);
      return;
    }
    readings.delete(data.id);
    if ('failure' in data) reading.failed(data.failure);
    else reading.done({ rows: reading.rows, rest: data.rest, invalid: data.invalid });
  });
  worker.addEventListener('error', (event) => {
    const failure = { kind: 'not-sent', status: null, reason: event.message, retryAfterMs: null } as const;
    for (const { failed } of readings.values()) failed(failure);
    readings.clear();
  });

  return {
    read: (target, input, signal) =>
      new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        const stop = (): void => send({ id, stop: true });
        // One signal may stand for a whole page: what is over leaves nothing on it.
        const over = (): void => signal.removeEventListener('abort', stop);
        readings.set(id, {
          rows: [],
          done: (answer) => {
            over();
            resolve(answer);
          },
          failed: (failure) => {
            over();
            reject(new ManagerError({ ...subject, address: target.baseUrl, ...failure }));
          },
        });
        signal.addEventListener('abort', stop, { once: true });
        send({ id, target, input });
      }),
    stop: () => worker.terminate(),
  };
}
