import { describe, expect, it } from 'vitest';
import { formatDateTime, parseDateTime, periodFromQuery, getPeriodSpan, rangeToQuery } from './useLogView.ts';

describe('the time range of the event page', () => {
  it.each([
    [{}, 'all', { from: null, to: null }],
    [{ period: 'hour' }, 'hour', { from: 6_400_000, to: null }],
    [{ period: 'fortnight' }, 'all', { from: null, to: null }],
    [{ from: '5', to: '9', period: 'hour' }, 'range', { from: 5, to: 9 }],
    [{ from: '5' }, 'range', { from: 5, to: null }],
    [{ to: '9' }, 'range', { from: null, to: 9 }],
    [{ from: 'x', to: '9' }, 'range', { from: null, to: 9 }],
    [{ from: 'x' }, 'all', { from: null, to: null }],
  ] as const)('is read from the address: %j selects %s', (query, period, span) => {
    expect(periodFromQuery(query)).toBe(period);
    expect(getPeriodSpan(query, 10_000_000)).toEqual(span);
  });

  it('is written to the address and read back unchanged', () => {
    const range = { from: 1_763_900_000_000, to: 1_763_950_000_000 };
    const query = rangeToQuery(range);
    expect(query['period']).toBeUndefined();
    expect(getPeriodSpan({ from: String(query['from']), to: String(query['to']) }, 0)).toEqual(range);
    expect(rangeToQuery({ from: null, to: null })).toEqual({ period: undefined, from: undefined, to: undefined });
  });
});

describe('a field for date and time', () => {
  const at = new Date(2026, 10, 22, 18, 30).getTime();

  it('shows local time with 24 hours and returns the same moment', () => {
    expect(formatDateTime(at)).toBe('2026-11-22 18:30:00');
    expect(parseDateTime(formatDateTime(at))).toBe(at);
    expect(formatDateTime(null)).toBe('');
  });

  it.each([
    ['', null],
    ['2026-11-22 18:30', at],
    ['2026-11-22T18:30:00', at],
    [' 2026-11-22  8:30 ', at - 10 * 3_600_000],
    ['2026-11-22', new Date(2026, 10, 22).getTime()],
    ['0002-11-22 18:30', undefined],
    ['2026-11-22 18', undefined],
    ['2026-13-22 18:30', undefined],
    ['11/22/2026 6:30 PM', undefined],
    ['soon', undefined],
  ])('reads %j as %s', (text, expected) => {
    expect(parseDateTime(text)).toBe(expected);
  });
});
