/// <reference types="vite/types/importMeta.d.ts" />
import express, { type Request, type Response as Reply } from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useManualClock } from '../fixtures/manualClock.ts';
import { createClient, type ClientOptions } from './client.ts';
import { dataApi } from '../managers/data.ts';
import { locationApi } from '../managers/location.ts';
import { ManagerError } from './managerError.ts';
import { resourceApi } from '../managers/resource.ts';
import { eventApi } from '../managers/event.ts';
import { workcellApi } from '../managers/workcell.ts';

const errors = import.meta.glob<Record<string, { status: number; body: unknown }>>('../samples/errors.json', {
  eager: true,
  import: 'default',
})['../samples/errors.json']!;
const workflow = import.meta.glob<unknown>('../samples/workflow_failed.json', { eager: true, import: 'default' })[
  '../samples/workflow_failed.json'
];

interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly port: number | undefined;
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

/** A server on a free port that handles the n-th request with the n-th function, and later ones with the last. */
async function serve(...replies: ((reply: Reply, request: Request) => void)[]) {
  const requests: RecordedRequest[] = [];
  const app = express();
  app.use(express.raw({ type: () => true, limit: '10mb' }));
  app.use((request, reply) => {
    const body = request.body instanceof Uint8Array ? new Uint8Array(request.body) : new Uint8Array();
    const type = request.headers['content-type'] ?? '';
    requests.push({ method: request.method, url: request.url, type, body, port: request.socket.remotePort });
    replies[Math.min(requests.length, replies.length) - 1]?.(reply, request);
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  cleanups.push(close);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/`, port, requests, close };
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  (reply: Reply) => {
    reply.status(status).set(headers).json(body);
  };
const dropConnection = (reply: Reply) => {
  reply.socket?.destroy();
};
const neverRespond = () => undefined;
const rateLimitedResponse = (headers: Record<string, string> = {}) => json(errors['429_burst']!.body, 429, headers);

const createWorkcellClient = (options: ClientOptions) => createClient(workcellApi, options);

async function expectManagerError(response: Promise<unknown>): Promise<ManagerError> {
  const error: unknown = await response.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ManagerError) return error;
  throw new Error('no ManagerError', { cause: error });
}

async function readForm({ body, type }: RecordedRequest): Promise<FormData> {
  return new Response(body, { headers: { 'content-type': type } }).formData();
}

describe('requests of the client', () => {
  it('the client encodes path and query parameters and keeps the path of the base address', async () => {
    const { baseUrl, requests } = await serve(json(workflow));
    const workcell = createWorkcellClient({ baseUrl: `${baseUrl}base//` });
    await workcell.retryWorkflow({ workflow_id: 'a/b ä?', index: 2 });
    await workcell.getWorkflow({ workflow_id: 'x' });
    await workcell.retryWorkflow({ workflow_id: 'x', index: undefined });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /base/workflow/a%2Fb%20%C3%A4%3F/retry?index=2',
      'GET /base/workflow/x',
      'POST /base/workflow/x/retry',
    ]);
  });

  it.each(['', '.', '..'])(
    'the client refuses the name "%s", which cannot be part of an address',
    async (location_name) => {
      const { baseUrl, requests } = await serve(json({}));
      const location = createClient(locationApi, { baseUrl });
      const error = await expectManagerError(location.deleteLocation({ location_name, location_id: 'L' }));
      expect(error).toMatchObject({ kind: 'not-sent', endpoint: 'deleteLocation' });
      expect(requests).toEqual([]);
    },
  );

  it('the client sends a location’s name to 0.8 and its ID to 0.7, also when the version becomes known later', async () => {
    const place = { location_name: 'rack', location_id: 'L1', representations: null, description: 'not a parameter' };
    const { baseUrl, requests } = await serve(json(place));
    let version: '0.7' | null = null;
    const location = createClient(locationApi, { baseUrl, version: () => version });
    await location.attachResource({ ...place, resource_id: 'R' });
    version = '0.7';
    await location.setRepresentation({ location_name: 'rack', location_id: 'L1', node_name: 'arm', body: [1, null] });
    expect(requests.map(({ url }) => url)).toEqual([
      '/location/rack/attach_resource?resource_id=R',
      '/location/L1/set_representation/arm',
    ]);
    expect(new TextDecoder().decode(requests[1]?.body)).toBe('[1,null]');
  });

  it('the client sends no request for a feature that a 0.7 lab lacks', async () => {
    const { baseUrl, requests } = await serve(json(workflow));
    const error = await expectManagerError(
      createWorkcellClient({ baseUrl, version: '0.7' }).resubmitWorkflow({ workflow_id: 'w' }),
    );
    expect(error.kind).toBe('not-sent');
    expect(error.message).toContain('Could not resubmit the workflow: MADSci 0.7 cannot resubmit');
    expect(requests).toEqual([]);
  });

  it('the client starts a workflow with a form that names each file after its parameter', async () => {
    const { baseUrl, requests } = await serve(json(workflow));
    await createWorkcellClient({ baseUrl }).startWorkflow({
      body: {
        workflow_definition_id: 'D',
        json_inputs: { speed: 2, name: 'ä' },
        file_input_paths: { protocol: 'C:\\runs\\my protocol.py' },
        ownership_info: null,
      },
      files: { protocol: new Blob(['print(1)\r\n'], { type: 'text/x-python' }), 'a "b"': new Blob([]) },
    });
    expect(requests[0]?.type).toMatch(/^multipart\/form-data; boundary=/);
    const form = await readForm(requests[0]!);
    expect([...form.keys()]).toEqual(['workflow_definition_id', 'json_inputs', 'file_input_paths', 'files', 'files']);
    expect(form.get('workflow_definition_id')).toBe('D');
    expect(JSON.parse(String(form.get('json_inputs')))).toEqual({ speed: 2, name: 'ä' });
    const [file] = form.getAll('files') as File[];
    expect(file).toMatchObject({ name: 'protocol', type: 'text/x-python' });
    await expect(file?.text()).resolves.toBe('print(1)\r\n');
  });

  it('the client sends a datapoint as JSON text in a form', async () => {
    const { baseUrl, requests } = await serve(json({ _id: 'P', data_type: 'file', path: '/x' }));
    const data = createClient(dataApi, { baseUrl });
    await data.addDatapoint({
      body: { datapoint: { data_type: 'file', label: 'plate', path: 'plate.png' } },
      files: { 'plate.png': new Blob([new Uint8Array([137, 80, 0, 255])]) },
    });
    const form = await readForm(requests[0]!);
    expect(JSON.parse(String(form.get('datapoint')))).toEqual({ data_type: 'file', label: 'plate', path: 'plate.png' });
    const file = form.get('files') as File;
    expect(file.name).toBe('plate.png');
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([137, 80, 0, 255]);
  });

  it('the client sends an empty body when an optional body is omitted', async () => {
    const { baseUrl, requests } = await serve(json({ backup_path: '/b', status: 'success' }));
    await createClient(eventApi, { baseUrl }).createBackup();
    expect(requests[0]).toMatchObject({ type: '', body: new Uint8Array() });
  });
});

