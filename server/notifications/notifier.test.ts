import { signal } from '@preact/signals-core';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ManagerState } from '../../api/states.ts';
import type { Database } from '../database/database.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { createTestModel } from '../fixtures/testModel.ts';
import { silentLog } from '../logging/log.ts';
import { Notifier } from './notifier.ts';
import type { Notification } from '../channels/channel.ts';

const dayMs = 86_400_000;
beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 15) }));
afterEach(() => void vi.useRealTimers());

/** A notifier for a lab of one manager, whose state the test sets. @param path of the notifier's file */
function createTestNotifier(
  path: string | null = null,
  watchedUntil: number | null = null,
  database: Database | null = null,
) {
  const lab = { state: 'healthy' as ManagerState };
  const manager = () => ({
    manager: 'data',
    url: 'http://bench/',
    name: 'Data Manager',
    state: lab.state,
    reason: null,
  });
  const model = createTestModel();
  Object.assign(model, { currentStatus: () => ({ state: 'healthy', description: '', managers: [manager()] }) });
  const received: Notification[] = [];
  const last = signal<Notification | null>(null);
  last.subscribe((notification) => notification && received.push(notification));
  const notifier = new Notifier({
    lab: model,
    version: '1',
    path,
    watchedUntil,
    database,
    last,
    log: silentLog,
  });
  return { lab, model, notifier, received };
}

/** A shared database without rows. @param onStatement executes before each response */
function createEmptyDatabase(onStatement: (text: string) => Promise<void> = async () => undefined) {
  let notify = async (): Promise<void> => undefined;
  const database = {
    connection: { state: 'connected' },
    onHeartbeat: (listener: () => Promise<void>) => (notify = listener),
    transaction: (work: (query: (text: string) => Promise<unknown[]>) => Promise<unknown>) =>
      work(async (text) => {
        await onStatement(text);
        return [];
      }),
  } as unknown as Database;
  return { database, heartbeat: () => notify() };
}

it.each([-1, 1])('an outage is reported 15 s after it began, also when the clock is set by %d day', async (days) => {
  const { lab, notifier, received } = createTestNotifier();
  await notifier.start();
  await vi.advanceTimersByTimeAsync(10_000);
  lab.state = 'unreachable';
  await vi.advanceTimersByTimeAsync(4000);
  vi.setSystemTime(Date.now() + days * dayMs);
  await vi.advanceTimersByTimeAsync(8000);
  expect(received).toEqual([]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(received.map(({ title }) => title)).toEqual(['Data Manager: unreachable']);
  expect(Math.abs((received[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
  await notifier.stop();
});

it('an outage that begins right after the start is reported', async () => {
  const { lab, notifier, received } = createTestNotifier();
  await notifier.start();
  lab.state = 'unreachable';
  await vi.advanceTimersByTimeAsync(30_000);
  expect(received.map(({ title }) => title)).toEqual(['Data Manager: unreachable']);
  await notifier.stop();
});

it('an outage that began shortly before a restart is reported after it, once', async () => {
  const folder = await makeTempFolder();
  const path = join(folder.path, 'notifications.json');
  const first = createTestNotifier(path);
  await first.notifier.start();
  await vi.advanceTimersByTimeAsync(4000);
  first.lab.state = 'unreachable';
  await vi.advanceTimersByTimeAsync(4000);
  await first.notifier.stop();
  expect(first.received).toEqual([]);

  const second = createTestNotifier(path, Date.now());
  await second.notifier.start();
  second.lab.state = 'unreachable';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(second.received.map(({ title }) => title)).toEqual(['Data Manager: unreachable']);
  await second.notifier.stop();

  const third = createTestNotifier(path, Date.now());
  third.lab.state = 'unreachable';
  await third.notifier.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(third.received).toEqual([]);
  await third.notifier.stop();
  await folder.remove();
});

it('a server sends no notification on standby, and later only the recovery of an outage that began there', async () => {
  const { lab, model, notifier, received } = createTestNotifier(null, null, createEmptyDatabase().database);
  model.standby.value = 'other:8000 is the leader';
  await notifier.start();
  lab.state = 'unreachable';
  await vi.advanceTimersByTimeAsync(60_000);
  model.standby.value = null;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received).toEqual([]);
  lab.state = 'healthy';
  await vi.advanceTimersByTimeAsync(200_000);
  expect(received.map(({ title, incidents }) => [title, incidents.length])).toEqual([['Data Manager is back', 1]]);
  await notifier.stop();
});

it('the state in the shared database is not replaced before the start has read it', async () => {
  const statements: string[] = [];
  let respond = (): void => undefined;
  const first = new Promise<void>((resolve) => (respond = resolve));
  const { database, heartbeat } = createEmptyDatabase(async (text) => {
    statements.push(text);
    if (statements.length === 1) await first;
  });
  const replacements = () => statements.filter((text) => text.includes('INSERT INTO lab_manager.state'));
  const { notifier } = createTestNotifier(null, null, database);
  const started = notifier.start();
  await vi.waitFor(() => expect(statements).toHaveLength(1));
  await heartbeat();
  expect(replacements()).toEqual([]);
  respond();
  await started;
  await heartbeat();
  expect(replacements()).toHaveLength(1);
  await notifier.stop();
});
