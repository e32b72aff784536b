import { describe, expect, it } from 'vitest';
import {
  startAt,
  endAtNow,
  maxSpanMs,
  panBy,
  rangeForKey,
  minSpanMs,
  spanKeys,
  spanFromQuery,
  zoomBy,
  zoomStep,
} from './span.ts';

const now = new Date(2026, 10, 22, 9, 30).getTime();
const hour = 3_600_000;

describe('the time range of an address', () => {
  it.each([
    [{}, '24h'],
    [{ span: '10m' }, '10m'],
    [{ span: 'night' }, 'night'],
    [{ span: 'soon' }, '24h'],
    [{ span: 'look' }, 'look'],
    [{ from: '5', to: '7' }, '24h'],
    [{ from: String(now), to: String(now - hour) }, '24h'],
  ])('is selected by its query: %j selects %s', (query, key) => {
    expect(spanFromQuery(query, now, now - 5 * hour).key).toBe(key);
  });

  it('is a day for “since the last visit” without an earlier visit', () => {
    expect(spanFromQuery({ span: 'look' }, now, null).key).toBe('24h');
  });

  it('is exactly the requested one unless it is shorter than the minimum', () => {
    const custom = { from: String(now - 2 * hour), to: String(now) };
    expect(spanFromQuery(custom, now, null)).toEqual({ key: null, range: { from: now - 2 * hour, to: now } });
    const { range } = spanFromQuery({ from: String(now - 60_000), to: String(now) }, now, null);
    expect(range.to - range.from).toBe(minSpanMs);
    expect(range.to).toBe(now);
  });

  it.each(spanKeys)('is between ten minutes and thirty days for the selection %s', (key) => {
    const { from, to } = rangeForKey(key, now, now - 400 * 24 * hour);
    expect(to - from).toBeGreaterThanOrEqual(minSpanMs);
    expect(to - from).toBeLessThanOrEqual(maxSpanMs);
  });

  it('has space for the line of the current time', () => {
    const { from, to } = rangeForKey('1h', now, null);
    expect(to - from).toBe(hour);
    expect(to).toBeGreaterThan(now);
    expect(rangeForKey('look', now, now - 5 * hour).from).toBeCloseTo(now - 5 * hour + 0.1 * hour, -1);
  });
});

describe('a moved or zoomed time range', () => {
  const range = { from: now - 2 * hour, to: now };
  it('keeps the time under the pointer', () => {
    expect(zoomBy(range, 0.5, now - hour, now)).toEqual({ from: now - 1.5 * hour, to: now - 0.5 * hour });
    expect(zoomBy(range, 2, now, now)).toEqual({ from: now - 4 * hour, to: now });
  });

  it('keeps the current time in place while it is visible, otherwise the middle', () => {
    expect(zoomStep(range, 0.5, now)).toEqual({ from: now - hour, to: now });
    expect(zoomStep(range, 0.5, now + hour)).toEqual({ from: now - 1.5 * hour, to: now - 0.5 * hour });
  });

  it('is ten minutes to thirty days long and stays within a year of now', () => {
    const close = zoomBy(range, 0.001, now - hour, now);
    expect(close.to - close.from).toBe(minSpanMs);
    const wide = zoomBy(range, 1e6, now - hour, now);
    expect(wide.to - wide.from).toBe(maxSpanMs);
    expect(panBy(range, -1e15, now).from).toBeGreaterThan(now - 367 * 24 * hour);
    expect(panBy(range, 1e15, now).to).toBeLessThanOrEqual(now + maxSpanMs);
  });

  it('includes the current time at its end, or starts at the given time', () => {
    expect(endAtNow(range, now + hour).to).toBeGreaterThan(now + hour);
    expect(startAt(range, 5)).toEqual({ from: 5, to: 5 + 2 * hour });
  });
});
