import { afterEach, describe, expect, it } from 'vitest';
import {
  formatClock,
  formatClockSeconds,
  formatDuration,
  formatElapsed,
  toLocalIso,
  toUtcIso,
  formatTime,
  formatTimes,
  parseTime,
  timeFormat,
} from './time.ts';

const now = new Date(2026, 10, 21, 14, 5, 7).getTime();

it.each([
  ['2026-11-21T07:21:23.040102', '2026-11-21T07:21:23.040102Z'],
  ['2026-11-21T09:21:23.040102+02:00', '2026-11-21T07:21:23.040102Z'],
  ['2026-11-21T07:21:23', '2026-11-21T07:21:23.040Z'],
  ['2026-11-21T07:21:23.999999', '2026-11-21T07:21:23.040Z'],
])('toUtcIso keeps the digits of %s below a millisecond', (stamp, text) =>
  expect(toUtcIso(Date.UTC(2026, 10, 21, 7, 21, 23, 40), stamp)).toBe(text),
);

describe('parseTime', () => {
  it('reads a time with its zone', () => {
    expect(parseTime('2026-11-21T14:02:00.5+02:00')).toBe(Date.UTC(2026, 10, 21, 12, 2, 0, 500));
    expect(parseTime('2026-11-21T14:02:00Z')).toBe(Date.UTC(2026, 10, 21, 14, 2));
  });
  it.each([null, undefined, '', 'nonsense', '2026-11-21', '2026-11-21T14:02:00'])('returns null for %s', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});

describe('formatTime', () => {
  it.each([
    [new Date(2026, 10, 21, 0, 3), '00:03'],
    [new Date(2026, 10, 20, 23, 59), '20 Nov 23:59'],
    [new Date(2025, 0, 2, 3, 4), '2 Jan 2025 03:04'],
  ])('returns $1', (date, expected) => {
    expect(formatTime(date.getTime(), now)).toBe(expected);
  });
});

describe('the 12-hour format', () => {
  afterEach(() => (timeFormat.value = '24h'));
  it.each([
    [0, '12:03 am', '12:03:09 am'],
    [11, '11:03 am', '11:03:09 am'],
    [12, '12:03 pm', '12:03:09 pm'],
    [23, '11:03 pm', '11:03:09 pm'],
  ])('formats hour %i', (hours, short, long) => {
    timeFormat.value = '12h';
    const time = new Date(2026, 10, 20, hours, 3, 9).getTime();
    expect([formatClock(time), formatClockSeconds(time), formatTime(time, now)]).toEqual([
      short,
      long,
      `20 Nov ${short}`,
    ]);
    expect(toLocalIso(time)).toContain(`T${String(hours).padStart(2, '0')}:03:09`);
  });
});

describe('formatTimes', () => {
  const at = (hours: number, minutes: number, seconds: number) =>
    new Date(2026, 10, 21, hours, minutes, seconds).getTime();
  it('adds seconds only when two times are in the same minute', () => {
    expect(formatTimes([at(13, 52, 1), at(13, 52, 9), at(13, 54, 0)], now)).toEqual([
      '13:52:01',
      '13:52:09',
      '13:54:00',
    ]);
    expect(formatTimes([at(13, 51, 59), at(13, 52, 9)], now)).toEqual(['13:51', '13:52']);
    expect(formatTimes([], now)).toEqual([]);
  });
  it('adds the day unless it is today', () => {
    const yesterday = at(13, 52, 1) - 86_400_000;
    expect(formatTimes([yesterday, yesterday + 1000], now)).toEqual(['20 Nov 13:52:01', '20 Nov 13:52:02']);
  });
});

describe('toLocalIso', () => {
  it('returns the same moment with seconds and offset', () => {
    expect(toLocalIso(now)).toMatch(/^2026-11-21T14:05:07[+-]\d\d:\d\d$/);
    expect(Date.parse(toLocalIso(now))).toBe(now);
  });
});

describe('a duration', () => {
  it.each([
    [-5, '0 s', '0 s'],
    [0, '0 s', '0 s'],
    [0.4, '<1 ms', '0 s'],
    [3.4, '3 ms', '0 s'],
    [999, '999 ms', '0 s'],
    [999.7, '1 s', '0 s'],
    [1912, '1.9 s', '1 s'],
    [4000, '4 s', '4 s'],
    [9960, '9 s', '9 s'],
    [12_340, '12 s', '12 s'],
    [59_999, '59 s', '59 s'],
    [60_000, '1 min', '1 min'],
    [381_000, '6 min 21 s', '6 min 21 s'],
    [3_600_000, '1 h', '1 h'],
    [7_500_000, '2 h 05 min', '2 h 05 min'],
    [86_400_000, '1 d', '1 d'],
    [273_600_000, '3 d 4 h', '3 d 4 h'],
  ])('is shown as measured, and in whole seconds while it is running: %f ms', (ms, measured, elapsed) => {
    expect(formatDuration(ms)).toBe(measured);
    expect(formatElapsed(ms)).toBe(elapsed);
  });
});
