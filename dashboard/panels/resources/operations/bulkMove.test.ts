import { describe, expect, it } from 'vitest';
import { sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { createResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { toResourceRows } from '#dashboard/managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import { findMoveProblem } from './bulkMove.ts';
import { bulkTexts as texts } from './bulkTexts.ts';

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
    ['stack', ['a', 'b'], null],
    ['stack', ['a', 'b', 'c'], texts.room(2)],
    ['stack', ['a', 'x', 'b'], null],
    ['stack', ['x'], 'They are in it already.'],
    ['queue', ['a'], resourcesTexts.operations.pushCollides],
    ['box', ['b', 'c'], null],
    ['box', ['a'], 'There would be two with the key “a”.'],
    ['box', ['b', 'b2'], 'There would be two with the key “b”.'],
    ['pool', ['c', 'd'], null],
    ['pool', ['c', 'a'], 'A pool accepts only consumables.'],
  ])('for a move into %s of %j returns %s', (into, ids, problem) => {
    const [container] = rows(into);
    if (container === undefined) throw new Error('The index does not contain the container');
    expect(findMoveProblem(container, rows(...ids), index)).toBe(problem);
  });
});
