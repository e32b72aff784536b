import { describe, expect, it } from 'vitest';
import { sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { createResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { toResourceRows } from '#dashboard/managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import { bulkTexts as texts } from '../batch/texts.ts';
import { findMoveProblem } from './bulkMove.ts';

const child = (id: string, parent_id: string, key: string) => sampleResource(id, { resource_name: id, parent_id, key });
const index = createResourceIndex(
  toResourceRows([
    sampleResource('stack', { base_type: 'stack', capacity: 3, children: [child('x', 'stack', '0')] }),
    sampleResource('queue', { base_type: 'queue', children: [child('y', 'queue', '1')] }),
    sampleResource('box', { base_type: 'collection', children: { a: child('held', 'box', 'a') } }),
    sampleResource('pool', { base_type: 'pool', capacity: 1, children: {} }),
    sampleResource('a', { resource_name: 'a' }),
    sampleResource('b', { resource_name: 'b' }),
    sampleResource('b2', { resource_name: 'b' }),
    sampleResource('c', { resource_name: 'c', base_type: 'consumable' }),
    sampleResource('d', { resource_name: 'd', base_type: 'consumable' }),
  ]),
);
const rows = (...ids: string[]) => ids.flatMap((id) => index.byId.get(id) ?? []);

describe('findMoveProblem', () => {
  it.each([
    ['allows two in a stack with space for two', 'stack', ['a', 'b'], null],
    ['refuses three in a stack with space for two', 'stack', ['a', 'b', 'c'], texts.room(2)],
    ['does not count one that is in the stack already', 'stack', ['a', 'x', 'b'], null],
    ['refuses what is in the stack already', 'stack', ['x'], 'They are in it already.'],
    ['refuses a push into a queue whose key collides', 'queue', ['a'], resourcesTexts.operations.pushCollides],
    ['allows free keys of a collection', 'box', ['b', 'c'], null],
    ['refuses a key that the collection has', 'box', ['a'], 'There would be two with the key “a”.'],
    ['refuses two with one key', 'box', ['b', 'b2'], 'There would be two with the key “b”.'],
    ['allows consumables in a pool', 'pool', ['c', 'd'], null],
    ['refuses anything else in a pool', 'pool', ['c', 'a'], 'A pool accepts only consumables.'],
  ])('the check of a move %s', (_title, into, ids, problem) => {
    const [container] = rows(into);
    if (container === undefined) throw new Error('The index does not contain the container');
    expect(findMoveProblem(container, rows(...ids), index)).toBe(problem);
  });
});
