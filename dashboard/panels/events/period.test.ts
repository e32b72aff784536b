import { describe, expect, it } from 'vitest';
import { periodOf, periodSpan } from './period.ts';

describe('the time of the log', () => {
  it.each([
    [{}, 'all', { from: null, to: null }],
    [{ period: 'hour' }, 'hour', { from: 6_400_000, to: null }],
    [{ period: 'fortnight' }, 'all', { from: null, to: null }],
    [{ from: '5', to: '9', period: 'hour' }, 'range', { from: 5, to: 9 }],
    [{ from: '5' }, 'all', { from: null, to: null }],
    [{ from: 'x', to: '9' }, 'all', { from: null, to: null }],
  ] as const)('%j: %s', (query, period, span) => {
    expect(periodOf(query)).toBe(period);
    expect(periodSpan(query, 10_000_000)).toEqual(span);
  });
});
