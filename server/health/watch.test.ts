import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LabContext } from '../../api/lab/lab.ts';
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import type { probe, ProbeOutcome } from './probe.ts';
import { changeSettings, createTestModel } from '../fixtures/testModel.ts';
import type { LabModel } from '../lab/labModel.ts';
import { Watch } from './watch.ts';
import { wakeGraceMs } from './watchedManager.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 15, 12, 0, 0) });
});
afterEach(() => {
  vi.useRealTimers();
});

type Behaviour = 'healthy' | 'refuses' | 'hangs' | 'unhealthy' | 'busy';

const context = Object.fromEntries([
  ['lab_server_url', 'http://localhost:8000/'],
  ...managerKeys.map((key) => [`${key}_server_url`, `http://${key}/`]),
]) as LabContext;

/** A watch over six managers without a network: each check takes 10 ms. */
class SimulatedLab {
  readonly behaviours = new Map<string, Behaviour>();
  /** The times of each manager's checks, in ms. */
  readonly requests = new Map<string, number[]>(managerKeys.map((key) => [key, []]));
  /** The number of pending checks. */
  pendingChecks = 0;
  readonly model: LabModel;
  readonly watch: Watch;

  readonly #changes: { readonly manager: ManagerKey; readonly state: string }[] = [];

  constructor(settings: Partial<LabContext> = {}) {
    const runProbe: typeof probe = (url, { signal } = {}) => {
      const key = new URL(url).hostname;
      this.requests.get(key)?.push(performance.now());
      const behaviour = this.behaviours.get(key) ?? 'healthy';
      this.pendingChecks += 1;
      return new Promise<ProbeOutcome>((resolve) => {
        const timer = setTimeout(() => resolve(outcomes[behaviour]), behaviour === 'hangs' ? 5000 : 10);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve({ kind: 'aborted' });
        });
      }).finally(() => (this.pendingChecks -= 1));
    };
    this.model = createTestModel({ context: { ...context, ...settings }, labName: 'Bench 4' });
    this.watch = new Watch(this.model, { probe: runProbe });
    this.model.status.subscribe(({ managers }) => {
      for (const { manager, state } of managers)
        if (state !== 'unknown' && this.changes(manager).at(-1) !== state) this.#changes.push({ manager, state });
    });
  }

  setBehaviour(behaviour: Behaviour, ...keys: ManagerKey[]): void {
    for (const key of keys) this.behaviours.set(key, behaviour);
  }

  state(key: ManagerKey): string | undefined {
    return this.model.currentStatus().managers.find(({ manager }) => manager === key)?.state;
  }

  /** The states of a manager in order, without `unknown`. */
  changes(key: ManagerKey): string[] {
    return this.#changes.filter(({ manager }) => manager === key).map(({ state }) => state);
  }

  count(key: ManagerKey): number {
    return this.requests.get(key)?.length ?? 0;
  }
}

const outcomes: Record<Behaviour, ProbeOutcome> = {
  healthy: { kind: 'answered', latencyMs: 10, body: { healthy: true, description: 'fine', version: '0.8.1' } },
  unhealthy: { kind: 'answered', latencyMs: 10, body: { healthy: false, description: 'no database' } },
  refuses: { kind: 'failed', latencyMs: 1, reason: 'Failed to connect: connection refused (x:1)', reached: false },
  hangs: { kind: 'failed', latencyMs: 5000, reason: 'timed out after 5 s', reached: false },
  busy: { kind: 'busy', latencyMs: 1 },
};

const advanceTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** The machine sleeps for `ms`: the wall clock advances, the timers do not. */
function sleepFor(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

describe('the health watch', () => {
  it('reports `starting` until every manager has been checked', async () => {
    const lab = new SimulatedLab();
    lab.setBehaviour('hangs', 'location');
    lab.watch.start();
    expect(lab.model.currentStatus()).toMatchObject({ state: 'starting', lab_name: 'Bench 4', interval_seconds: 5 });
    await advanceTime(20);
    // Each result is published as it arrives: the hanging manager delays no other.
    expect(lab.model.currentStatus()).toMatchObject({ state: 'starting', healthy_managers: 5 });
    expect(lab.state('location')).toBe('unknown');
    await advanceTime(5000);
    expect(lab.model.currentStatus()).toMatchObject({ state: 'degraded', description: '5/6 managers are healthy' });
    lab.watch.stop();
  });

  it('checks each manager, including a hanging one, once per interval and never twice at once', async () => {
    const lab = new SimulatedLab();
    lab.setBehaviour('hangs', 'data');
    lab.watch.start();
    await advanceTime(60_020);
    expect(lab.count('event')).toBe(13);
    expect(lab.count('data')).toBeGreaterThanOrEqual(11);
    expect(lab.count('data')).toBeLessThanOrEqual(13);
    expect(lab.pendingChecks).toBeLessThanOrEqual(1);
    lab.watch.stop();
    await advanceTime(60_000);
    expect(lab.count('event')).toBe(13);
    expect(lab.pendingChecks).toBe(0);
  });

  it('records within an interval that a manager fails and recovers, and since when', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(20);
    lab.setBehaviour('refuses', 'resource');
    await advanceTime(5000);
    expect(lab.state('resource')).toBe('unreachable');
    expect(lab.model.currentStatus().managers[2]).toMatchObject({
      reason: 'Failed to connect: connection refused (x:1)',
      since: '2026-01-15T12:00:05.010Z',
      last_healthy: '2026-01-15T12:00:00.010Z',
      version: '0.8.1',
      latency_ms: null,
    });
    lab.setBehaviour('healthy', 'resource');
    await advanceTime(5000);
    expect(lab.changes('resource')).toEqual(['healthy', 'unreachable', 'healthy']);
    lab.watch.stop();
  });

  it('notifies listeners of each result until they unsubscribe', async () => {
    const lab = new SimulatedLab();
    let calls = 0;
    const stop = lab.model.status.subscribe(() => (calls += 1));
    lab.watch.start();
    await advanceTime(20);
    expect(calls).toBeGreaterThanOrEqual(6);
    stop();
    const before = calls;
    await advanceTime(10_000);
    expect(calls).toBe(before);
    lab.watch.stop();
  });

  it('checks at once on demand, and a second start has no effect', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    lab.watch.start();
    await advanceTime(2000);
    expect(lab.count('event')).toBe(1);
    lab.watch.checkNow();
    await advanceTime(20);
    expect(lab.count('event')).toBe(2);
    await advanceTime(4000);
    expect(lab.count('event')).toBe(2);
    lab.watch.stop();
  });

  it('excludes disabled managers, and is not healthy without managers', async () => {
    const lab = new SimulatedLab({ data_server_url: null });
    lab.watch.start();
    await advanceTime(20);
    expect(lab.model.currentStatus()).toMatchObject({ total_managers: 5, state: 'healthy' });
    const noAddresses = Object.fromEntries(managerKeys.map((key) => [`${key}_server_url`, null]));
    changeSettings(lab.model, { context: { ...context, ...noAddresses }, labName: null });
    expect(lab.model.currentStatus()).toMatchObject({
      total_managers: 0,
      state: 'down',
      description: 'No managers are configured',
    });
    lab.watch.stop();
  });

  it('keeps the history of unchanged managers when the settings change', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(20);
    lab.requests.set('elsewhere', []);
    changeSettings(lab.model, {
      context: { ...context, data_server_url: 'http://elsewhere/' },
      labName: 'Renamed',
      watchInterval: 10,
    });
    expect(lab.state('data')).toBe('unknown');
    expect(lab.state('event')).toBe('healthy');
    await advanceTime(20);
    expect(lab.model.currentStatus().managers.map(({ manager }) => manager)).toEqual([...managerKeys]);
    expect(lab.requests.get('elsewhere')).toHaveLength(1);
    const before = lab.count('event');
    await advanceTime(30_000);
    expect(lab.count('event') - before).toBe(3);
    expect(lab.count('data')).toBe(1);
    lab.watch.stop();
  });

  it('reports a manager that has not been checked for a while as unknown', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(20);
    lab.watch.stop();
    expect(lab.state('event')).toBe('healthy');
    await advanceTime(22_000);
    expect(lab.model.currentStatus().managers[0]).toMatchObject({
      state: 'unknown',
      reason: 'not checked for a while',
    });
  });
});

