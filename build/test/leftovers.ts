/**
 * Fails each test that leaves a timer, a server, a connection or a process behind, because the next test in the same worker
 * would meet it. What `beforeAll` and the programs that it starts leave behind is measured at the end of the file.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ChildProcess } from 'node:child_process';
import net from 'node:net';
import { afterAll, aroundEach, beforeAll, beforeEach, expect, vi } from 'vitest';

/** Handles close some turns of the event loop after the call that closes them. */
const maxTurns = 5000;

/** Places that start timers that no caller can stop, and that keep no process alive. */
const unstoppableTimers: readonly RegExp[] = [
  // The clock of Node's `fetch`, one per process, which runs on for a second after the last request.
  /^.*node:internal\/deps\/undici\//,
  // The repeated announcement of a service, which does nothing once the service is withdrawn.
  /^.*\/bonjour-service\/dist\/lib\/registry\.js/,
  // The connections that all clients of gRPC in a process share: their cleanup, and the pause after a failed one.
  /^.*\/grpc-js\/build\/src\/subchannel-pool\.js/,
  /\bSubchannel\.startBackoff /,
];

/** Identifies a test; `undefined` outside of tests: programs that `beforeAll` started run on while tests run. */
type TestToken = object | undefined;
interface PendingTimer {
  readonly test: TestToken;
  /** Created at the start; the stack is formatted only for timers that are left behind, which is expensive. */
  readonly started: Error;
}
interface WorkerState {
  readonly test: AsyncLocalStorage<TestToken>;
  /** Of tests and of the code under test; Vitest's own are not among them. */
  readonly timers: Map<unknown, PendingTimer>;
  /** The tests that opened connections. */
  readonly connections: WeakMap<object, TestToken>;
}

const { setTimeout, setInterval, clearTimeout, clearInterval, setImmediate } = globalThis;
const worker = trackWorker();

/** Replaces the global timers and the start of connections, once per worker. */
function trackWorker(): WorkerState {
  const key = Symbol.for('lab-manager.leftovers');
  const holder = globalThis as { [key]?: WorkerState };
  if (holder[key]) return holder[key];
  const test = new AsyncLocalStorage<TestToken>();
  const timers = new Map<unknown, PendingTimer>();
  const connections = new WeakMap<object, TestToken>();
  holder[key] = { test, timers, connections };

  const add = (timer: unknown) => {
    timers.set(timer, { test: test.getStore(), started: new Error('started') });
  };
  const track = (start: (callback: () => void, ms?: number) => NodeJS.Timeout, isRepeated: boolean) =>
    Object.assign((callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const timer = start(() => {
        if (!isRepeated) timers.delete(timer);
        callback(...args);
      }, ms);
      add(timer);
      return timer;
    }, start);
  const untrack = (clear: (timer?: NodeJS.Timeout) => void) => (timer?: NodeJS.Timeout) => {
    timers.delete(timer);
    clear(timer);
  };
  Object.assign(globalThis, {
    setTimeout: track(setTimeout, false),
    setInterval: track(setInterval, true),
    clearTimeout: untrack(clearTimeout),
    clearInterval: untrack(clearInterval),
  });

  const connect = Reflect.get(net.Socket.prototype, 'connect') as (...args: unknown[]) => net.Socket;
  Object.assign(net.Socket.prototype, {
    connect(this: net.Socket, ...args: unknown[]): net.Socket {
      connections.set(this, test.getStore());
      return connect.apply(this, args);
    },
  });
  return holder[key];
}

/** The handles that keep the process alive; idle connections of a pool are not among them. */
function openHandles(): readonly object[] {
  const { _getActiveHandles: getActiveHandles } = process as unknown as { _getActiveHandles(): readonly object[] };
  return getActiveHandles().filter(
    (handle) => handle instanceof net.Server || handle instanceof net.Socket || handle instanceof ChildProcess,
  );
}

function describeHandle(handle: object): string {
  if (handle instanceof ChildProcess) return `process ${handle.spawnargs.join(' ')}`;
  if (handle instanceof net.Server) return `server on ${JSON.stringify(handle.address())}`;
  const { remoteAddress = '', remotePort = '' } = handle as net.Socket;
  return `connection to ${remoteAddress}:${remotePort}`;
}

/** The place where a timer was started. */
function placeOf({ started }: PendingTimer): string {
  return (started.stack?.split('\n').slice(3, 6) ?? []).join('\n');
}

interface Existing {
  readonly handles: ReadonlySet<object>;
  readonly timers: ReadonlySet<unknown>;
}

function measure(): Existing {
  return { handles: new Set(openHandles()), timers: new Set(worker.timers.keys()) };
}

/** @param test only what this test started; `null`: all */
function addedSince(before: Existing, test: TestToken | null): string[] {
  /** A server that is older than the test may keep a connection that the test's client has released to its pool. */
  const isOfTest = (handle: object) => {
    if (test === null) return true;
    if (worker.connections.has(handle)) return worker.connections.get(handle) === test;
    const { server } = handle as { readonly server?: object };
    return server === undefined || !before.handles.has(server);
  };
  const handles = openHandles().filter((handle) => !before.handles.has(handle) && isOfTest(handle));
  const places = [...worker.timers]
    .filter(([timer, pending]) => !before.timers.has(timer) && (test === null || pending.test === test))
    .map(([, pending]) => placeOf(pending))
    .filter((place) => !unstoppableTimers.some((pattern) => pattern.test(place)));
  return [...handles.map(describeHandle), ...places.map((place) => `timer started${place}`)];
}

async function assertNothingAdded(before: Existing, test: TestToken | null): Promise<void> {
  const hasFakeTimers = vi.isFakeTimers();
  if (hasFakeTimers) vi.useRealTimers();
  for (let turns = 0; turns < maxTurns && addedSince(before, test).length > 0; turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(addedSince(before, test), 'what the test left behind').toEqual([]);
  expect(hasFakeTimers, 'the test left fake timers installed').toBe(false);
}

// Node creates the handles of its output streams when they are first used.
void [process.stdout, process.stderr];

let beforeFile = measure();
beforeAll(() => {
  beforeFile = measure();
});
aroundEach((runTest) => worker.test.run({}, runTest));
beforeEach(({ onTestFinished }) => {
  const before = measure();
  const test = worker.test.getStore();
  // The first of these callbacks runs last, after those with which the test closes what it has opened.
  onTestFinished(() => assertNothingAdded(before, test));
});
afterAll(() => assertNothingAdded(beforeFile, null));
