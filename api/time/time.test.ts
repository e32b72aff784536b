import { describe, expect, it, vi } from 'vitest';
import { ulid } from 'ulid';
import datapointSample from '../samples/datapoint_json.json' with { type: 'json' };
import eventSample from '../samples/event.json' with { type: 'json' };
import experimentSample from '../samples/experiment.json' with { type: 'json' };
import workflowSample from '../samples/workflow_completed.json' with { type: 'json' };
import {
  formatManagerTime,
  hasZone,
  hostStamp,
  hostTime,
  isTimeZone,
  ownTimeZone,
  parseDuration,
  parseManagerTime,
  detectTimeZone,
  type StampedRecord,
} from './time.ts';

describe('parseManagerTime', () => {
  it.each([
    // A host in UTC, in Berlin's winter, in New York's winter, in India.
    ['2026-11-21T07:05:13', '+00:00', '2026-11-21T07:05:13.000Z'],
    ['2026-11-21T07:21:23.040102', '+01:00', '2026-11-21T06:21:23.040Z'],
    ['2026-11-21T07:21:23.040102', '-05:00', '2026-11-21T12:21:23.040Z'],
    ['2026-11-21T00:10:00.5', '+05:30', '2026-11-20T18:40:00.500Z'],
    ['2026-11-21 07:05', '+00:00', '2026-11-21T07:05:00.000Z'],
    // A zone in the text overrides the host's.
    ['2026-11-21T07:05:45.404139Z', '+01:00', '2026-11-21T07:05:45.404Z'],
    ['2026-11-21T07:30:21.092640+00:00', '+01:00', '2026-11-21T07:30:21.092Z'],
    ['2026-11-21T07:30:21-05:30', '+01:00', '2026-11-21T13:00:21.000Z'],
    ['2026-11-21T07:30:21+0100', '+00:00', '2026-11-21T06:30:21.000Z'],
  ])('reads %s on a host in %s as %s', (text, offset, moment) => {
    expect(parseManagerTime(text, offset)?.toISOString()).toBe(moment);
  });

  it.each(['', 'yesterday', '2026-11-21', '2026-02-30T10:00:00', '2026-11-21T25:00:00', null, undefined])(
    'returns null for %s',
    (text) => {
      expect(parseManagerTime(text, 'UTC')).toBeNull();
    },
  );

  it('is the inverse of formatManagerTime', () => {
    const moment = new Date('2026-11-21T23:30:00.125Z');
    expect(formatManagerTime(moment, '+01:00')).toBe('2026-11-22T00:30:00.125');
    expect(parseManagerTime(formatManagerTime(moment, '-03:30'), '-03:30')).toEqual(moment);
  });

  it('hasZone detects whether a text has a time zone', () => {
    expect(hasZone('2026-11-21T07:05:45Z')).toBe(true);
    expect(hasZone('2026-11-21T07:05:45.1+01:00')).toBe(true);
    expect(hasZone('2026-11-21T07:05:45.1')).toBe(false);
  });
});

