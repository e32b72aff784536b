import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { ManagerState } from '../../api/states.ts';
import type { ActivityWatch } from '../activity/activityWatch.ts';
import type { Watch } from '../health/watch.ts';
import { silentLog } from '../logging/log.ts';
import { settingsTable } from '../settings/schema/table.ts';
import { Notifier } from './notifier.ts';
import type { Notification } from './policy.ts';

const dayMs = 86_400_000;
beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 15) }));
afterEach(() => void vi.useRealTimers());

/** A lab of one manager, whose state the test gives. */
function bench() {
  const lab = { state: 'healthy' as ManagerState };
  const manager = () => ({ manager: 'data', name: 'Data Manager', state: lab.state, reason: null });
  const status = () => ({ state: 'healthy', description: '', managers: [manager()] }) as unknown as LabStatus;
  const received: Notification[] = [];
  const notifier = new Notifier({
    watch: { status, onChange: () => () => undefined } as unknown as Watch,
    activity: { known: () => ({ nodes: [], areKnown: false }) } as unknown as ActivityWatch,
    settings: () => ({
      notifyEvents: settingsTable.notify_events.default,
      notifyFormat: 'json',
      notifyWebhookUrl: [],
      serverUrl: 'http://localhost:8000/',
      advertisedHost: null,
      managerName: null,
    }),
    queuePath: null,
    onNotification: (notification) => void received.push(notification),
    log: silentLog,
  });
  return { lab, notifier, received };
}

it.each([-1, 1])('reports an outage 15 s after it began, also when the clock is set by %d day', async (days) => {
  const { lab, notifier, received } = bench();
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
