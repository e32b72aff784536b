import { describe, expect, it } from 'vitest';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { ManagerState } from '../../api/states.ts';
import type { Subject } from './notification.ts';
import { StateStartTimes } from './otherServer.ts';
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
