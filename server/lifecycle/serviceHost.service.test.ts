/**
 * The service host against a model, with random sequences of concurrent requests: its report matches its state, at most
 * one service listens, and no earlier request takes effect later.
 */
import * as fc from 'fast-check';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useAdvancingClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { testBudget } from '../../api/fixtures/testBudget.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';
import { replaceFile } from '../fixtures/replaceFile.ts';
import type { ServiceMessage, ShellMessage } from './messages.ts';
import { ServiceHost } from './serviceHost.ts';
import type { ServiceStatus } from '../status.ts';

type Kind = 'serve' | 'attach' | 'follow' | 'follow-broken' | 'demo';
type Mode = Extract<ShellMessage, { type: 'start' }>['mode'];

/** The expected state after all requests are done. */
interface Model {
  kind: Kind | null;
  settings: 'valid' | 'invalid';
  isOccupied: boolean;
  /** Whether the host listens on the port. */
  isListening: boolean;
}

/** The number of random sequences; under Wine each takes several times as long. */
const sequences = testBudget(20, process.platform === 'win32' ? 50 : 200);
const settleMs = 6000;
const stepMs = 20;
const context = labEndpoints[0].example;
const closers: (() => void)[] = [];
let service: TestService;
let followedUrl = '';
let brokenUrl = '';
let time: ManualClock;

function serve(body: unknown): Promise<string> {
  const server = http.createServer((_request, response) => response.end(JSON.stringify(body)));
  closers.push(() => server.close().closeAllConnections());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  });
}

beforeEach(async () => {
  time = useAdvancingClock();
  service = await startService();
  followedUrl = await serve(context);
  brokenUrl = await serve({ event_server_url: 7 });
});
afterEach(async () => {
  await service.stop();
  for (const close of closers) close();
});

/** A host from the shell's point of view. */
class Real {
  readonly host: ServiceHost;
  readonly port: number;
  readonly folder: string;
  ended = false;
  #run = 0;
  #status: ServiceStatus | null = null;
  #portOwner: net.Server | null = null;

  constructor(port: number, folder: string) {
    this.port = port;
    this.folder = folder;
    this.host = new ServiceHost(
      (message) => this.#receive(message),
      () => (this.ended = true),
    );
  }

  get status(): ServiceStatus | null {
    return this.#status;
  }

  start(kind: Kind): void {
    this.#run += 1;
    this.#status = null;
    const modes: Readonly<Record<Kind, Mode>> = {
      serve: { kind: 'serve' },
      attach: { kind: 'attach', url: service.url },
      follow: { kind: 'follow', url: followedUrl },
      'follow-broken': { kind: 'follow', url: brokenUrl },
      demo: { kind: 'demo', addresses: context as never, besidesLab: true },
    };
    const inputs = {
      argv: [`--lab-listen-port=${this.port}`, '--lab-listen-host=127.0.0.1', '--lab-watch-interval=3600'],
      env: {},
      cwd: null,
      homeDir: this.folder,
      userConfigDir: this.folder,
      commandLine: 'desktop' as const,
    };
    void this.host.handle({ type: 'start', run: this.#run, inputs, logDir: this.folder, mode: modes[kind] });
  }

  async edit(settings: Model['settings']): Promise<void> {
    const text = settings === 'valid' ? '' : 'lab_log_level: LOUD\n';
    await replaceFile(join(this.folder, 'lab.settings.yaml'), text);
  }

  async occupy(): Promise<void> {
    const server = net.createServer((socket) => socket.destroy());
    this.#portOwner = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  async free(): Promise<void> {
    const server = this.#portOwner;
    this.#portOwner = null;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async close(): Promise<void> {
    await this.host.stop();
    await this.free();
    await rm(this.folder, { recursive: true, force: true });
  }

  #receive(message: ServiceMessage): void {
    if (message.type === 'status' && message.run === this.#run) this.#status = message.status;
  }
}

function expectedPhase({ kind, settings, isOccupied, isListening }: Model): ServiceStatus['phase'] | null {
  switch (kind) {
    case null:
      return null;
    case 'attach':
      return 'attached';
    case 'follow-broken':
      return settings === 'invalid' ? 'settings-error' : 'failed';
    case 'follow':
      return settings === 'invalid' && !isListening ? 'settings-error' : 'running';
    case 'demo':
      return 'running';
    case 'serve':
      if (isListening) return 'running';
      return settings === 'invalid' ? 'settings-error' : isOccupied ? 'port-taken' : 'running';
  }
}

/** Sets the model to the given kind. */
function begin(model: Model, kind: Kind): void {
  model.kind = kind;
  model.isListening = false;
  model.isListening = expectedPhase(model) === 'running';
}

async function isResponding(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(10_000) }).then(
    (response) => response.ok,
    () => false,
  );
}

