import { describe, expect, it, vi } from 'vitest';
import { ManagerError } from '#api/client/managerError.ts';
import { serveReads, type WorkerSelf } from './serveReads.ts';
import { createWorkerReader, type WorkerPort } from './workerReader.ts';

type Listen = (event: never) => void;

/** Simulates a worker in this process: messages are delivered as copies, in a microtask. */
function createInProcessWorker() {
  const listeners: Record<'page' | 'worker', Listen[]> = { page: [], worker: [] };
  const errors: Listen[] = [];
  let ended = false;
  const post = (to: 'page' | 'worker') => (message: unknown) => {
    const data: unknown = structuredClone(message);
    queueMicrotask(() => {
      if (!ended) for (const listen of listeners[to]) listen({ data } as never);
    });
  };
  const port: WorkerPort = {
    postMessage: post('worker'),
    addEventListener: (type: string, listen: unknown) =>
      void (type === 'error' ? errors : listeners.page).push(listen as Listen),
    terminate: () => (ended = true),
  };
  const self: WorkerSelf = {
    postMessage: post('page'),
    addEventListener: (_type, listen) => void listeners.worker.push(listen as Listen),
  };
  return { port, self, fail: (message: string) => errors.forEach((listen) => listen({ message } as never)) };
}

const target = { baseUrl: 'http://lab:8005/', version: null };
const subject = { manager: 'workcell', endpoint: 'getArchivedWorkflows', purpose: 'read the archive' } as const;
const numbers = (count: number) => Array.from({ length: count }, (_none, index) => index);
const neverAborted = new AbortController().signal;

function createReader(
  read: Parameters<typeof serveReads<number, number, string, string>>[1] = (_target, count) =>
    Promise.resolve({ items: numbers(count), toRow: String, extra: 'the extra data' }),
) {
  const { port, self, fail } = createInProcessWorker();
  serveReads(self, read);
  return { reader: createWorkerReader<number, string, string>(port, subject), fail };
}

describe('reading in a worker', () => {
  it.each([0, 1, 250, 1001])('returns all %i rows in order and the extra data', async (count) => {
    const { reader } = createReader();
    await expect(reader.read(target, count, neverAborted)).resolves.toEqual({
      rows: numbers(count).map(String),
      extra: 'the extra data',
      invalid: [],
      ageMs: 0,
    });
  });

  it('returns the rows of two concurrent reads separately', async () => {
    const { reader } = createReader();
    const results = await Promise.all([reader.read(target, 600, neverAborted), reader.read(target, 2, neverAborted)]);
    expect(results.map(({ rows }) => rows.length)).toEqual([600, 2]);
  });

  it('fails with the manager’s own reason', async () => {
    const { reader } = createReader(() =>
      Promise.reject(
        new ManagerError({ ...subject, kind: 'http', status: 429, retryAfterMs: 7, reason: 'busy', address: 'x' }),
      ),
    );
    await expect(reader.read(target, 1, neverAborted)).rejects.toMatchObject({
      kind: 'http',
      status: 429,
      retryAfterMs: 7,
      message: 'Could not read the archive: Workcell Manager (lab:8005) answered 429: busy',
    });
  });

  it('stops an aborted read', async () => {
    const stop = new AbortController();
    const { reader } = createReader(
      (_target, _count, signal) =>
        new Promise((_resolve, reject) => {
          const rejectAborted = () =>
            reject(new ManagerError({ ...subject, kind: 'aborted', reason: 'called off', address: 'x' }));
          signal.addEventListener('abort', rejectAborted);
        }),
    );
    const reading = reader.read(target, 1, stop.signal);
    stop.abort();
    await expect(reading).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('removes its listeners from the signal, however the read ends', async () => {
    const { signal } = new AbortController();
    const addListener = vi.spyOn(signal, 'addEventListener');
    const removeListener = vi.spyOn(signal, 'removeEventListener');
    const ends = [
      createReader().reader.read(target, 1, signal),
      createReader(() => Promise.reject(new Error('busy'))).reader.read(target, 1, signal),
    ];
    const { reader, fail } = createReader(() => new Promise(() => undefined));
    ends.push(reader.read(target, 1, signal));
    fail('out of memory');
    const settled = await Promise.allSettled(ends);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(new Set(removeListener.mock.calls.map(([, listen]) => listen))).toEqual(
      new Set(addListener.mock.calls.map(([, listen]) => listen)),
    );
    expect(removeListener).toHaveBeenCalledTimes(3);
  });

  it('fails when the worker fails', async () => {
    const { reader, fail } = createReader(() => new Promise(() => undefined));
    const reading = reader.read(target, 1, neverAborted);
    fail('out of memory');
    await expect(reading).rejects.toMatchObject({ kind: 'not-sent', reason: 'out of memory' });
  });
});
