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
const noStarts = { lastVisit: null, latest: null };

describe('the time range of an address', () => {
  it.each([
    [{}, 'latest'],
    [{ span: '24h' }, '24h'],
    [{ span: '10m' }, '10m'],
    [{ span: 'night' }, 'night'],
    [{ span: 'soon' }, 'latest'],
    [{ span: 'last-visit' }, 'last-visit'],
    [{ from: '5', to: '7' }, 'latest'],
    [{ from: String(now), to: String(now - hour) }, 'latest'],
  ])('is selected by its query: %j selects %s', (query, key) => {
    expect(spanFromQuery(query, now, { lastVisit: now - 5 * hour, latest: null }).key).toBe(key);
  });

  it('is the default for “since the last visit” without an earlier visit', () => {
    expect(spanFromQuery({ span: 'last-visit' }, now, noStarts).key).toBe('latest');
  });

  it.each([
    ['a day without data', null, 24 * hour],
    ['from the first moment of the data', now - 3 * hour, 3 * hour],
    ['not shorter than the minimum', now - 60_000, minSpanMs],
    ['not longer than a day', now - 40 * hour, 24 * hour],
  ])('fits the data by default: %s', (_what, latest, length) => {
    expect(spanFromQuery({}, now, { lastVisit: null, latest }).range).toEqual({ from: now - length, to: now });
  });

  it('is exactly the requested one unless it is shorter than the minimum', () => {
    const custom = { from: String(now - 2 * hour), to: String(now) };
    expect(spanFromQuery(custom, now, noStarts)).toEqual({ key: null, range: { from: now - 2 * hour, to: now } });
    const { range } = spanFromQuery({ from: String(now - 60_000), to: String(now) }, now, noStarts);
    expect(range.to - range.from).toBe(minSpanMs);
    expect(range.to).toBe(now);
  });

  it.each(spanKeys)('is between ten minutes and thirty days for the selection %s', (key) => {
    const { from, to } = rangeForKey(key, now, { lastVisit: now - 400 * 24 * hour, latest: now });
    expect(to - from).toBeGreaterThanOrEqual(minSpanMs);
    expect(to - from).toBeLessThanOrEqual(maxSpanMs);
  });

  it('ends at the current time', () => {
    expect(rangeForKey('1h', now, noStarts)).toEqual({ from: now - hour, to: now });
    const lastVisit = now - 5 * hour;
    expect(rangeForKey('last-visit', now, { lastVisit, latest: null })).toEqual({ from: lastVisit, to: now });
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

  it('ends at the current time, or starts at the given time', () => {
    expect(endAtNow(range, now + hour)).toEqual({ from: now - hour, to: now + hour });
    expect(startAt(range, 5)).toEqual({ from: 5, to: 5 + 2 * hour });
  });
});