describe('responses to the client', () => {
  it('the client returns typed values and keeps fields that the schema does not list', async () => {
    const { baseUrl } = await serve(json({ ...(workflow as object), added_later: 1 }));
    const response = await createWorkcellClient({ baseUrl }).getWorkflow({ workflow_id: 'w' });
    expect(response.status.description).toBe('Failed on step 0');
    expect(response['added_later']).toBe(1);
  });

  it('the client returns a plain JSON string', async () => {
    const { baseUrl } = await serve(json('01DEFINITION'));
    await expect(createWorkcellClient({ baseUrl }).addWorkflowDefinition({ body: { name: 'w' } })).resolves.toBe(
      '01DEFINITION',
    );
  });

  it('the client returns binary data with its media type', async () => {
    const { baseUrl } = await serve((reply) => reply.type('image/png').send(Buffer.from([1, 2, 255])));
    const blob = await createClient(dataApi, { baseUrl }).getDatapointValue({ datapoint_id: 'P' });
    expect(blob.type).toBe('image/png');
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([1, 2, 255]);
  });

  it('the client returns an empty list when an empty lab responds with 404', async () => {
    const { body, status } = errors['404_resource_query_without_match']!;
    const { baseUrl } = await serve(json(body, status));
    await expect(createClient(resourceApi, { baseUrl }).queryResources({ body: {} })).resolves.toEqual([]);
  });

  it('the client fails when the server does not have the resource endpoints', async () => {
    const { baseUrl } = await serve(json(errors['404_route']!.body, 404));
    const error = await expectManagerError(createClient(resourceApi, { baseUrl }).queryResources({ body: {} }));
    expect(error).toMatchObject({ kind: 'http', status: 404, reason: 'Not Found' });
  });

  it('the client returns a list when the manager responds with a single resource', async () => {
    const one = { resource_name: 'a', base_type: 'asset', resource_id: 'R' };
    const { baseUrl } = await serve(json(one));
    const response = createClient(resourceApi, { baseUrl }).queryResources({ body: { unique: true } });
    await expect(response).resolves.toEqual([one]);
  });
});

