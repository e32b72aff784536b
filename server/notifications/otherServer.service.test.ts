import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { ManagerState } from '../../api/states.ts';
import { silentLog } from '../logging/log.ts';
import { startLab, type FakeLab } from '../../e2e/support/managers.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';
import type { Subject } from './notification.ts';
import { createActiveServerReader, reportDelayMs, StateStartTimes } from './otherServer.ts';
import { listSubjects } from './subjects.ts';

const start = '2026-01-15T10:00:00.000Z';

function labWith(state: ManagerState, since: string): LabStatus {
  const manager = { manager: 'data', url: 'http://bench/', name: 'Data Manager', state, since, reason: null };
  return { state: 'healthy', description: '', managers: [manager] } as unknown as LabStatus;
}

function dataSubject(state: ManagerState, since: string): Subject {
  const subject = listSubjects(labWith(state, since), [], true).find(({ key }) => key === 'manager data');
  if (subject === undefined) throw new Error('The lab has no data manager');
  return subject;
}

describe('the start of an outage', () => {
  const later = '2026-01-15T10:00:04.200Z';

  it('is the one that the other server observed, until the state changes', () => {
    const starts = new StateStartTimes();
    starts.remember(dataSubject('unreachable', start));
    expect(starts.withSharedStart(dataSubject('unreachable', later)).since).toBe(Date.parse(start));
    expect(starts.withSharedStart(dataSubject('unknown', later)).since).toBe(Date.parse(later));
    expect(starts.withSharedStart(dataSubject('healthy', later)).since).toBe(Date.parse(later));
    expect(starts.withSharedStart(dataSubject('unreachable', later)).since).toBe(Date.parse(later));
  });

  it('is the one that this server observed if the other server observed another state', () => {
    const starts = new StateStartTimes();
    starts.remember(dataSubject('healthy', start));
    expect(starts.withSharedStart(dataSubject('unreachable', later)).since).toBe(Date.parse(later));
  });
});

describe('the active server', () => {
  let lab: FakeLab;
  let service: TestService;
  beforeEach(async () => {
    lab = await startLab({ data: 'http-503' });
  });
  afterEach(async () => {
    await service.stop();
    await lab.stop();
  });

  /** Creates a reader for a service with these settings. */
  async function read(settings: string) {
    service = await startService({ files: { 'settings.yaml': `${lab.settings}\n${settings}` } });
    const delivered: number[] = [];
    const statuses: LabStatus[] = [];
    const lines: string[] = [];
    const startedAt = performance.now();
    const reader = createActiveServerReader({
      url: service.url,
      onStatus: (status) => void statuses.push(status),
      onDelivered: (until) => void delivered.push(until),
      log: { ...silentLog, warn: (line) => void lines.push(line) },
    });
    return { reader, statuses, delivered, lines, startedAt };
  }

  it('is read for its status and for the time until which its notifications are delivered', async () => {
    const { reader, statuses, delivered, startedAt } = await read('lab_notify_webhook_url: http://127.0.0.1:9/hook\n');
    await reader.start();
    expect(delivered[0]).toBeGreaterThanOrEqual(startedAt - reportDelayMs);
    expect(statuses[0]?.managers).toHaveLength(6);
    reader.stop();
  });

  it('is not a server on standby: nothing is read from it, and the reason is logged', async () => {
    const { reader, statuses, delivered, lines } = await read('lab_shared_address: 192.0.2.1\n');
    await reader.start();
    expect(lines.join()).toContain('it is on standby');
    expect([statuses, delivered]).toEqual([[], []]);
    reader.stop();
  });
});