describe('/lab_health of the watch', () => {
  const newSignal = () => new AbortController().signal;

  it('checks all managers again in the order of /context and counts them', async () => {
    const lab = new SimulatedLab();
    lab.setBehaviour('refuses', 'event', 'data');
    const response = lab.watch.labHealth(newSignal(), '1.0.0');
    await advanceTime(20);
    const body = await response;
    expect(body).toMatchObject({ healthy: true, description: '4/6 managers are healthy', version: '1.0.0' });
    expect(body).toMatchObject({ total_managers: 6, healthy_managers: 4 });
    expect(Object.keys(body?.managers ?? {})).toEqual(managerKeys.map((key) => `${key}_manager`));
  });

  it('ends within five seconds with any number of hanging managers', async () => {
    const lab = new SimulatedLab();
    lab.setBehaviour('hangs', ...managerKeys);
    const response = lab.watch.labHealth(newSignal(), '1.0.0');
    await advanceTime(5000);
    expect(await response).toMatchObject({ healthy: false, healthy_managers: 0 });
  });

  it('causes at most 75 checks of each manager for 1000 requests per minute', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    const requests: Promise<unknown>[] = [];
    for (let i = 0; i < 1000; i += 1) {
      requests.push(lab.watch.labHealth(newSignal(), '1.0.0'));
      await advanceTime(60);
    }
    await advanceTime(1100);
    expect((await Promise.all(requests)).every((response) => response !== null)).toBe(true);
    const inFirstMinute = lab.requests.get('event')!.filter((at) => at - lab.requests.get('event')![0]! < 60_000);
    expect(inFirstMinute.length).toBeLessThanOrEqual(75);
    expect(inFirstMinute.length).toBeGreaterThan(55);
    lab.watch.stop();
  });

  it('reports all six managers although a sleep interrupted the checks', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(20);
    const response = lab.watch.labHealth(newSignal(), '1.0.0');
    await advanceTime(5);
    lab.watch.suspend();
    lab.watch.resume();
    await advanceTime(20);
    expect(await response).toMatchObject({ description: '6/6 managers are healthy' });
    lab.watch.stop();
  });

  it('uses new addresses and skips disabled managers if the settings change during the check', async () => {
    const lab = new SimulatedLab();
    lab.setBehaviour('hangs', 'event', 'data');
    const response = lab.watch.labHealth(newSignal(), '1.0.0');
    await advanceTime(20);
    lab.requests.set('elsewhere', []);
    const changed = { ...context, event_server_url: 'http://elsewhere/', data_server_url: null };
    changeSettings(lab.model, { context: changed });
    await advanceTime(20);
    expect(await response).toMatchObject({ description: '5/5 managers are healthy' });
  });

  it('returns null after the watch is stopped', async () => {
    const lab = new SimulatedLab();
    lab.setBehaviour('hangs', ...managerKeys);
    lab.watch.start();
    const response = lab.watch.labHealth(newSignal(), '1.0.0');
    await advanceTime(100);
    lab.watch.stop();
    expect(await response).toBeNull();
    expect(lab.pendingChecks).toBe(0);
  });

  it('closes its connections when its client disconnects while the watch is not running', async () => {
    const lab = new SimulatedLab();
    lab.setBehaviour('hangs', ...managerKeys);
    const client = new AbortController();
    const response = lab.watch.labHealth(client.signal, '1.0.0');
    await advanceTime(100);
    expect(lab.pendingChecks).toBe(6);
    client.abort();
    expect(await response).toBeNull();
    await advanceTime(0);
    expect(lab.pendingChecks).toBe(0);
  });

  it('postpones the next check of the watch by an interval', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(4000);
    const response = lab.watch.labHealth(newSignal(), '1.0.0');
    await advanceTime(20);
    await response;
    expect(lab.count('event')).toBe(2);
    await advanceTime(4900);
    expect(lab.count('event')).toBe(2);
    await advanceTime(200);
    expect(lab.count('event')).toBe(3);
    lab.watch.stop();
  });
});

