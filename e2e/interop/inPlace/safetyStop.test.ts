/**
 * The safety stop of our service in a real lab, with nodes that fail in every way and log each command: when their first
 * commands arrive, and that no action begins afterwards, while the workcell manager is healthy, slow, hung and dead.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#api/client/client.ts';
import { stopResponse } from '#api/lab/safetyStopApi.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import nodeInfo from '#api/samples/node_info.json' with { type: 'json' };
import nodeStatus from '#api/samples/node_status.json' with { type: 'json' };
import { commandEffects } from '#server/fixtures/stopLab.ts';
import { testToken, writeAccounts } from '#server/fixtures/testUsers.ts';
import { makeService, type TestService } from '../../support/service.ts';
import { pickFreePort } from '../../support/managers.ts';
import { hangMs, pollUntil } from '../../support/pollUntil.ts';
import { sendRequest } from '../../support/rawRequest.ts';
import { startRealLab, type RealLab } from '../realLab.ts';

type Kind = 'stopper' | 'plain' | 'refuser' | 'slow' | 'failing' | 'hanging' | 'sila';
const kinds: readonly Kind[] = ['stopper', 'plain', 'refuser', 'slow', 'failing', 'hanging', 'sila'];
/** The nodes that execute actions. */
const workers = kinds.filter((kind) => kind !== 'hanging' && kind !== 'sila');

interface Logged {
  readonly at: number;
  readonly node: string;
  /** A command, or `action`. */
  readonly what: string;
}
const log: Logged[] = [];
const record = (node: string, what: string): void => void log.push({ at: performance.now(), node, what });

