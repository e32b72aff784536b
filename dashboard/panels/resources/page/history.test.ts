import { describe, expect, it } from 'vitest';
import type { ResourceVersion } from '../../../../api/managers/resourceTypes.ts';
import { resourcesTexts } from '../texts.ts';
import { historyLines, quantitySeries, removedNow, timeLeft } from './history.ts';

const texts = resourcesTexts.history;
const hour = 3_600_000;
const version = (number: number, more: Partial<ResourceVersion> = {}): ResourceVersion => ({
  resource_id: 'R',
  resource_name: 'tips',
  base_type: 'discrete_consumable',
  version: number,
  change_type: 'Updated',
  changed_at: `2026-11-22T${String(number).padStart(2, '0')}:00:00Z`,
  quantity: 10,
  ...more,
});
const at = (stamp: string | null | undefined) => (stamp ? Date.parse(stamp) : null);
const changes = (...versions: ResourceVersion[]) =>
  historyLines(versions, (id) => `“${id}”`).map((line) => line.changes);

describe('the history of a resource', () => {
  it('says what changed, from what, to what, newest first', () => {
    expect(
      changes(
        version(1, { change_type: 'Added' }),
        version(2, { quantity: 8 }),
        version(3, { quantity: 8, parent_id: 'deck' }),
        version(4, { quantity: 8, parent_id: 'rack', attributes: { lot: 7 }, locked_by: 'me' }),
      ),
    ).toEqual([
      [
        texts.moved('“deck”', '“rack”'),
        texts.changed(resourcesTexts.columns.locked, texts.nothing, 'me'),
        texts.changed('lot', texts.nothing, '7'),
      ],
      [texts.moved(texts.nowhere, '“deck”')],
      [texts.changed(resourcesTexts.operations.amountField, '10', '8')],
      [texts.added],
    ]);
  });

  it.each([
    [
      'a removal',
      [version(1, { change_type: 'Added' }), version(2, { change_type: 'Removed', removed: true })],
      [texts.removed],
    ],
    ['a return', [version(1, { change_type: 'Removed', removed: true }), version(2)], [texts.restored]],
    ['an update without a visible change', [version(1), version(2)], [texts.updated]],
    [
      'children',
      [version(1, { child_ids: ['a', 'b'] }), version(2, { child_ids: ['b', 'c', 'd'] })],
      [texts.put(2), texts.taken(1)],
    ],
  ])('names %s', (_name, versions, newest) => expect(changes(...versions)[0]).toEqual(newest));

  it('plots a quantity only where it changed', () => {
    expect(quantitySeries([version(1), version(2)], at)).toBeNull();
    expect(quantitySeries([version(2, { quantity: 4 }), version(1)], at)).toMatchObject({
      times: [at('2026-11-22T01:00:00Z'), at('2026-11-22T02:00:00Z')],
      series: [{ values: [10, 4] }],
    });
  });

  it('lists what is removed now, once each, newest first', () => {
    const gone = (id: string, number: number) => version(number, { resource_id: id, removed: true });
    const listed = removedNow([gone('a', 3), gone('a', 7), gone('b', 5), gone('back', 9)], (id) => id === 'back');
    expect(listed.map(({ resource_id: id, version: number }) => [id, number])).toEqual([
      ['a', 7],
      ['b', 5],
    ]);
  });
});

describe('how long it lasts', () => {
  const used = (...values: number[]) => ({
    times: values.map((_value, index) => index * hour),
    series: [{ name: '', values }],
  });
  it.each([
    ['at a steady pace', used(10, 8, 6), 2 * hour, 3 * hour],
    ['where it was refilled, by what was used', used(10, 5, 10, 5), 3 * hour, 1.5 * hour],
    ['where nothing is used', used(10, 10, 10), 2 * hour, null],
    ['where too little is known', used(10, 5), hour, null],
    ['where it is empty', used(4, 2, 0), 2 * hour, 0],
  ])('%s', (_name, series, now, left) => expect(timeLeft(series, now)).toBe(left));

  it('looks back on 7 days only', () => {
    const old = {
      times: [0, hour, 10 * 24 * hour, 10 * 24 * hour + hour],
      series: [{ name: '', values: [100, 50, 50, 50] }],
    };
    expect(timeLeft(old, 10 * 24 * hour + 2 * hour)).toBeNull();
  });
});
