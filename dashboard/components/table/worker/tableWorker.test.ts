import { describe, expect, it } from 'vitest';
import type { ArrangeResponse, ArrangeRequest } from './arrangeMessages.ts';
import { createArrangeHandler } from './arrangeHandler.ts';
import { arrangeRows, pickRows } from '../rows/rowData.ts';
import { defaultView, type Column, type TableView } from '../rows/tableRows.ts';
import { createTableWorker, type ArrangePort } from './tableWorker.ts';

interface Row {
  readonly name: string;
  readonly state: string;
}
const columns: readonly Column<Row>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'state', title: 'State', value: ({ state }) => state, filter: 'choice' },
];
const createRows = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `plate ${index % 97}`,
    state: index % 3 === 0 ? 'busy' : 'ready',
  }));

/** Runs the worker's handler in this thread and records all requests. */
function createPort(): ArrangePort & { readonly requests: ArrangeRequest[]; fail(reason: string): void } {
  const handle = createArrangeHandler();
  const requests: ArrangeRequest[] = [];
  const listeners = { response: (_response: ArrangeResponse) => {}, failure: (_reason: string) => {} };
  return {
    requests,
    postMessage: (request) => {
      requests.push(structuredClone(request));
      const response = handle(structuredClone(request));
      if (response !== null) queueMicrotask(() => listeners.response(response));
    },
    onResponse: (listen) => void (listeners.response = listen),
    onFailure: (listen) => void (listeners.failure = listen),
    terminate: () => {},
    fail: (reason) => listeners.failure(reason),
  };
}
const sorted: TableView = { search: 'plate 9', sort: { key: 'name', descending: true }, filters: { state: ['busy'] } };
const signal = new AbortController().signal;
const listSentParts = (requests: readonly ArrangeRequest[]) =>
  new Set(requests.flatMap((request) => (request.kind === 'part' ? [request.part] : [])));

describe('a table in a worker', () => {
  it('returns the same rows and counts as on the page', async () => {
    const rows = createRows(10_000);
    const { rowIndexes, choices } = await createTableWorker(createPort()).arrange(
      { rows, columns, view: sorted, choices: ['state'] },
      signal,
    );
    const pageArrangement = arrangeRows(rows, columns);
    expect(pickRows(rows, rowIndexes)).toEqual(pageArrangement.selectRows(sorted));
    expect(new Map(choices).get('state')).toEqual(pageArrangement.getChoices(sorted, columns[1]!));
  });

  it('receives the data of a request once, and again when the rows change', async () => {
    const workerPort = createPort();
    const worker = createTableWorker(workerPort);
    const rows = createRows(9000);
    await worker.arrange({ rows, columns, view: { ...defaultView, search: 'p' }, choices: [] }, signal);
    expect(listSentParts(workerPort.requests)).toEqual(new Set(['search']));
    const requestCount = workerPort.requests.length;
    await worker.arrange({ rows, columns, view: { ...defaultView, search: 'pl' }, choices: [] }, signal);
    expect(workerPort.requests.slice(requestCount).map(({ kind }) => kind)).toEqual(['arrange']);
    const countBeforeChange = workerPort.requests.length;
    await worker.arrange({ rows: [...rows], columns, view: sorted, choices: [] }, signal);
    expect(workerPort.requests[countBeforeChange]).toEqual({ kind: 'rows', count: rows.length });
    expect(listSentParts(workerPort.requests.slice(countBeforeChange))).toEqual(
      new Set(['search', 'texts state', 'values name']),
    );
  });

  it('returns all rows for the last of several requests, although earlier ones are aborted', async () => {
    const worker = createTableWorker(createPort());
    const rows = createRows(20_000);
    const controllers = ['p', 'pl', 'pla'].map(() => new AbortController());
    const requests = ['p', 'pl', 'pla'].map((search, index) =>
      worker.arrange({ rows, columns, view: { ...defaultView, search }, choices: [] }, controllers[index]!.signal),
    );
    controllers[0]?.abort();
    controllers[1]?.abort();
    const [first, second, third] = await Promise.allSettled(requests);
    expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
    expect(third?.status === 'fulfilled' ? third.value.rowIndexes.length : third?.reason).toBe(rows.length);
  });

  it('reports why it failed', async () => {
    const workerPort = createPort();
    let posted = (): void => {};
    const isPosted = new Promise<void>((resolve) => (posted = resolve));
    const unresponsive: ArrangePort = {
      ...workerPort,
      postMessage: ({ kind }) => (kind === 'arrange' ? posted() : undefined),
    };
    const response = createTableWorker(unresponsive).arrange(
      { rows: [], columns, view: defaultView, choices: [] },
      signal,
    );
    const failed = expect(response).rejects.toThrow('The table’s worker failed: out of memory');
    await isPosted;
    workerPort.fail('out of memory');
    await failed;
  });
});