const servers: http.Server[] = [];
async function listen(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const sendJson = (response: http.ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A node that speaks MADSci's node API, with one action `run` of half a second. */
class Node {
  readonly #kind: Kind;
  readonly #flags = new Set<string>();
  readonly #actions = new Map<string, string>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  answer({ method, url = '' }: http.IncomingMessage, response: http.ServerResponse): void {
    const [first = '', second = '', third = '', fourth = ''] = url.slice(1).split('/');
    if (method === 'POST' && first === 'admin') record(this.#kind, second);
    if (this.#kind === 'hanging') return;
    if (first === 'admin') return void this.#command(second, response);
    if (first === 'info') return sendJson(response, this.#info());
    if (first === 'status') return sendJson(response, this.#status());
    if (first !== 'action') return sendJson(response, {});
    if (third === '') return sendJson(response, { action_id: this.#create() });
    const id = fourth === '' ? second : third;
    if (fourth === 'start') this.#start(id);
    const status = this.#actions.get(id) ?? 'unknown';
    sendJson(response, url.endsWith('/status') ? status : { action_id: id, status, errors: [], json_result: null });
  }

  #create(): string {
    const id = `01JDMACT${String(log.length + this.#actions.size).padStart(18, '0')}`;
    this.#actions.set(id, 'not_started');
    return id;
  }

  #start(id: string): void {
    const isReady = this.#status().ready;
    this.#actions.set(id, isReady ? 'running' : 'not_ready');
    if (!isReady) return;
    record(this.#kind, 'action');
    this.#flags.add('busy');
    setTimeout(() => {
      this.#flags.delete('busy');
      this.#actions.set(id, 'succeeded');
    }, 500);
  }

  async #command(command: string, response: http.ServerResponse): Promise<void> {
    const isStop = command === 'safety_stop';
    if (isStop && this.#kind === 'refuser') return void response.writeHead(500).end('Internal Server Error');
    if (isStop && this.#kind === 'plain')
      return sendJson(response, { success: false, errors: [{ error_type: 'AdminCommandNotImplemented' }] });
    if (isStop && this.#kind === 'failing')
      return sendJson(response, { success: false, errors: [{ message: 'the door is open' }] });
    if (isStop && this.#kind === 'slow') await sleep(8000);
    const [flag = '', isSet] = commandEffects[command] ?? [];
    if (isSet === true) this.#flags.add(flag);
    else this.#flags.delete(flag);
    sendJson(response, { success: true, errors: [] });
  }

  #info(): object {
    const commands = ['lock', 'unlock', 'reset', 'pause', 'resume', ...(this.#kind === 'plain' ? [] : ['safety_stop'])];
    const run = { name: 'run', description: '', args: {}, locations: {}, files: {}, results: {}, blocking: false };
    const capabilities = { ...nodeInfo.capabilities, admin_commands: commands };
    return { ...nodeInfo, node_name: this.#kind, capabilities, actions: { run }, intrinsic_locations: [] };
  }

  #status() {
    const has = (flag: string): boolean => this.#flags.has(flag);
    const flags = { busy: has('busy'), paused: has('paused'), locked: has('locked'), stopped: has('stopped') };
    return { ...nodeStatus.ready, ...flags, errored: false, disconnected: false, ready: this.#flags.size === 0 };
  }
}

const managerStates = ['healthy', 'slow', 'hung', 'dead'] as const;
let managerState: (typeof managerStates)[number] = 'healthy';
/** Forwards to the real workcell manager, as its state allows; logs commands to the node without an HTTP address. */
async function forward(target: string, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { method, url = '', headers } = request;
  if (managerState === 'dead') return void request.socket.destroy();
  if (method === 'POST' && url.endsWith('/sila')) record('sila', 'safety_stop');
  if (managerState === 'hung') return;
  if (managerState === 'slow') await sleep(800);
  const outgoing = http.request(new URL(url, target), { method, headers: { ...headers, connection: 'close' } });
  outgoing.on('response', (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers);
    incoming.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
}

let lab: RealLab;
let proxy: string;
beforeAll(async () => {
  const python = process.env['LAB_MANAGER_MADSCI_PYTHON'];
  if (python === undefined) throw new Error('There is no Python with MADSci: run it with npm run test:interop');
  lab = await startRealLab(python, { nodes: [] });
  const workcell = createClient(workcellApi, { baseUrl: lab.managers.workcell });
  for (const kind of kinds) {
    const node = new Node(kind);
    const node_url =
      kind === 'sila' ? 'sila://127.0.0.1:50052/' : await listen((...exchange) => node.answer(...exchange));
    await workcell.addNode({ node_name: kind, node_url });
  }
  proxy = await listen((...exchange) => void forward(lab.managers.workcell, ...exchange));
  const isReady = (nodes: Awaited<ReturnType<typeof workcell.getNodes>>) =>
    workers.every((kind) => nodes[kind]?.status?.ready === true && nodes[kind].info !== null);
  await pollUntil(() => workcell.getNodes(), isReady, 120_000);
});
afterAll(async () => {
  await lab.stop();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Queues short workflows at every node that executes actions. */
async function queueWorkflows(count: number): Promise<void> {
  const workcell = createClient(workcellApi, { baseUrl: lab.managers.workcell, timeoutMs: hangMs });
  for (const node of workers) {
    const body = { name: `Work on ${node}`, steps: [{ name: 'run', node, action: 'run' }] };
    const workflow_definition_id = await workcell.addWorkflowDefinition({ body });
    for (let index = 0; index < count; index += 1) await workcell.startWorkflow({ body: { workflow_definition_id } });
  }
}

const pressesPerState = 8;
/** How long no action may begin, in ms: the scheduler of the workcell starts one every half second. */
const watchMs = 3000;
const hasStopped = (result: string | undefined): boolean => result === 'confirmed' || result === 'held';
const delays: { readonly what: string; readonly ms: number }[] = [];

/** The states in which each origin is tested: beyond the service, both are the same. */
const cases = [
  { origin: 'this machine', states: managerStates },
  { origin: 'a proxy', states: ['healthy'] as const },
];

describe.each(cases)('a press from $origin', ({ origin, states }) => {
  let service: TestService;
  let port = 0;
  const headers =
    origin === 'this machine'
      ? {}
      : { 'x-forwarded-for': '10.0.0.9', 'x-forwarded-proto': 'https', authorization: 'Bearer lmt_robot' };
  const post = async (path: string) => {
    const host = origin === 'this machine' ? `localhost:${port}` : 'lab.example';
    const { status, body } = await sendRequest(port, path, { method: 'POST', headers: { ...headers, host } });
    expect([status, body]).toEqual([200, expect.any(String)]);
  };
  const readStop = async () => stopResponse.parse(JSON.parse((await sendRequest(port, '/safety_stop')).body));

  beforeAll(async () => {
    port = await pickFreePort();
    managerState = 'healthy';
    const env = {
      LAB_LISTEN_PORT: String(port),
      LAB_REMOTE_ACCESS: 'operate',
      LAB_SERVER_URL: 'https://lab.example/',
      LAB_TRUSTED_PROXY: origin === 'this machine' ? '[]' : '["127.0.0.1"]',
      WORKCELL_SERVER_URL: proxy,
    };
    service = await makeService({ env });
    await writeAccounts(service.statePath('users.json', port), { tokens: [testToken('bot', 'operator', 'lmt_robot')] });
    await service.manager.start();
    await pollUntil(readStop, ({ known_nodes: count }) => count === kinds.length);
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    managerState = 'healthy';
    const releasedAt = performance.now();
    await post('/safety_stop/release');
    await pollUntil(readStop, ({ stop }) => stop?.releasing !== true && stop?.sending !== true, 90_000);
    // The stop had held queued workflows back.
    await pollUntil(
      async () => log,
      (entries) => entries.some(({ what, at }) => what === 'action' && at > releasedAt),
    );
  });

  it.each(states)(
    'reaches every node, and no action begins afterwards, while the workcell manager is %s',
    async (state) => {
      managerState = 'healthy';
      await queueWorkflows(4);
      const before = log.length;
      await pollUntil(
        async () => log.slice(before),
        (entries) => entries.some(({ what }) => what === 'action'),
      );
      managerState = state;
      const reached = kinds.filter((kind) => kind !== 'sila' || state === 'healthy' || state === 'slow');
      for (let press = 0; press < pressesPerState; press += 1) {
        const pressedAt = performance.now();
        await post('/safety_stop');
        const findFirst = (node: Kind) => {
          // Requests of the press before can still arrive; a node without a safety stop is locked instead.
          const command = node === 'plain' ? 'lock' : 'safety_stop';
          return log.find((entry) => entry.node === node && entry.at >= pressedAt && entry.what === command);
        };
        await pollUntil(
          async () => reached.filter((node) => findFirst(node) === undefined),
          (missing) => missing.length === 0,
        );
        for (const node of reached)
          delays.push({ what: `${node}: ${state}, press ${press}`, ms: (findFirst(node)?.at ?? Infinity) - pressedAt });
        // A press shortly after another one joins it.
        await sleep(1100);
      }
      await pollUntil(readStop, ({ stop }) =>
        workers.every((name) => hasStopped(stop?.nodes.find((node) => node.name === name)?.result)),
      );
      const stoppedAt = performance.now();
      await sleep(watchMs);
      expect(log.filter(({ what, at }) => what === 'action' && at > stoppedAt)).toEqual([]);
    },
    180_000,
  );
});

afterAll(() => {
  // Limits are in `npm run bench -- stop`, because the times depend on what else the machine does.
  const sorted = delays.toSorted((a, b) => a.ms - b.ms);
  const [median, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  process.stdout.write(`${delays.length} first commands: ${JSON.stringify({ median, worst })}\n`);
});