describe('a time zone with daylight saving time', () => {
  it.each([
    // Berlin changes from +1 to +2 at 02:00 on 29 March 2026, and back at 03:00 on 25 October 2026.
    ['2026-07-01T12:00:00', '2026-07-01T10:00:00.000Z'],
    ['2026-12-01T12:00:00', '2026-12-01T11:00:00.000Z'],
    ['2026-10-25T01:59:59', '2026-10-24T23:59:59.000Z'],
    ['2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
    ['2026-03-29T01:59:59', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
    // This hour does not exist.
    ['2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
  ])('parseManagerTime reads %s in Berlin as %s', (text, moment) => {
    expect(parseManagerTime(text, 'Europe/Berlin')?.toISOString()).toBe(moment);
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'])(
    'every half hour of a year in %s survives formatting and parsing, except the hour that occurs twice',
    (zone) => {
      const start = Date.UTC(2026, 0, 1);
      const wrong = Array.from({ length: 2 * 24 * 365 }, (_, index) => start + index * 1_800_000).filter(
        (at) => parseManagerTime(formatManagerTime(new Date(at), zone), zone)?.getTime() !== at,
      );
      expect(wrong.length).toBeLessThanOrEqual(2);
    },
  );

  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['+05:30', true],
    ['-12:00', true],
    ['+25:00', false],
    ['Berlin', false],
    ['', false],
    ['1', false],
  ])('isTimeZone(%s) is %s', (text, expected) => {
    expect(isTimeZone(text)).toBe(expected);
  });
});

describe('the time zone that records show', () => {
  const at = Date.UTC(2026, 10, 21, 12);
  /** A record created at a time by a host in a zone. */
  const record = (moment: number, zone: string, delayMs = 30): StampedRecord => ({
    id: ulid(moment),
    stamp: formatManagerTime(new Date(moment + delayMs), zone),
  });

  it.each([
    ['UTC', '+00:00'],
    ['Europe/Berlin', '+01:00'],
    ['America/New_York', '-05:00'],
    ['Asia/Kolkata', '+05:30'],
    ['Asia/Kathmandu', '+05:45'],
    ['Pacific/Kiritimati', '+14:00'],
  ])('detectTimeZone returns for a host in %s the offset %s, or the zone if it is this machine’s', (zone, offset) => {
    expect(detectTimeZone([record(at, zone)], 'Pacific/Chatham')).toBe(offset);
    expect(detectTimeZone([record(at, zone)], zone)).toBe(zone);
  });

  it('detectTimeZone returns this machine’s zone when it explains the records of summer and winter', () => {
    const july = Date.UTC(2026, 6, 1, 12);
    expect(detectTimeZone([record(at, 'Europe/Berlin'), record(july, 'Europe/Berlin')], 'Europe/Berlin')).toBe(
      'Europe/Berlin',
    );
    // Lagos has no summer time.
    expect(detectTimeZone([record(at, 'Africa/Lagos'), record(july, 'Africa/Lagos')], 'Europe/Berlin')).toBe('+01:00');
    expect(detectTimeZone([record(july, 'Europe/Berlin'), record(at, 'Europe/Berlin')], 'UTC')).toBe('+01:00');
  });

  it('detectTimeZone returns the offset of most of a day’s records', () => {
    const records = ['Asia/Tokyo', 'UTC', 'UTC'].map((zone, index) => record(at - index * 1000, zone));
    expect(detectTimeZone(records, 'Pacific/Chatham')).toBe('+00:00');
  });

  it('detectTimeZone returns null without a record whose ID and time were created together', () => {
    expect(detectTimeZone([], 'UTC')).toBeNull();
    expect(detectTimeZone([{ id: 'w1', stamp: '2026-11-21T12:00:00' }], 'UTC')).toBeNull();
    expect(detectTimeZone([record(at, 'UTC', 7 * 60_000)], 'UTC')).toBeNull();
    expect(detectTimeZone([{ id: ulid(at), stamp: '2026-11-21T12:00:00Z' }], 'UTC')).toBeNull();
    expect(detectTimeZone([{ id: ulid(at), stamp: null }], 'UTC')).toBeNull();
    expect(detectTimeZone([record(at, 'UTC', 20 * 3_600_000)], 'UTC')).toBeNull();
  });

  it.each([
    ['event', eventSample['_id'], eventSample.event_timestamp],
    ['datapoint', datapointSample['_id'], datapointSample.data_timestamp],
    ['experiment', experimentSample['_id'], experimentSample.started_at],
    ['workflow', workflowSample.workflow_id, workflowSample.submitted_time],
  ])('detectTimeZone returns UTC for a real %s, which was recorded in UTC', (_kind, id, stamp) => {
    expect(detectTimeZone([{ id, stamp }], 'UTC')).toBe('UTC');
  });
});

describe('the time of a host', () => {
  const moment = Date.UTC(2026, 10, 21, 12);

  it('hostTime and hostStamp correct the clock difference', () => {
    const clock = { zone: 'Europe/Berlin', aheadMs: 600_000 };
    expect(hostTime('2026-11-21T13:10:00', clock)).toBe(moment);
    expect(hostStamp(moment, clock)).toBe('2026-11-21T13:10:00');
    expect(hostTime(null, clock)).toBeNull();
  });

  it('hostTime uses the zone that the ID of the record shows', () => {
    const clock = { zone: 'Europe/Berlin', aheadMs: 0 };
    expect(hostTime('2026-11-21T21:00:00', clock, ulid(moment))).toBe(moment);
    expect(hostTime('2026-11-21T13:00:00', clock, 'not a ULID')).toBe(moment);
  });
});

describe('parseDuration', () => {
  it.each([
    ['PT0.996324S', 0.996324],
    ['PT0S', 0],
    ['PT1H2M3.5S', 3723.5],
    ['P1DT2H', 93_600],
    ['P2W', 1_209_600],
    ['P1Y35D', 34_560_000],
    ['-PT90S', -90],
    ['PT90M', 5400],
  ])('reads %s as %d s', (text, expected) => {
    expect(parseDuration(text)).toBeCloseTo(expected, 6);
  });

  it.each(['', 'P', 'PT', 'P1', '90', '0:01:30', null, undefined])('returns null for %s', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('this machine’s time zone', () => {
  it.each([
    ['Etc/Unknown', '+00:00'],
    [undefined, '+00:00'],
  ])('ownTimeZone returns an offset when Intl reports %s, as with an empty TZ', (name, expected) => {
    const resolved = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
    resolved.mockReturnValueOnce({ timeZone: name } as Intl.ResolvedDateTimeFormatOptions);
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValueOnce(0);
    expect(ownTimeZone()).toBe(expected);
    vi.restoreAllMocks();
  });
});

it('hostStamp clamps moments beyond the years 1 to 9999', () => {
  const clock = { zone: 'Europe/Berlin', aheadMs: 0 };
  expect(hostStamp(1e300, clock)).toBe('9999-12-30T01:00:00');
  expect(hostStamp(-1e300, clock)).toMatch(/^0001-01-02T/);
});