describe('error messages of the client', () => {
  it.each([
    ['404_workflow', 404, 'Workflow not found'],
    ['404_datapoint', 404, 'Datapoint with id 01K5HDZZCF27YHD2WDGSXFPPKF not found.'],
    ['409_location', 409, "Location with name 'storage_rack' already exists"],
    ['422_body', 422, 'body.name: Field required'],
    ['422_string_detail', 422, 'Encoded ULID has to be exactly 26 characters long.'],
    ['500_with_detail', 500, 'Error starting workflow: Node nix not in Workcell Example Workcell'],
    ['200_error_text', 200, 'Node not found!'],
  ] as const)('the client reads the reason from %s', async (name, status, reason) => {
    const { baseUrl } = await serve(json(errors[name]!.body, errors[name]!.status));
    const error = await expectManagerError(createWorkcellClient({ baseUrl }).getNode({ node_name: 'nix' }));
    expect(error).toMatchObject({ kind: 'http', manager: 'workcell', endpoint: 'getNode', status, reason });
  });

  it('the error message names the action, the manager and the reason', async () => {
    const { baseUrl, port } = await serve(json({ detail: 'Workflow not found' }, 404));
    const error = await expectManagerError(createWorkcellClient({ baseUrl }).pauseWorkflow({ workflow_id: 'w' }));
    expect(error.message).toBe(
      `Could not pause the workflow: Workcell Manager (127.0.0.1:${port}) answered 404: Workflow not found`,
    );
  });

  it('the client reports the text of a 500 response that is not JSON', async () => {
    const { baseUrl, requests } = await serve((reply) => reply.status(500).type('text').send('Internal Server Error'));
    const error = await expectManagerError(createWorkcellClient({ baseUrl }).cancelWorkflow({ workflow_id: 'w' }));
    expect(error).toMatchObject({ kind: 'http', status: 500, reason: 'Internal Server Error' });
    expect(requests).toHaveLength(1);
  });

  it('the client reports an error object that is sent with status 200', async () => {
    const { baseUrl } = await serve(json(errors['200_error_object']!.body));
    const error = await expectManagerError(createClient(eventApi, { baseUrl }).getSessionReport());
    expect(error).toMatchObject({ kind: 'http', status: 200 });
    expect(error.reason).toMatch(/^Failed to generate report/);
  });

  it('the client reports status 500 for the value of a missing datapoint', async () => {
    const { baseUrl } = await serve((reply) => reply.status(500).type('text').send('Internal Server Error'));
    const error = await expectManagerError(createClient(dataApi, { baseUrl }).getDatapointValue({ datapoint_id: 'P' }));
    expect(error).toMatchObject({ kind: 'http', status: 500 });
  });

  it.each([
    ['a response that is not JSON', '<html>', 'the answer is not JSON'],
    ['a response with another shape', '{"steps":[]}', /^\w+: /],
  ])('the client reports that it cannot read %s', async (_, text, reason) => {
    const { baseUrl } = await serve((reply) => reply.type('json').send(text));
    const error = await expectManagerError(createWorkcellClient({ baseUrl }).getWorkflow({ workflow_id: 'w' }));
    expect(error).toMatchObject({ kind: 'not-understood', status: 200, reason: expect.stringMatching(reason) });
  });
});

