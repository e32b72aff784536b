import { describe, expect, it } from 'vitest';
import { applyChange, activeAt, maxEntries, maintenanceFromEntry, type MaintenanceEntry } from './entries.ts';

const now = Date.UTC(2026, 2, 2, 14);
const hour = 3_600_000;
const iso = (hours: number): string => new Date(now + hours * hour).toISOString();
const node = (id: string, until = 1): MaintenanceEntry => ({ kind: 'node', id, from: iso(-1), until: iso(until) });

describe('active maintenance', () => {
  it('excludes ended maintenance and is sorted by its end', () => {
    const entries = [node('late', 3), node('over', 0), node('soon', 1)];
    expect(activeAt(entries, now).map(({ id }) => id)).toEqual(['soon', 'late']);
  });

  it('continues when the clock is set back', () => {
    expect(activeAt([node('arm')], now - 24 * hour)).toHaveLength(1);
  });
});

describe('a change of maintenance', () => {
  it('begins a window in addition to others and removes expired ones', () => {
    const entries = applyChange([node('over', 0), node('arm')], { kind: 'lab', id: 'lab', until: now + hour }, now);
    expect(entries).toEqual([node('arm'), { kind: 'lab', id: 'lab', from: iso(0), until: iso(1) }]);
  });

  it('extends a window, which keeps its original start', () => {
    expect(applyChange([node('arm')], { kind: 'node', id: 'arm', until: now + 5 * hour }, now)).toEqual([
      node('arm', 5),
    ]);
  });

  it('ends a window', () => {
    expect(applyChange([node('arm'), node('b')], { kind: 'node', id: 'arm', until: null }, now)).toEqual([node('b')]);
  });

  it.each([
    ['an end in the past', { kind: 'lab', id: 'lab', until: now }, 'must end in the future'],
    ['an end that is too far away', { kind: 'lab', id: 'lab', until: now + 31 * 24 * hour }, '30 days at most'],
    ['an unknown manager', { kind: 'manager', id: 'squid', until: now + hour }, 'no manager “squid”'],
    ['a node without a name', { kind: 'node', id: '', until: now + hour }, 'no node “”'],
  ] as const)('is refused: %s', (_name, change, expected) => {
    expect(() => applyChange([], change, now)).toThrow(expected);
  });

  it('is refused above the maximum number of windows, unless it extends one', () => {
    const many = Array.from({ length: maxEntries }, (_, index) => node(`n${index}`));
    expect(() => applyChange(many, { kind: 'node', id: 'one more', until: now + hour }, now)).toThrow('At most 200');
    expect(applyChange(many, { kind: 'node', id: 'n3', until: now + hour }, now)).toHaveLength(maxEntries);
  });
});

it('maintenance has the title of the manager, the name of the node or “The lab”', () => {
  const times = { from: iso(0), until: iso(1) };
  expect(maintenanceFromEntry({ kind: 'manager', id: 'data', ...times }).name).toBe('Data Manager');
  expect(maintenanceFromEntry({ kind: 'lab', id: 'lab', ...times }).name).toBe('The lab');
  expect(maintenanceFromEntry(node('arm')).name).toBe('arm');
});