/** Waits until the host's report matches the model, and verifies it. */
async function settle(model: Model, real: Real): Promise<void> {
  const phase = expectedPhase(model);
  if (phase === null) return;
  await time.waitFor(() => expect(real.status?.phase).toBe(phase), { withinMs: settleMs, stepMs });
  model.isListening = phase === 'running';
  const isServed = model.kind === 'serve' && phase === 'running';
  expect(await isResponding(real.port)).toBe(isServed);
  const { status } = real;
  if (status?.phase === 'running') {
    expect(await isResponding(status.port)).toBe(true);
    expect(status.demo).toBe(model.kind === 'demo');
    expect(status.followedUrl).toBe(model.kind === 'follow' ? followedUrl : null);
    if (model.kind === 'serve') expect(status.port).toBe(real.port);
  }
}

type Step = fc.AsyncCommand<Model, Real>;

/** Several starts in immediate succession: the last one counts. */
class Starts implements Step {
  readonly #kinds: readonly Kind[];
  constructor(kinds: readonly Kind[]) {
    this.#kinds = kinds;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    for (const kind of this.#kinds) real.start(kind);
    begin(model, this.#kinds.at(-1) ?? 'serve');
    await settle(model, real);
  }
  toString = (): string => `start ${this.#kinds.join(', ')}`;
}

class Restarts implements Step {
  readonly #times: number;
  constructor(times: number) {
    this.#times = times;
  }
  check = ({ kind }: Readonly<Model>): boolean => kind !== null;
  async run(model: Model, real: Real): Promise<void> {
    await Promise.all(Array.from({ length: this.#times }, () => real.host.handle({ type: 'restart' })));
    if (model.kind !== null && model.kind !== 'attach') begin(model, model.kind);
    await settle(model, real);
  }
  toString = (): string => `restart ${this.#times} times`;
}

class Edit implements Step {
  readonly #settings: Model['settings'];
  constructor(settings: Model['settings']) {
    this.#settings = settings;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    const isNew = model.settings !== this.#settings;
    await real.edit(this.#settings);
    model.settings = this.#settings;
    await settle(model, real);
    // A running service keeps its previous settings and reports the problem.
    const { status } = real;
    if (!isNew || status?.phase !== 'running' || model.kind === 'demo') return;
    const problems = (): number => (real.status?.phase === 'running' ? real.status.problems.length : -1);
    const expected = this.#settings === 'invalid' ? 1 : 0;
    await time.waitFor(() => expect(problems()).toBe(expected), { withinMs: settleMs, stepMs });
  }
  toString = (): string => `edit: ${this.#settings}`;
}

class Occupy implements Step {
  check = ({ isOccupied, kind, isListening }: Readonly<Model>): boolean =>
    !isOccupied && !(kind === 'serve' && isListening);
  async run(model: Model, real: Real): Promise<void> {
    await real.occupy();
    model.isOccupied = true;
    await settle(model, real);
  }
  toString = (): string => 'another program takes the port';
}

class Free implements Step {
  check = ({ isOccupied }: Readonly<Model>): boolean => isOccupied;
  async run(model: Model, real: Real): Promise<void> {
    await real.free();
    model.isOccupied = false;
    await settle(model, real);
  }
  toString = (): string => 'the port is free again';
}

it(
  'the service host reports its actual state after any sequence of starts, restarts, edits and taken ports',
  { timeout: 180_000 },
  async () => {
    const kind = fc.constantFrom<Kind[]>('serve', 'serve', 'attach', 'follow', 'follow-broken', 'demo');
    const steps = fc.commands<Model, Real, false>(
      [
        fc.array(kind, { minLength: 1, maxLength: 4 }).map((kinds) => new Starts(kinds)),
        fc.integer({ min: 1, max: 3 }).map((times) => new Restarts(times)),
        fc.constantFrom<Model['settings'][]>('valid', 'invalid').map((settings) => new Edit(settings)),
        fc.constant(new Occupy()),
        fc.constant(new Free()),
      ] as fc.Arbitrary<Step>[],
      { maxCommands: 6 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const real = new Real(await pickFreePort(), await mkdtemp(join(tmpdir(), 'host-')));
        try {
          const model = (): Model => ({ kind: null, settings: 'valid', isOccupied: false, isListening: false });
          await fc.asyncModelRun(() => ({ model: model(), real }), sequence);
          await real.host.handle({ type: 'quit' });
          expect(real.ended).toBe(true);
          expect(await isResponding(real.port)).toBe(false);
        } finally {
          await real.close();
        }
      }),
      { numRuns: sequences, endOnFailure: true },
    );
  },
);