describe('an unreachable manager', () => {
  it('the client reports a refused connection', async () => {
    const { baseUrl, close } = await serve(json({}));
    await close();
    const error = await expectManagerError(createWorkcellClient({ baseUrl }).getNodes());
    expect(error).toMatchObject({ kind: 'unreachable', reason: 'connection refused', status: null });
  });
});

describe('a dropped connection', () => {
  it('the client retries a read once on a new connection', async () => {
    const { baseUrl, requests } = await serve(dropConnection, json({}));
    await expect(createWorkcellClient({ baseUrl }).getNodes()).resolves.toEqual({});
    expect(requests).toHaveLength(2);
    expect(requests[0]?.port).not.toBe(requests[1]?.port);
  });

  it('the client fails when the connection is dropped twice', async () => {
    const { baseUrl, requests } = await serve(dropConnection);
    const error = await expectManagerError(createWorkcellClient({ baseUrl }).getNodes());
    expect(error).toMatchObject({ kind: 'unreadable', reason: 'the connection was dropped' });
    expect(requests).toHaveLength(2);
  });

  it('the client never retries an action', async () => {
    const { baseUrl, requests } = await serve(dropConnection, json(workflow));
    const error = await expectManagerError(createWorkcellClient({ baseUrl }).resumeWorkflow({ workflow_id: 'w' }));
    expect(error.kind).toBe('unreadable');
    expect(requests).toHaveLength(1);
  });

  it('the client retries a read once when its response breaks off, and then fails', async () => {
    const sendPartialResponse = (reply: Reply) => {
      reply.status(200).set('content-length', '100').write('{"a":');
      setTimeout(() => reply.socket?.destroy(), 20);
    };
    const { baseUrl, requests } = await serve(sendPartialResponse);
    const error = await expectManagerError(createWorkcellClient({ baseUrl }).getNodes());
    expect(error.kind).toBe('unreadable');
    expect(requests).toHaveLength(2);
  });
});

