import { describe, expect, it } from 'vitest';
import { estimateHostOffset, formatManagerTime, hasZone, parseDuration, parseManagerTime } from './time.ts';

describe('parseManagerTime', () => {
  it.each([
    // A host in UTC, in Berlin's winter, in New York's winter, in India.
    ['2026-11-21T07:05:13', 0, '2026-11-21T07:05:13.000Z'],
    ['2026-11-21T07:21:23.040102', 60, '2026-11-21T06:21:23.040Z'],
    ['2026-11-21T07:21:23.040102', -300, '2026-11-21T12:21:23.040Z'],
    ['2026-11-21T00:10:00.5', 330, '2026-11-20T18:40:00.500Z'],
    ['2026-11-21 07:05', 0, '2026-11-21T07:05:00.000Z'],
    // A zone in the text counts, whatever the host's is.
    ['2026-11-21T07:05:45.404139Z', 60, '2026-11-21T07:05:45.404Z'],
    ['2026-11-21T07:30:21.092640+00:00', 60, '2026-11-21T07:30:21.092Z'],
    ['2026-11-21T07:30:21-05:30', 60, '2026-11-21T13:00:21.000Z'],
    ['2026-11-21T07:30:21+0100', 0, '2026-11-21T06:30:21.000Z'],
  ])('%s on a host at %i is %s', (text, offset, moment) => {
    expect(parseManagerTime(text, offset)?.toISOString()).toBe(moment);
  });

  it.each(['', 'yesterday', '2026-11-21', '2026-02-30T10:00:00', '2026-11-21T25:00:00', null, undefined])(
    '%s is none',
    (text) => {
      expect(parseManagerTime(text, 0)).toBeNull();
    },
  );

  it('undoes formatManagerTime', () => {
    const moment = new Date('2026-11-21T23:30:00.125Z');
    expect(formatManagerTime(moment, 60)).toBe('2026-11-22T00:30:00.125');
    expect(parseManagerTime(formatManagerTime(moment, -210), -210)).toEqual(moment);
  });

  it('tells whether a zone is there', () => {
    expect(hasZone('2026-11-21T07:05:45Z')).toBe(true);
    expect(hasZone('2026-11-21T07:05:45.1+01:00')).toBe(true);
    expect(hasZone('2026-11-21T07:05:45.1')).toBe(false);
  });
});

describe('estimateHostOffset', () => {
  const seen = new Date('2026-11-21T12:00:00Z');

  it.each([
    ['2026-11-21T12:00:00', 0],
    ['2026-11-21T12:59:50', 60],
    ['2026-11-21T12:50:00', 60],
    ['2026-11-21T13:01:30', 60],
    ['2026-11-21T17:29:00', 330],
    ['2026-11-21T17:44:00', 345],
    ['2026-11-21T06:58:00', -300],
  ])('%s seen at noon UTC means %i minutes', (naive, offset) => {
    expect(estimateHostOffset([{ naive, seen }])).toBe(offset);
  });

  it('goes by the freshest stamp', () => {
    const naive = ['2026-11-20T13:00:00', '2026-11-21T12:58:00', '2026-11-21T09:00:00'];
    expect(estimateHostOffset(naive.map((text) => ({ naive: text, seen })))).toBe(60);
  });

  it('reads the pair of times in a step', () => {
    const result = parseManagerTime('2026-11-21T07:28:36.014146Z', 0);
    expect(estimateHostOffset([{ naive: '2026-11-21T08:28:36.626280', seen: result! }])).toBe(60);
  });

  it('knows nothing without a naive stamp, or from an old one', () => {
    expect(estimateHostOffset([])).toBeNull();
    expect(estimateHostOffset([{ naive: '2026-11-21T12:00:00Z', seen }])).toBeNull();
    expect(estimateHostOffset([{ naive: '2026-11-19T12:00:00', seen }])).toBeNull();
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
  ])('%s is %d s', (text, expected) => {
    expect(parseDuration(text)).toBeCloseTo(expected, 6);
  });

  it.each(['', 'P', 'PT', 'P1', '90', '0:01:30', null, undefined])('%s is none', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});
