import { describe, expect, it } from 'vitest';
import { createRecord } from '../../../../api/commandRecord.ts';
import { sampleResourceVersion as version } from '../../../fixtures/resourceResponses.ts';
import { extractCorrections, quantityPoints, quantitySeries, estimateTimeLeft } from './forecast.ts';

const hour = 3_600_000;
const minute = 60_000;
const parseStamp = (stamp: string | null | undefined) => (stamp ? Date.parse(stamp) : null);
const consumption = (...values: number[]) =>
  values.map((value, index) => ({ time: index * hour, value, capacity: null as number | null }));
const command = (name: string, sentAt: number, result: 'done' | 'failed' = 'done') => ({
  event_data: createRecord(
    {
      command: name,
      target: { kind: 'resource', id: 'R', name: 'tips' },
      result,
      reason: '',
      sent_at: new Date(sentAt).toISOString(),
      duration_ms: 300,
      application: 'dashboard',
      machine: null,
    },
    name,
  ),
});

describe('the plot of a quantity', () => {
  it('is omitted if the quantity never changed', () => {
    expect(quantitySeries(quantityPoints([version(1), version(2)], parseStamp), 0)).toBeNull();
  });

  it('is sorted by time and extends the last value until now', () => {
    const points = quantityPoints([version(2, { quantity: 4 }), version(1)], parseStamp);
    const now = Date.parse('2026-11-22T05:00:00Z');
    expect(quantitySeries(points, now)).toMatchObject({
      times: [parseStamp('2026-11-22T01:00:00Z'), parseStamp('2026-11-22T02:00:00Z'), now],
      series: [{ values: [10, 4, 4] }],
    });
  });

  it('ends at the last change if the clock of this machine is behind', () => {
    const points = quantityPoints([version(1), version(2, { quantity: 4 })], parseStamp);
    expect(quantitySeries(points, 0)?.times).toHaveLength(2);
  });
});

describe('the forecast of a quantity', () => {
  it.each([
    ['uses a steady pace', consumption(12, 10, 8, 6), 3 * hour, 3 * hour],
    ['leaves out refills', consumption(10, 6, 10, 6, 10, 6), 5 * hour, 2.5 * hour],
    ['is missing if nothing is used', consumption(10, 10, 10), 2 * hour, null],
    ['is missing after a single use', consumption(10, 10, 10, 5), 3 * hour, null],
    ['is missing after two uses', consumption(10, 8, 6), 2 * hour, null],
    ['is missing for an empty resource', consumption(6, 4, 2, 0), 3 * hour, null],
  ])('%s', (_name, points, now, left) => expect(estimateTimeLeft(points, now)).toBe(left));

  it('is based on the last 7 days only', () => {
    const values = [100, 80, 60, 40, 40, 40];
    const sampleTimes = [0, hour, 2 * hour, 3 * hour, 240 * hour, 241 * hour];
    const old = values.map((value, index) => ({ time: sampleTimes[index] ?? 0, value, capacity: null }));
    expect(estimateTimeLeft(old, 242 * hour)).toBeNull();
  });

  it('ignores a recorded correction, which is not consumption', () => {
    const points = consumption(1000, 998, 100, 98, 96);
    expect(estimateTimeLeft(points, 4 * hour)).toBeLessThan(hour);
    const corrections = extractCorrections([command('set_quantity', 2 * hour - 200)]);
    expect(estimateTimeLeft(points, 4 * hour, corrections)).toBe((96 / 6) * 4 * hour);
  });

  it.each([
    ['a refused command', command('set_quantity', 2 * hour, 'failed')],
    ['a subtraction by a user', command('subtract_from_quantity', 2 * hour)],
    ['another event', { event_data: 'text' }],
  ])('does not treat %s as a correction', (_name, event) => expect(extractCorrections([event])).toEqual([]));

  it('ignores a change that is undone within minutes', () => {
    const points = [
      ...consumption(1000, 998),
      { time: 2 * hour, value: 8, capacity: null },
      { time: 2 * hour + 2 * minute, value: 998, capacity: null },
      { time: 3 * hour, value: 996, capacity: null },
      { time: 4 * hour, value: 994, capacity: null },
    ];
    expect(estimateTimeLeft(points, 4 * hour)).toBe((994 / 6) * 4 * hour);
  });

  it('counts the consumption before a refill up to the capacity', () => {
    const points = [
      { time: 0, value: 96, capacity: 96 },
      ...[80, 64, 48].map((value, index) => ({ time: hour + index, value, capacity: 96 })),
      { time: hour + minute, value: 96, capacity: 96 },
    ];
    expect(estimateTimeLeft(points, 2 * hour)).toBe(4 * hour);
  });
});
