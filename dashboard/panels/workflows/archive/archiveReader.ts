/** The page's side of the worker that reads the archive: one read, one promise. */
import { ManagerError } from '../../../../api/managerError.ts';
import type { LabVersion } from '../../../../api/version.ts';
import { workcellApi } from '../../../../api/workcell.ts';
import type { Workflow } from '../../../../api/workflow.ts';
import type { ArchiveAnswer, ArchiveFailure, ArchiveRequest } from './archiveMessages.ts';
import type { WorkflowRow } from '../workflowRow.ts';

export interface ArchiveRows {
  readonly rows: readonly WorkflowRow[];
  readonly timed: readonly Workflow[];
}

interface Reading {
  readonly rows: WorkflowRow[];
  readonly done: (answer: ArchiveRows) => void;
  readonly failed: (failure: ArchiveFailure) => void;
}

export interface ArchiveReader {
  /** @throws ManagerError */
  readonly read: (
    baseUrl: string,
    version: LabVersion | null,
    count: number,
    signal: AbortSignal,
  ) => Promise<ArchiveRows>;
  readonly stop: () => void;
}

export function createArchiveReader(): ArchiveReader {
  const worker = new Worker(new URL('./archiveWorker.ts', import.meta.url), { type: 'module' });
  const readings = new Map<number, Reading>();
  let last = 0;
  const send = (request: ArchiveRequest): void => worker.postMessage(request);

  worker.addEventListener('message', ({ data }: MessageEvent<ArchiveAnswer>) => {
    const reading = readings.get(data.id);
    if (reading === undefined) return;
    if ('rows' in data) {
      reading.rows.push(...data.rows);
      return;
    }
    readings.delete(data.id);
    if ('failure' in data) reading.failed(data.failure);
    else reading.done({ rows: reading.rows, timed: data.timed });
  });
  worker.addEventListener('error', (event) => {
    const failure = { kind: 'not-sent', status: null, reason: event.message, retryAfterMs: null } as const;
    for (const { failed } of readings.values()) failed(failure);
    readings.clear();
  });

  return {
    read: (baseUrl, version, count, signal) =>
      new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        const { does } = workcellApi.endpoints.getArchivedWorkflows;
        const fail = (failure: ArchiveFailure): void =>
          reject(
            new ManagerError({
              manager: workcellApi.server,
              endpoint: 'getArchivedWorkflows',
              does,
              address: baseUrl,
              ...failure,
            }),
          );
        readings.set(id, { rows: [], done: resolve, failed: fail });
        signal.addEventListener('abort', () => send({ id, stop: true }), { once: true });
        send({ id, baseUrl, version, count });
      }),
    stop: () => worker.terminate(),
  };
}
