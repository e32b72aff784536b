import { describe, expect, it } from 'vitest';
import { duration, isoLocal, latencyWords, milliseconds, moment, parseTime, stopwatch } from './time.ts';

const now = new Date(2026, 10, 21, 14, 5, 7).getTime();

describe('parseTime', () => {
  it('takes a time with its zone', () => {
    expect(parseTime('2026-11-21T14:02:00.5+02:00')).toBe(Date.UTC(2026, 10, 21, 12, 2, 0, 500));
    expect(parseTime('2026-11-21T14:02:00Z')).toBe(Date.UTC(2026, 10, 21, 14, 2));
  });
  it.each([null, undefined, '', 'nonsense', '2026-11-21', '2026-11-21T14:02:00'])('%s is no time', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});

describe('moment', () => {
  it.each([
    [new Date(2026, 10, 21, 0, 3), '00:03'],
    [new Date(2026, 10, 20, 23, 59), '20 Nov 23:59'],
    [new Date(2025, 0, 2, 3, 4), '2 Jan 2025 03:04'],
  ])('%s', (date, words) => {
    expect(moment(date.getTime(), now)).toBe(words);
  });
});

describe('isoLocal', () => {
  it('is the same moment, with seconds and offset', () => {
    expect(isoLocal(now)).toMatch(/^2026-11-21T14:05:07[+-]\d\d:\d\d$/);
    expect(Date.parse(isoLocal(now))).toBe(now);
  });
});

describe('duration', () => {
  it.each([
    [-5, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [86_400_000, '1 d'],
    [100_800_000, '1 d 4 h'],
  ])('%i ms', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});

describe('stopwatch', () => {
  it.each([
    [-5, '0:00'],
    [7000, '0:07'],
    [760_000, '12:40'],
    [3_723_000, '1:02:03'],
  ])('%i ms', (ms, words) => {
    expect(stopwatch(ms)).toBe(words);
  });
});

describe('latencies', () => {
  it.each([
    [0.4, '<1 ms', '<1 ms'],
    [3.4, '3 ms', '3 ms'],
    [1912, '1,912 ms', '1.9 s'],
    [123_456, '123.5 s', '123.5 s'],
  ])('%f ms', (ms, figure, words) => {
    expect(milliseconds(ms)).toBe(figure);
    expect(latencyWords(ms)).toBe(words);
  });
});
