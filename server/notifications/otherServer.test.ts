import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { ManagerState } from '../../api/states.ts';
import { silentLog } from '../logging/log.ts';
import { startLab, type FakeLab } from '../../e2e/support/managers.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';
import type { Subject } from './notification.ts';
import { OtherServer, reportLagMs } from './otherServer.ts';
import { subjectsOf } from './subjects.ts';

const start = '2026-01-15T10:00:00.000Z';

function labWith(state: ManagerState, since: string): LabStatus {
  const manager = { manager: 'data', url: 'http://bench/', name: 'Data Manager', state, since, reason: null };
  return { state: 'healthy', description: '', managers: [manager] } as unknown as LabStatus;
}

function dataSubject(state: ManagerState, since: string): Subject {
  const subject = subjectsOf(labWith(state, since), [], true).find(({ key }) => key === 'manager data');
  if (subject === undefined) throw new Error('The lab has no data manager');
  return subject;
}

describe('an incident that both servers observe', () => {
  const later = '2026-01-15T10:00:04.200Z';

  it('has the start at the other server, until the state changes', () => {
    const other = new OtherServer('http://other/', () => undefined, silentLog);
    other.noteStatus(labWith('unreachable', start));
    expect(other.align(dataSubject('unreachable', later)).since).toBe(Date.parse(start));
    expect(other.align(dataSubject('unknown', later)).since).toBe(Date.parse(later));
    expect(other.align(dataSubject('healthy', later)).since).toBe(Date.parse(later));
    expect(other.align(dataSubject('unreachable', later)).since).toBe(Date.parse(later));
  });

  it('has its own start if the other server observes another state', () => {
    const other = new OtherServer('http://other/', () => undefined, silentLog);
    other.noteStatus(labWith('healthy', start));
    expect(other.align(dataSubject('unreachable', later)).since).toBe(Date.parse(later));
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

  async function read(settings: string) {
    service = await startService({ files: { 'settings.yaml': `${lab.settings}\n${settings}` } });
    const delivered: number[] = [];
    const startedAt = performance.now();
    const other = new OtherServer(service.url, (until) => void delivered.push(until), silentLog);
    return { other, delivered, startedAt };
  }

  it('is read for the starts of the states, and reports that all notifications are delivered', async () => {
    const { other, delivered, startedAt } = await read('lab_notify_webhook_url: http://127.0.0.1:9/hook\n');
    await vi.waitFor(() => expect(service.manager.watch?.status().healthy_managers).toBe(5));
    other.start();
    await vi.waitFor(() => expect(delivered).not.toEqual([]));
    expect(delivered[0]).toBeGreaterThanOrEqual(startedAt - reportLagMs);
    const since = service.manager.watch?.status().managers.find(({ manager }) => manager === 'data')?.since;
    expect(other.align(dataSubject('unreachable', start)).since).toBe(Date.parse(since ?? ''));
    other.stop();
  });

  it('is not this server itself or another one on standby', async () => {
    const { other, delivered } = await read('lab_shared_address: 192.0.2.1\n');
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => void lines.push(line) };
    const logged = new OtherServer(service.url, (until) => void delivered.push(until), log);
    logged.start();
    await vi.waitFor(() => expect(lines.join()).toContain('it is on standby'));
    expect(delivered).toEqual([]);
    logged.stop();
    other.stop();
  });
});
