import { describe, expect, it } from 'vitest';
import { sampleResourceVersion as version } from '#dashboard/fixtures/resourceResponses.ts';
import { resourcesTexts } from '../texts.ts';
import { toHistoryLines, findRemoved, compareVersions } from './history.ts';
import type { ResourceVersion } from '#api/managers/resourceTypes.ts';
import { toResourceRow } from '#dashboard/managers/resource/resourceRow.ts';

const texts = resourcesTexts.history;
const changes = (...versions: ReturnType<typeof version>[]) =>
  toHistoryLines(versions, (id) => `“${id}”`).map((line) => line.changes);

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
        'Moved from “deck” to “rack”',
        texts.changed(resourcesTexts.columns.locked, texts.nothing, 'me'),
        texts.changed('lot', texts.nothing, '7'),
      ],
      [`Moved from ${texts.nowhere} to “deck”`],
      [texts.changed(resourcesTexts.operations.amountField, '10', '8')],
      ['Added'],
    ]);
  });

  it('has the unit of each amount, and no sum of several units', () => {
    const versions = [
      version(1, { quantity: 5, attributes: { unit: 'mL' } }),
      version(2, { quantity: 4500, attributes: { unit: 'uL' } }),
    ];
    expect(changes(...versions)[0]).toEqual([
      texts.changed(resourcesTexts.operations.amountField, '5 mL', '4500 uL'),
      texts.changed('unit', 'mL', 'uL'),
    ]);
    const plate = [version(1, { base_type: 'grid', quantity: 5 }), version(2, { base_type: 'grid', quantity: 6 })];
    expect(toHistoryLines(plate, String, true)[0]?.changes).toEqual([texts.updated]);
  });

  it.each([
    [
      'a removal',
      [version(1, { change_type: 'Added' }), version(2, { change_type: 'Removed', removed: true })],
      [texts.removed],
    ],
    ['a restoration', [version(1, { change_type: 'Removed', removed: true }), version(2)], ['Restored']],
    ['an update without a visible change', [version(1), version(2)], [texts.updated]],
    [
      'changes of children',
      [version(1, { child_ids: ['a', 'b'] }), version(2, { child_ids: ['b', 'c', 'd'] })],
      [texts.childrenAdded(2), texts.childrenRemoved(1)],
    ],
  ])('describes %s', (_name, versions, newest) => expect(changes(...versions)[0]).toEqual(newest));
});

it('findRemoved lists the resources that are still removed, latest version first and once each', () => {
  const removedVersion = (id: string, number: number) => version(number, { resource_id: id, removed: true });
  const removedResources = findRemoved(
    [removedVersion('a', 3), removedVersion('a', 7), removedVersion('b', 5), removedVersion('restored', 9)],
    (id) => id === 'restored',
  );
  expect(removedResources.map(({ resource_id: id, version: number }) => [id, number])).toEqual([
    ['a', 7],
    ['b', 5],
  ]);
});

it('a change of an attribute between null, an empty text and a missing one is described', () => {
  const versions = [null, '', undefined].map((note, index) =>
    version(index + 1, { attributes: note === undefined ? {} : { note } }),
  );
  const { changed, nothing } = resourcesTexts.history;
  const lines = changes(...versions).map(([first]) => first);
  expect(lines.slice(0, 2)).toEqual([changed('note', '""', nothing), changed('note', 'null', '""')]);
});

const columns = resourcesTexts.columns;
const nothing = resourcesTexts.history.nothing;
const storedVersion = (number: number, overrides: Partial<ResourceVersion> = {}): ResourceVersion => ({
  resource_id: 'R',
  resource_name: 'tips',
  base_type: 'discrete_consumable',
  version: number,
  change_type: 'Updated',
  changed_at: String(number * 1000),
  quantity: 96,
  ...overrides,
});
const currentRow = toResourceRow({
  resource_id: 'R',
  resource_name: 'tips',
  base_type: 'discrete_consumable',
  resource_class: 'rack',
  quantity: 6,
  parent_id: 'shelf',
  attributes: { low_mark: 16, lot: 'B' },
});

describe('an earlier version of a resource', () => {
  it('is compared with the current one, with differences marked', () => {
    const earlierVersion = storedVersion(1, {
      resource_class: 'rack',
      attributes: { lot: 'A', unit: 'tips' },
      parent_id: null,
    });
    const fields = compareVersions(earlierVersion, currentRow, (id) => `name of ${id}`);
    expect(fields.filter(({ differs }) => differs).map(({ title, before, now }) => [title, before, now])).toEqual([
      [resourcesTexts.operations.amountField, '96 tips', '6'],
      [columns.place, resourcesTexts.history.nowhere, 'name of shelf'],
      [columns.attribute('lot'), 'A', 'B'],
      [columns.attribute('low_mark'), nothing, '16'],
      [columns.attribute('unit'), 'tips', nothing],
    ]);
    expect(fields.map(({ title }) => title)).toContain(columns.cls);
    expect(fields.map(({ title }) => title)).not.toContain(columns.description);
  });

  it('is compared without its amount if the resource is a container', () => {
    const stack = toResourceRow({
      resource_id: 'S',
      resource_name: 's',
      base_type: 'stack',
      quantity: 2,
      children: [],
    });
    const earlierVersion = storedVersion(1, { base_type: 'stack', quantity: 5 });
    expect(compareVersions(earlierVersion, stack, String).map(({ key }) => key)).not.toContain('quantity');
  });
});
