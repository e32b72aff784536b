import { describe, expect, it } from 'vitest';
import { historyWindowSeconds, ManagerHistoryStore } from './history.ts';

const start = Date.UTC(2026, 0, 15, 12, 0, 0);
const second = 1000;
const minute = 60 * second;

describe('minutes', () => {
  it('hold the worst state, the median and the longest answer, and how often it was asked', () => {
    const store = new ManagerHistoryStore();
    for (const latency of [4, 8, 6]) store.record(start + latency * second, 'healthy', null, latency);
    store.record(start + 20 * second, 'unreachable', 'gone', null);
    store.record(start + 25 * second, 'slow', 'answers in 2.0 s', 2000);
    expect(store.minutes(start + minute)).toEqual([
      { at: '2026-01-15T12:00:00.000Z', state: 'unreachable', latency_ms: 7, max_latency_ms: 2000, checks: 5 },
    ]);
  });

  it('of nothing but failures have no latency', () => {
    const store = new ManagerHistoryStore();
    store.record(start, 'unreachable', 'gone', null);
    expect(store.minutes(start)[0]).toMatchObject({ latency_ms: null, max_latency_ms: null });
    expect(store.usualLatency()).toBeNull();
  });

  it('reach back two hours and no longer, in bounded memory', () => {
    const store = new ManagerHistoryStore();
    for (let ms = 0; ms < 5 * 60 * minute; ms += 5 * second) store.record(start + ms, 'healthy', null, 5);
    const minutes = store.minutes(start + 5 * 60 * minute);
    expect(minutes.length).toBeGreaterThanOrEqual(120);
    expect(minutes.length).toBeLessThanOrEqual(122);
    expect(Date.parse(minutes[0]!.at)).toBeGreaterThanOrEqual(start + 3 * 60 * minute - minute);
    expect(store.minutes(start + 8 * 60 * minute)).toEqual([]);
  });

  it('have gaps where nobody asked', () => {
    const store = new ManagerHistoryStore();
    store.record(start, 'healthy', null, 5);
    store.record(start + 10 * minute, 'healthy', null, 5);
    expect(store.minutes(start + 10 * minute).map(({ at }) => at.slice(11, 16))).toEqual(['12:00', '12:10']);
  });
});

describe('changes', () => {
  it('are told once each, with their reason', () => {
    const store = new ManagerHistoryStore();
    const said = [
      ['healthy', null],
      ['healthy', null],
      ['unreachable', 'gone'],
      ['unreachable', 'still gone'],
      ['healthy', null],
    ] as const;
    said.forEach(([state, reason], index) => store.record(start + index * second, state, reason, null));
    expect(store.changes(start + minute)).toEqual([
      { at: '2026-01-15T12:00:00.000Z', state: 'healthy', reason: null },
      { at: '2026-01-15T12:00:02.000Z', state: 'unreachable', reason: 'gone' },
      { at: '2026-01-15T12:00:04.000Z', state: 'healthy', reason: null },
    ]);
  });

  it('begin with what held when the window began', () => {
    const store = new ManagerHistoryStore();
    store.record(start, 'healthy', null, 5);
    store.record(start + minute, 'unreachable', 'gone', null);
    const later = start + minute + (historyWindowSeconds + 60) * second;
    store.record(later, 'healthy', null, 5);
    expect(store.changes(later).map(({ state }) => state)).toEqual(['unreachable', 'healthy']);
    expect(store.changes(later + 24 * 60 * minute).map(({ state }) => state)).toEqual(['healthy']);
  });

  it('of a flapping manager are bounded', () => {
    const store = new ManagerHistoryStore();
    for (let i = 0; i < 3000; i += 1) store.record(start + i * second, i % 2 ? 'healthy' : 'unreachable', null, null);
    expect(store.changes(start + 3000 * second)).toHaveLength(500);
  });
});

it('the usual latency is the median of the minutes, which one slow minute does not move', () => {
  const store = new ManagerHistoryStore();
  for (let i = 0; i < 9; i += 1) store.record(start + i * minute, 'healthy', null, i === 4 ? 900 : 5);
  expect(store.usualLatency()).toBe(5);
});
