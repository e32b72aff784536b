import { describe, expect, it } from 'vitest';
import { Latencies } from './latencies.ts';

const start = Date.UTC(2026, 0, 15, 12, 0, 0);
const second = 1000;
const minute = 60 * second;

describe('Latencies', () => {
  it('contains the median and the longest latency of each minute, and the number of checks', () => {
    const latencies = new Latencies();
    for (const latency of [4, 8, 6]) latencies.record(start + latency * second, latency);
    latencies.record(start + 20 * second, null);
    latencies.record(start + 25 * second, 2000);
    expect([...latencies.byMinute()]).toEqual([[start, { latency_ms: 7, max_latency_ms: 2000, checks: 5 }]]);
  });

  it('has no latency for a minute of failures', () => {
    const latencies = new Latencies();
    latencies.record(start, null);
    expect(latencies.byMinute().get(start)).toEqual({ latency_ms: null, max_latency_ms: null, checks: 1 });
    expect(latencies.usual()).toBeNull();
  });

  it('keeps the last two hours only', () => {
    const latencies = new Latencies();
    for (let ms = 0; ms < 5 * 60 * minute; ms += 5 * second) latencies.record(start + ms, 5);
    const minutes = [...latencies.byMinute().keys()];
    expect(minutes.length).toBeGreaterThanOrEqual(120);
    expect(minutes.length).toBeLessThanOrEqual(122);
    expect(minutes[0]).toBeGreaterThanOrEqual(start + 3 * 60 * minute - 2 * minute);
  });

  it('reports the median of the minutes as the usual latency, which one slow minute does not change', () => {
    const latencies = new Latencies();
    for (let i = 0; i < 9; i += 1) latencies.record(start + i * minute, i === 4 ? 900 : 5);
    expect(latencies.usual()).toBe(5);
  });
});
