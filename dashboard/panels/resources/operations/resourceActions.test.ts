import { describe, expect, it } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { createResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { resourceDifferences } from '#dashboard/managers/resource/resourcePremise.ts';
import { toResourceRow, toResourceRows } from '#dashboard/managers/resource/resourceRow.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { resourcesTexts } from '../texts.ts';
import { resourceOperation, type ResourceAction } from './resourceActions.ts';

const texts = resourcesTexts.operations;
const child = (id: string, key: string) => sampleResource(id, { resource_name: id, parent_id: 'S', key });
const sampleRack = (type: string, ...ids: readonly string[]): Resource =>
  sampleResource('S', { base_type: type, children: ids.map((id, position) => child(id, String(position))) });
const throwIfCalled = () => {
  throw new Error('Nothing is sent here.');
};
function describeResult(resource: Resource, action: ResourceAction, response: Resource | readonly Resource[]) {
  const index = createResourceIndex(toResourceRows([resource]));
  return resourceOperation(
    { client: throwIfCalled, reader: throwIfCalled },
    toResourceRow(resource),
    index,
    action,
  ).interpretResponse(response, [resource]);
}

describe('the result of a command on a resource', () => {
  it.each([
    ['stack', 'B'],
    ['queue', 'A'],
  ])('names the child that was popped from a %s', (type, end) => {
    const rack = sampleRack(type, 'A', 'B');
    expect(describeResult(rack, { kind: 'pop' }, [child(end, '0'), rack])).toBe(texts.popped(end));
  });

  it('is unclear when another child was popped than the dialog named', () => {
    const rack = sampleRack('stack', 'A', 'B');
    expect(describeResult(rack, { kind: 'pop' }, [child('C', '2'), rack])).toEqual({
      state: 'unclear',
      text: texts.poppedOther('C', 'B'),
    });
  });

  it.each<[ResourceAction, Partial<Resource>, boolean]>([
    [{ kind: 'setQuantity', value: 138 }, { quantity: 138 }, true],
    [{ kind: 'setQuantity', value: 138 }, { quantity: 900 }, false],
    [{ kind: 'setCapacity', value: null }, { capacity: null }, true],
    [{ kind: 'setCapacity', value: null }, { capacity: 5 }, false],
    [{ kind: 'fill' }, { quantity: 1000 }, true],
    [{ kind: 'fill' }, { quantity: 999 }, false],
    [{ kind: 'empty' }, { quantity: 0 }, true],
    [{ kind: 'empty' }, { quantity: 1 }, false],
    [{ kind: 'unlock', holder: 'robot' }, { locked_by: 'robot' }, false],
  ])('is a confirmation of %j with the response %j: %s', (action, changes, isConfirmed) => {
    const well = sampleResource('W', { base_type: 'continuous_consumable', quantity: 38, capacity: 1000 });
    expect(typeof describeResult(well, action, { ...well, ...changes })).toBe(isConfirmed ? 'string' : 'object');
  });
});

it('resourceDifferences lists the changes since the dialog opened', () => {
  const rack = sampleRack('stack', 'A', 'B');
  const shownResource = { row: toResourceRow(rack), index: createResourceIndex(toResourceRows([rack])) };
  expect(resourceDifferences(shownResource, sampleRack('stack', 'A', 'B'), ['end', 'contents'])).toEqual([]);
  expect(resourceDifferences(shownResource, sampleRack('stack', 'A', 'C'), ['end', 'contents'])).toEqual([
    resourceTexts.changed.end('B', 'C'),
    resourceTexts.changed.added('C'),
    resourceTexts.changed.gone('B'),
  ]);
});
