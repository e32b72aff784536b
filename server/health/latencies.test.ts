import { describe, expect, it, vi } from 'vitest';
import { Latencies } from './latencies.ts';

const start = Date.UTC(2026, 0, 15, 12, 0, 0);
const second = 1000;
const minute = 60 * second;

describe('Latencies', () => {
  it('reports the median of a minute, without its failures', () => {
    const latencies = new Latencies();
    for (const latency of [4, 8, 6]) latencies.record(start + latency * second, latency);
    latencies.record(start + 20 * second, null);
    latencies.record(start + 25 * second, 2000);
    expect(latencies.usualMs()).toBe(7);
  });

  it('has no usual latency after failures only', () => {
    const latencies = new Latencies();
    latencies.record(start, null);
    expect(latencies.usualMs()).toBeNull();
  });

  it('computes the usual latency once, also if there is none, until another response is recorded', () => {
    const latencies = new Latencies();
    latencies.record(start, 5);
    const compute = vi.spyOn(Array.prototype, 'flatMap');
    for (let i = 1; i < 100; i += 1) {
      latencies.record(start + i * second, null);
      latencies.usualMs();
    }
    const withOne = compute.mock.calls.length;
    const silent = new Latencies();
    silent.record(start, null);
    silent.usualMs();
    silent.usualMs();
    const withNone = compute.mock.calls.length - withOne;
    compute.mockRestore();
    expect([withOne, withNone]).toEqual([1, 1]);
  });

  it('keeps the last two hours only', () => {
    const latencies = new Latencies();
    const slowMinutes = 3 * 60;
    for (let i = 0; i < slowMinutes + 125; i += 1) latencies.record(start + i * minute, i < slowMinutes ? 900 : 5);
    expect(latencies.usualMs()).toBe(5);
  });

  it('reports the median of the minutes as the usual latency, which one slow minute does not change', () => {
    const latencies = new Latencies();
    for (let i = 0; i < 9; i += 1) latencies.record(start + i * minute, i === 4 ? 900 : 5);
    expect(latencies.usualMs()).toBe(5);
  });
});
