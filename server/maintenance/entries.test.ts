import { describe, expect, it } from 'vitest';
import type { Recurrence } from '../../api/lab/lab.ts';
import {
  applyChange,
  activeAt,
  maxEntries,
  maintenanceFromEntry,
  noMaintenance,
  plannedAt,
  type MaintenanceEntry,
} from './entries.ts';

const now = Date.UTC(2026, 2, 2, 14);
const hour = 3_600_000;
const iso = (hours: number): string => new Date(now + hours * hour).toISOString();
const node = (id: string, until = 1): MaintenanceEntry => ({ kind: 'node', id, from: iso(-1), until: iso(until) });

const single = (...entries: readonly MaintenanceEntry[]) => ({ entries, rules: [] });

describe('active maintenance', () => {
  it('excludes ended maintenance and is sorted by its end', () => {
    const entries = [node('late', 3), node('over', 0), node('soon', 1)];
    expect(activeAt(single(...entries), now).map(({ id }) => id)).toEqual(['soon', 'late']);
  });

  it('continues when the clock is set back', () => {
    expect(activeAt(single(node('arm')), now - 24 * hour)).toHaveLength(1);
  });
});

describe('a change of maintenance', () => {
  it('begins a window in addition to others and removes expired ones', () => {
    const { entries } = applyChange(
      single(node('over', 0), node('arm')),
      { kind: 'lab', id: 'lab', until: now + hour },
      now,
    );
    expect(entries).toEqual([node('arm'), { kind: 'lab', id: 'lab', from: iso(0), until: iso(1) }]);
  });

  it('extends a window, which keeps its original start', () => {
    expect(applyChange(single(node('arm')), { kind: 'node', id: 'arm', until: now + 5 * hour }, now)).toEqual(
      single(node('arm', 5)),
    );
  });

  it('ends a window', () => {
    expect(applyChange(single(node('arm'), node('b')), { kind: 'node', id: 'arm', until: null }, now)).toEqual(
      single(node('b')),
    );
  });

  it.each([
    ['an end in the past', { kind: 'lab', id: 'lab', until: now }, 'must end in the future'],
    ['an end that is too far away', { kind: 'lab', id: 'lab', until: now + 31 * 24 * hour }, '30 days at most'],
    ['an unknown manager', { kind: 'manager', id: 'squid', until: now + hour }, 'no manager “squid”'],
    ['a node without a name', { kind: 'node', id: '', until: now + hour }, 'no node “”'],
  ] as const)('is refused: %s', (_name, change, expected) => {
    expect(() => applyChange(noMaintenance, change, now)).toThrow(expected);
  });

  it('is refused above the maximum number of windows, unless it extends one', () => {
    const many = Array.from({ length: maxEntries }, (_, index) => node(`n${index}`));
    expect(() => applyChange(single(...many), { kind: 'node', id: 'one more', until: now + hour }, now)).toThrow(
      'At most 200',
    );
    expect(applyChange(single(...many), { kind: 'node', id: 'n3', until: now + hour }, now).entries).toHaveLength(
      maxEntries,
    );
  });
});

it('maintenance has the title of the manager, the name of the node or “The lab”', () => {
  const times = { from: iso(0), until: iso(1) };
  expect(maintenanceFromEntry({ kind: 'manager', id: 'data', ...times }).name).toBe('Data Manager');
  expect(maintenanceFromEntry({ kind: 'lab', id: 'lab', ...times }).name).toBe('The lab');
  expect(maintenanceFromEntry(node('arm')).name).toBe('arm');
});

describe('recurring maintenance', () => {
  // The tests use the time zone of the machine: 2 March 2026 is a Monday.
  const at = (day: number, hours: number, minutes = 0): number => new Date(2026, 2, day, hours, minutes).getTime();
  const toIso = (time: number): string => new Date(time).toISOString();
  const data = { kind: 'manager', id: 'data' } as const;
  const every: Recurrence = { days: ['Sun'], at: '02:00', minutes: 60 };
  const planned = applyChange(noMaintenance, { ...data, every }, at(2, 14));
  const window = { from: toIso(at(8, 2)), until: toIso(at(8, 3)) };
  const isActive = (state: typeof planned, time: number) => activeAt(state, time).length === 1;

  it('yields a window each week, and is planned before', () => {
    expect(activeAt(planned, at(2, 14))).toEqual([]);
    expect(plannedAt(planned, at(2, 14))).toEqual([{ ...data, name: 'Data Manager', every, ...window }]);
    expect([at(8, 1, 59), at(8, 2), at(8, 2, 59), at(8, 3)].map((time) => isActive(planned, time))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(activeAt(planned, at(8, 2, 30))).toEqual([{ ...data, ...window }]);
    expect(plannedAt(planned, at(8, 2, 30))[0]?.from).toBe(toIso(at(15, 2)));
  });

  it('is replaced and cancelled', () => {
    const replaced = applyChange(planned, { ...data, every: { ...every, at: '04:00' } }, at(2, 14));
    expect(plannedAt(replaced, at(2, 14)).map(({ from }) => from)).toEqual([toIso(at(8, 4))]);
    expect(applyChange(replaced, { ...data, every: null }, at(2, 14))).toEqual(noMaintenance);
  });

  it('ends early for one window only', () => {
    const ended = applyChange(planned, { ...data, until: null }, at(8, 2, 10));
    expect(isActive(ended, at(8, 2, 20))).toBe(false);
    expect(isActive(ended, at(15, 2, 20))).toBe(true);
  });

  it('has a window that a change of its end replaces', () => {
    for (const until of [at(8, 2, 30), at(8, 6)]) {
      const changed = applyChange(planned, { ...data, until }, at(8, 2, 10));
      expect(activeAt(changed, at(8, 2, 20))).toEqual([{ ...data, from: window.from, until: toIso(until) }]);
      expect(isActive(changed, until)).toBe(false);
    }
  });

  it('counts once together with a single window of the same subject, until the later end', () => {
    const both = applyChange(planned, { ...data, until: at(8, 2, 30) }, at(7, 20));
    expect(activeAt(both, at(8, 2, 10)).map(({ until }) => until)).toEqual([window.until]);
    const longer = applyChange(planned, { ...data, until: at(8, 5) }, at(7, 20));
    expect(activeAt(longer, at(8, 2, 10)).map(({ until }) => until)).toEqual([toIso(at(8, 5))]);
  });

  it.each([
    ['daily for 24 h', { ...every, days: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], minutes: 1440 }],
    ['on two adjacent days for 30 h', { ...every, days: ['Sat', 'Sun'], minutes: 1800 }],
  ] as const)('is refused without a gap: %s', (_name, rule) => {
    const change = { ...data, every: { ...rule, days: [...rule.days] } };
    expect(() => applyChange(noMaintenance, change, now)).toThrow('before it begins again');
  });

  it('is refused for an unknown subject', () => {
    expect(() => applyChange(noMaintenance, { kind: 'manager', id: 'squid', every }, now)).toThrow(
      'no manager “squid”',
    );
  });
});
