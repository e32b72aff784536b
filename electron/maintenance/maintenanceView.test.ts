import { describe, expect, it } from 'vitest';
import { attachedStatus, labStatus, now, runningStatus } from '../fixtures/states.ts';
import { createMaintenancePage, type MaintenanceInput } from './maintenanceView.ts';

const times = { from: new Date(now - 60_000).toISOString(), until: new Date(now + 60_000).toISOString() };

function page(changes: Partial<MaintenanceInput> = {}) {
  const mutes = { mutedUntil: null, mutedSubjects: {} };
  return createMaintenancePage({
    status: runningStatus(),
    lab: labStatus('healthy'),
    nodes: ['b', 'a'],
    mutes,
    now,
    ...changes,
  });
}

describe('the maintenance page', () => {
  it('lists the lab, its managers in order and its nodes', () => {
    const names = page().subjects.map(({ name }) => name);
    expect([names[0], names[1], ...names.slice(-2)]).toEqual(['The lab', 'Event Manager', 'a', 'b']);
  });

  it('lists a node in maintenance that no longer exists', () => {
    const lab = {
      ...labStatus('healthy'),
      maintenance: [{ kind: 'node' as const, id: 'gone', name: 'gone', ...times }],
    };
    expect(page({ lab, nodes: [] }).subjects.at(-1)).toEqual({ kind: 'node', id: 'gone', name: 'gone' });
    expect(page({ lab }).inMaintenance).toMatchObject([{ name: 'gone', until: now + 60_000 }]);
  });

  it('lists planned maintenance and its subject', () => {
    const every = { days: ['Sun' as const], at: '02:00', minutes: 60 };
    const planned = { kind: 'node' as const, id: 'gone', name: 'gone', every, ...times };
    const lab = { ...labStatus('healthy'), planned_maintenance: [planned] };
    const { subjects, planned: shown } = page({ lab, nodes: [] });
    expect(subjects.at(-1)).toMatchObject({ id: 'gone' });
    expect(shown).toEqual([{ kind: 'node', id: 'gone', name: 'gone', every, from: now - 60_000 }]);
    expect(page().planned).toEqual([]);
  });

  it.each([
    [{ phase: 'stopped' }, /doesn’t run/],
    [runningStatus({ followedUrl: 'http://lab-pc:8000/' }), /Start maintenance there/],
    [attachedStatus(), /sudo lab-manager --maintenance/],
  ] as const)('is unavailable while the service is %j', (service, reason) => {
    expect(page({ status: service }).maintenanceRefusal).toMatch(reason);
    expect(page().maintenanceRefusal).toBeNull();
  });
});

it('active mutes are listed by name', () => {
  const mutes = {
    mutedUntil: now + 5,
    mutedSubjects: { 'manager data': now + 9, 'node a': now, 'node gone': now + 1 },
  };
  expect(page({ mutes }).muted).toEqual([
    { key: null, name: 'All notifications', until: now + 5 },
    { key: 'manager data', name: 'Data Manager', until: now + 9 },
    { key: 'node gone', name: 'gone', until: now + 1 },
  ]);
});