describe('sleep of the machine', () => {
  it('stops all checks, makes the state unknown and checks all managers on waking', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(20);
    lab.watch.suspend();
    expect(lab.model.currentStatus().state).toBe('unknown');
    await advanceTime(60_000);
    expect(lab.count('event')).toBe(1);
    lab.watch.resume();
    await advanceTime(20);
    expect(lab.count('event')).toBe(2);
    expect(lab.model.currentStatus().state).toBe('healthy');
    expect(lab.changes('event')).toEqual(['healthy']);
    lab.watch.stop();
  });

  it('raises no alarm while the network is being restored', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(20);
    const states: string[] = [];
    lab.model.status.subscribe(({ state }) => states.push(state));
    lab.watch.suspend();
    lab.setBehaviour('refuses', ...managerKeys);
    lab.watch.resume();
    await advanceTime(8000);
    expect(lab.count('event')).toBeGreaterThanOrEqual(8);
    expect(lab.model.currentStatus().managers[0]).toMatchObject({
      state: 'unknown',
      reason: 'checking again after sleep',
    });
    lab.setBehaviour('healthy', ...managerKeys);
    await advanceTime(1100);
    expect(lab.model.currentStatus().state).toBe('healthy');
    expect(new Set(states)).toEqual(new Set(['unknown', 'healthy']));
    expect(lab.changes('event')).toEqual(['healthy']);
    lab.watch.stop();
  });

  it('still reports a manager that stays unreachable', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(20);
    lab.watch.suspend();
    lab.setBehaviour('refuses', 'event');
    lab.setBehaviour('unhealthy', 'data');
    lab.watch.resume();
    await advanceTime(20);
    // A response counts immediately.
    expect(lab.state('data')).toBe('unhealthy');
    expect(lab.state('event')).toBe('unknown');
    await advanceTime(wakeGraceMs + 1100);
    expect(lab.state('event')).toBe('unreachable');
    lab.watch.stop();
  });

  it('is detected from the wall clock without a suspend event, and results of checks that span it are ignored', async () => {
    const lab = new SimulatedLab();
    lab.watch.start();
    await advanceTime(20);
    lab.setBehaviour('refuses', ...managerKeys);
    sleepFor(3_600_000);
    await advanceTime(5000);
    expect(lab.model.currentStatus().state).toBe('unknown');
    lab.setBehaviour('healthy', ...managerKeys);
    await advanceTime(2000);
    expect(lab.model.currentStatus().state).toBe('healthy');
    expect(lab.changes('event')).toEqual(['healthy']);
    lab.watch.stop();
  });

  it('delays the check of managers that new settings add during the sleep', async () => {
    const lab = new SimulatedLab({ data_server_url: null });
    lab.watch.start();
    await advanceTime(20);
    lab.watch.suspend();
    changeSettings(lab.model, { context });
    await advanceTime(10_000);
    expect(lab.count('data')).toBe(0);
    lab.watch.resume();
    await advanceTime(20);
    expect(lab.state('data')).toBe('healthy');
    lab.watch.stop();
  });
});
