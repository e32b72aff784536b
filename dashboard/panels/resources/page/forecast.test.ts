import { describe, expect, it } from 'vitest';
import { createRecord } from '#api/commandRecord.ts';
import { sampleResourceVersion as version } from '#dashboard/fixtures/resourceResponses.ts';
import { extractCorrections, quantityHistory, quantitySeries, estimateTimeLeft } from './forecast.ts';

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

const tips = { type: 'discrete_consumable', unit: '', totals: {} };

describe('the plot of a quantity', () => {
  it('is omitted if the quantity never changed', () => {
    expect(quantitySeries(quantityHistory([version(1), version(2)], parseStamp, tips), 0)).toBeNull();
  });

  it('is sorted by time and extends the last value until now', () => {
    const points = quantityHistory([version(2, { quantity: 4 }), version(1)], parseStamp, tips);
    const now = Date.parse('2026-11-22T05:00:00Z');
    expect(quantitySeries(points, now)).toMatchObject({
      times: [parseStamp('2026-11-22T01:00:00Z'), parseStamp('2026-11-22T02:00:00Z'), now],
      series: [{ values: [10, 4, 4] }],
    });
  });

  it('ends at the last change if the clock of this machine is behind', () => {
    const points = quantityHistory([version(1), version(2, { quantity: 4 })], parseStamp, tips);
    expect(quantitySeries(points, 0)?.times).toHaveLength(2);
  });
});

describe('the recorded quantities', () => {
  const inUnit = (number: number, quantity: number, unit?: string) =>
    version(number, { quantity, capacity: 2 * quantity, attributes: unit === undefined ? {} : { unit } });
  const read = (versions: ReturnType<typeof version>[], row: Parameters<typeof quantityHistory>[2]) => {
    const { points, otherUnits, unit } = quantityHistory(versions, parseStamp, row);
    return { values: points.map(({ value, capacity }) => [value, capacity]), unit, otherUnits };
  };
  const bottle = { type: 'continuous_consumable', unit: 'µL', totals: {} };

  it('are converted into the current unit of the resource', () => {
    expect(read([inUnit(1, 5, 'mL'), inUnit(2, 4500, 'uL')], bottle)).toEqual({
      values: [
        [5000, 10_000],
        [4500, 9000],
      ],
      unit: 'µL',
      otherUnits: [],
    });
  });

  it('leave out and name the units that can’t be converted', () => {
    expect(read([inUnit(1, 5, 'mg'), inUnit(2, 3), inUnit(3, 400, 'µL')], bottle)).toEqual({
      values: [[400, 800]],
      unit: 'µL',
      otherUnits: ['mg', ''],
    });
  });

  it('before the unit was added are in this unit, unless the number was changed with it', () => {
    const added = [inUnit(1, 5), inUnit(2, 4), inUnit(3, 4, 'µL'), inUnit(4, 3, 'µL')];
    expect(read(added, bottle)).toEqual({
      values: [5, 4, 4, 3].map((value) => [value, 2 * value]),
      unit: 'µL',
      otherUnits: [],
    });
    expect(read([inUnit(1, 5), inUnit(2, 5, 'mL'), inUnit(3, 4, 'mL')], bottle).values).toEqual([
      [5000, 10_000],
      [5000, 10_000],
      [4000, 8000],
    ]);
  });

  it('of a container are in the only unit of its contents, and are left out with several', () => {
    const plate = { type: 'grid', unit: '' };
    expect(read([inUnit(1, 5), inUnit(2, 4)], { ...plate, totals: { mL: 4 } })).toMatchObject({
      values: [
        [5, 10],
        [4, 8],
      ],
      unit: 'mL',
    });
    expect(read([inUnit(1, 5), inUnit(2, 4)], { ...plate, totals: { mL: 4, uL: 200 } })).toEqual({
      values: [],
      unit: '',
      otherUnits: ['mL', 'uL'],
    });
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

  it('does not count a corrected unit as consumption', () => {
    const versions = ['mL', 'mL', 'mL', 'mL', 'µL'].map((unit, index) =>
      version(index + 1, { quantity: 9 - Math.min(index, 3), attributes: { unit } }),
    );
    const { points } = quantityHistory(versions, parseStamp, { ...tips, type: 'consumable', unit: 'µL' });
    // 3 mL were used in 4 hours, and 6 µl are left.
    expect(estimateTimeLeft(points, parseStamp('2026-11-22T05:00:00Z') ?? 0)).toBeCloseTo((6 / 3000) * 4 * hour);
  });

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
