import { expect, it } from 'vitest';
import type { Maintenance } from '#api/lab/lab.ts';
import { sampleLabStatus, sampleNow } from '../../fixtures/sampleLabStatus.ts';
import { describeChanges } from './labBadge.ts';
import { formatMaintenanceEnd, describeMaintenance, describePlanned } from './maintenance.ts';

const from = new Date(sampleNow).toISOString();
const hours = (count: number) => new Date(sampleNow + count * 3_600_000).toISOString();
const data: Maintenance = { kind: 'manager', id: 'data', name: 'Data Manager', from, until: hours(2) };
const arm: Maintenance = { kind: 'node', id: 'arm', name: 'arm', from, until: hours(24) };
const lab: Maintenance = { kind: 'lab', id: 'lab', name: 'The lab', from, until: hours(4) };

it.each<[string, readonly Maintenance[] | undefined, 'manager' | 'node', string]>([
  ['its own maintenance', [data, arm], 'manager', 'until 16:05'],
  ['a longer maintenance window of the whole lab', [data, lab], 'manager', 'until 18:05'],
  ['another kind of object with the same ID', [{ ...arm, id: 'data' }], 'manager', ''],
  ['no maintenance', undefined, 'manager', ''],
  ['an end on another day', [{ ...arm, id: 'data' }], 'node', 'until 22 Nov 14:05'],
])('formatMaintenanceEnd returns the end of the maintenance: %s', (_name, all, kind, expected) => {
  expect(formatMaintenanceEnd(all, kind, 'data', sampleNow)).toBe(expected);
});

it('describeMaintenance names objects in maintenance and counts the rest', () => {
  expect(describeMaintenance([], sampleNow)).toBe('');
  expect(describeMaintenance([data, arm], sampleNow)).toBe(
    'In maintenance: Data Manager until 16:05, arm until 22 Nov 14:05.',
  );
  expect(describeMaintenance([data, arm, lab, data, data], sampleNow)).toMatch(/ and 1 more\.$/);
});

it('describePlanned names the next recurring maintenance and counts the rest', () => {
  const every = { days: ['Sun' as const, 'Wed' as const], at: '02:00', minutes: 90 };
  const planned = { ...data, every, from: hours(24), until: hours(25.5) };
  expect(describePlanned(undefined, sampleNow)).toBe('');
  expect(describePlanned([planned], sampleNow)).toBe(
    'Planned: Data Manager every Sun, Wed 02:00 for 1 h 30 min, next 22 Nov 14:05.',
  );
  expect(describePlanned([planned, planned, planned], sampleNow)).toMatch(/ 2 more planned\.$/);
});

it('describeChanges omits managers in maintenance', () => {
  const healthyLab = sampleLabStatus('healthy');
  const after = sampleLabStatus('healthy', { data: { state: 'unreachable' } });
  expect(describeChanges(healthyLab, after)).toContain('Data');
  expect(describeChanges(healthyLab, { ...after, maintenance: [data] })).toBe('');
});
