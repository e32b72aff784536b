/**
 * Fails each test that leaves a timer, a server, a connection or a process behind, because the next test in the same worker
 * would meet it. If `beforeAll` starts something, whose timers change all the time, only the end of the file is measured.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';

/** Handles that keep the process alive; idle connections of a pool are not among them. */
const handleKinds = new Set(['TCPServerWrap', 'TCPSocketWrap', 'PipeWrap', 'ProcessWrap']);
/** Handles close some turns of the event loop after the call that closes them. */
const maxTurns = 5000;

const { setTimeout, setInterval, clearTimeout, clearInterval, setImmediate } = globalThis;
/** Pending timers of tests and of the code under test, with the place that started them. Vitest's own are not among them. */
const pendingTimers = trackTimers();

/** Replaces the global timers, once per worker. */
function trackTimers(): Map<unknown, string> {
  const key = Symbol.for('lab-manager.pending-timers');
  const worker = globalThis as { [key]?: Map<unknown, string> };
  if (worker[key]) return worker[key];
  const pending = new Map<unknown, string>();
  worker[key] = pending;
  const add = (timer: unknown) =>
    pending.set(timer, new Error('started').stack?.split('\n').slice(3, 6).join('\n') ?? '');
  const track = (start: (callback: () => void, ms?: number) => NodeJS.Timeout, isRepeated: boolean) =>
    Object.assign((callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const timer = start(() => {
        if (!isRepeated) pending.delete(timer);
        callback(...args);
      }, ms);
      add(timer);
      return timer;
    }, start);
  const untrack = (clear: (timer?: NodeJS.Timeout) => void) => (timer?: NodeJS.Timeout) => {
    pending.delete(timer);
    clear(timer);
  };
  Object.assign(globalThis, {
    setTimeout: track(setTimeout, false),
    setInterval: track(setInterval, true),
    clearTimeout: untrack(clearTimeout),
    clearInterval: untrack(clearInterval),
  });
  return pending;
}

interface Leftovers {
  readonly handles: ReadonlyMap<string, number>;
  readonly timers: ReadonlySet<unknown>;
}

function measure(): Leftovers {
  const handles = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    if (handleKinds.has(kind)) handles.set(kind, (handles.get(kind) ?? 0) + 1);
  return { handles, timers: new Set(pendingTimers.keys()) };
}

/** Whether nothing waits for the timer, as for that of `AbortSignal.timeout`, or a library started it by itself. */
function isForeign(timer: unknown, place: string): boolean {
  return !(timer as NodeJS.Timeout).hasRef() || /^[^\n]*node_modules/.test(place);
}

function addedSince(before: Leftovers): string[] {
  const handles = [...measure().handles].filter(([kind, count]) => count > (before.handles.get(kind) ?? 0));
  const timers = [...pendingTimers].filter(
    ([timer, place]) => !before.timers.has(timer) && !isForeign(timer, place),
  );
  return [...handles.map(([kind]) => kind), ...timers.map(([, place]) => `timer started${place}`)];
}

async function assertNothingAdded(before: Leftovers): Promise<void> {
  const hasFakeTimers = vi.isFakeTimers();
  if (hasFakeTimers) vi.useRealTimers();
  for (let turns = 0; turns < maxTurns && addedSince(before).length > 0; turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(addedSince(before), 'what the test left behind').toEqual([]);
  expect(hasFakeTimers, 'the test left fake timers installed').toBe(false);
}

let beforeFile = measure();
let beforeTest = measure();
beforeAll(() => {
  beforeFile = measure();
});
let hasSharedFixture = false;
beforeEach(() => {
  beforeTest = measure();
  hasSharedFixture = addedSince(beforeFile).length > 0;
});
afterEach(async () => {
  if (!hasSharedFixture) await assertNothingAdded(beforeTest);
});
afterAll(() => assertNothingAdded(beforeFile));
