import { describe, expect, it } from 'vitest';
import { historyWindowSeconds, ManagerHistoryStore } from './history.ts';

const start = Date.UTC(2026, 0, 15, 12, 0, 0);
const second = 1000;
const minute = 60 * second;

describe('minutes of the history', () => {
  it('contain the worst state, the median and the longest response time and the number of checks', () => {
    const store = new ManagerHistoryStore();
    for (const latency of [4, 8, 6]) store.record(start + latency * second, 'healthy', null, latency);
    store.record(start + 20 * second, 'unreachable', 'gone', null);
    store.record(start + 25 * second, 'slow', 'answers in 2.0 s', 2000);
    expect(store.minutes(start + minute)).toEqual([
      { at: '2026-01-15T12:00:00.000Z', state: 'unreachable', latency_ms: 7, max_latency_ms: 2000, checks: 5 },
    ]);
  });

  it('have no response time when every check failed', () => {
    const store = new ManagerHistoryStore();
    store.record(start, 'unreachable', 'gone', null);
    expect(store.minutes(start)[0]).toMatchObject({ latency_ms: null, max_latency_ms: null });
    expect(store.usualLatency()).toBeNull();
  });

  it('cover two hours in bounded memory', () => {
    const store = new ManagerHistoryStore();
    for (let ms = 0; ms < 5 * 60 * minute; ms += 5 * second) store.record(start + ms, 'healthy', null, 5);
    const minutes = store.minutes(start + 5 * 60 * minute);
    expect(minutes.length).toBeGreaterThanOrEqual(120);
    expect(minutes.length).toBeLessThanOrEqual(122);
    expect(Date.parse(minutes[0]!.at)).toBeGreaterThanOrEqual(start + 3 * 60 * minute - minute);
    expect(store.minutes(start + 8 * 60 * minute)).toEqual([]);
  });

  it('have gaps without checks', () => {
    const store = new ManagerHistoryStore();
    store.record(start, 'healthy', null, 5);
    store.record(start + 10 * minute, 'healthy', null, 5);
    expect(store.minutes(start + 10 * minute).map(({ at }) => at.slice(11, 16))).toEqual(['12:00', '12:10']);
  });
});

describe('changes in the history', () => {
  it('are listed once each with their reason', () => {
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

  it('start with the state at the beginning of the window', () => {
    const store = new ManagerHistoryStore();
    store.record(start, 'healthy', null, 5);
    store.record(start + minute, 'unreachable', 'gone', null);
    const later = start + minute + (historyWindowSeconds + 60) * second;
    store.record(later, 'healthy', null, 5);
    expect(store.changes(later).map(({ state }) => state)).toEqual(['unreachable', 'healthy']);
    expect(store.changes(later + 24 * 60 * minute).map(({ state }) => state)).toEqual(['healthy']);
  });

  it('the changes of a flapping manager are limited', () => {
    const store = new ManagerHistoryStore();
    for (let i = 0; i < 3000; i += 1) store.record(start + i * second, i % 2 ? 'healthy' : 'unreachable', null, null);
    expect(store.changes(start + 3000 * second)).toHaveLength(500);
  });
});

it('the usual response time is the median of the minutes, which one slow minute does not change', () => {
  const store = new ManagerHistoryStore();
  for (let i = 0; i < 9; i += 1) store.record(start + i * minute, 'healthy', null, i === 4 ? 900 : 5);
  expect(store.usualLatency()).toBe(5);
});
