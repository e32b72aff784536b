import { describe, expect, it } from 'vitest';
import { sampleVersion as version } from '../../../fixtures/resources.ts';
import { resourcesTexts } from '../texts.ts';
import { historyLines, removedNow } from './history.ts';

const texts = resourcesTexts.history;
const changes = (...versions: ReturnType<typeof version>[]) =>
  historyLines(versions, (id) => `“${id}”`).map((line) => line.changes);

describe('the history of a resource', () => {
  it('lists old and new value of each change, newest first', () => {
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
      'changes of children',
      [version(1, { child_ids: ['a', 'b'] }), version(2, { child_ids: ['b', 'c', 'd'] })],
      [texts.put(2), texts.taken(1)],
    ],
  ])('names %s', (_name, versions, newest) => expect(changes(...versions)[0]).toEqual(newest));

  it('lists what is currently removed, newest first and once each', () => {
    const gone = (id: string, number: number) => version(number, { resource_id: id, removed: true });
    const listed = removedNow([gone('a', 3), gone('a', 7), gone('b', 5), gone('back', 9)], (id) => id === 'back');
    expect(listed.map(({ resource_id: id, version: number }) => [id, number])).toEqual([
      ['a', 7],
      ['b', 5],
    ]);
  });
});