describe('deadlines and aborts of the client', () => {
  it('the client times out when the manager does not respond', async () => {
    const time = useManualClock();
    const { baseUrl } = await serve(neverRespond);
    const error = await time.settle(expectManagerError(createWorkcellClient({ baseUrl, timeoutMs: 60 }).getNodes()));
    expect(error).toMatchObject({ kind: 'timeout', reason: 'timed out after 0.1 s' });
  });

  it('the client times out when a response never ends, after the deadline of that one call', async () => {
    const time = useManualClock();
    const { baseUrl, requests } = await serve((reply) => void reply.status(200).write('{'));
    const response = createWorkcellClient({ baseUrl }).pauseWorkflow({ workflow_id: 'w' }, { timeoutMs: 1000 });
    const error = await time.settle(expectManagerError(response), { withinMs: 1000 });
    expect(error.kind).toBe('timeout');
    expect(requests).toHaveLength(1);
  });

  it('the client aborts a request when the caller aborts it', async () => {
    const { baseUrl, requests } = await serve(neverRespond);
    const controller = new AbortController();
    const response = expectManagerError(createWorkcellClient({ baseUrl }).getNodes({}, { signal: controller.signal }));
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    controller.abort('gone');
    await expect(response).resolves.toMatchObject({ kind: 'aborted', cause: 'gone' });
  });

  it('the client sends no request when the signal is already aborted', async () => {
    const { baseUrl, requests } = await serve(json({}));
    const error = await expectManagerError(
      createWorkcellClient({ baseUrl }).getNodes({}, { signal: AbortSignal.abort() }),
    );
    expect(error.kind).toBe('aborted');
    expect(requests).toEqual([]);
  });

  it('the client removes its abort listener after the response', async () => {
    const { baseUrl } = await serve(json({}));
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await createWorkcellClient({ baseUrl }).getNodes({}, { signal });
    expect(added).toHaveBeenCalledOnce();
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe('a manager that limits its request rate', () => {
  it('the client retries after the time in the Retry-After header', async () => {
    const { baseUrl, requests } = await serve(rateLimitedResponse({ 'retry-after': '1' }), json({}));
    const time = useManualClock();
    const response = createWorkcellClient({ baseUrl }).getNodes();
    const startedAt = time.monotonic();
    await expect(time.settle(response)).resolves.toEqual({});
    expect(time.monotonic() - startedAt).toBeGreaterThanOrEqual(1000);
    expect(requests).toHaveLength(2);
  });

  it('the client retries after 1, 2 and 4 s when it cannot read the Retry-After header', async () => {
    const { baseUrl } = await serve(json({}));
    const statuses = [429, 429, 429, 200];
    const requestTimes: number[] = [];
    vi.useFakeTimers();
    try {
      const startedAt = Date.now();
      const rateLimitedFetch = (() => {
        requestTimes.push(Date.now() - startedAt);
        return Promise.resolve(new Response('{}', { status: statuses.shift() ?? 200 }));
      }) as typeof fetch;
      const response = createWorkcellClient({ baseUrl, fetch: rateLimitedFetch }).getNodes();
      await vi.advanceTimersByTimeAsync(8000);
      await expect(response).resolves.toEqual({});
    } finally {
      vi.useRealTimers();
    }
    expect(requestTimes).toEqual([0, 1000, 3000, 7000]);
  });

  it('the client fails at once when the retry time exceeds its maximum wait', async () => {
    const { baseUrl, requests } = await serve(rateLimitedResponse({ 'retry-after': '9' }));
    const error = await expectManagerError(createWorkcellClient({ baseUrl, maxRetryMs: 5000 }).getNodes());
    expect(error).toMatchObject({ kind: 'http', status: 429, retryAfterMs: 9000 });
    expect(error.reason).toMatch(/^Rate limit exceeded: 40 requests per 1 seconds/);
    expect(requests).toHaveLength(1);
  });

  it('the client stops waiting for a retry when the caller aborts', async () => {
    const { baseUrl, requests } = await serve(rateLimitedResponse({ 'retry-after': '30' }));
    const controller = new AbortController();
    const response = expectManagerError(createWorkcellClient({ baseUrl }).getNodes({}, { signal: controller.signal }));
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    setTimeout(() => controller.abort(), 30);
    await expect(response).resolves.toMatchObject({ kind: 'aborted' });
    expect(requests).toHaveLength(1);
  });

  it('the client retries a rate-limited search but never a rate-limited action', async () => {
    const actionServer = await serve(rateLimitedResponse({ 'retry-after': '0' }), json(workflow));
    const refused = await expectManagerError(
      createWorkcellClient({ baseUrl: actionServer.baseUrl }).retryWorkflow({ workflow_id: 'w' }),
    );
    expect(refused.status).toBe(429);
    expect(actionServer.requests).toHaveLength(1);
    const searchServer = await serve(rateLimitedResponse({ 'retry-after': '0' }), json([]));
    const resources = createClient(resourceApi, { baseUrl: searchServer.baseUrl });
    await expect(resources.queryResources({ body: {} })).resolves.toEqual([]);
    expect(searchServer.requests).toHaveLength(2);
  });
});
