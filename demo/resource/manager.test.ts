import { describe, expect, it } from 'vitest';
import { baseTypes } from '../../api/managers/resourceTypes.ts';
import { ask, testParts, type Asked } from '../serving/asking.ts';
import { createResourceManager } from './manager.ts';

const unknown = '01K5HDZZCF27YHD2WDGSXFPPKF';
const owner = '01K5HDZZCF27YHD2WDGSXFPPKA';

interface Any {
  [key: string]: unknown;
  resource_id: string;
  children: Any[] & Record<string, Any>;
}

function lab() {
  const parts = testParts();
  const manager = createResourceManager(parts);
  const answer = (name: Parameters<typeof ask<typeof manager.api>>[1], asked?: Asked) => ask(manager, name, asked);
  /** Adds a resource and answers its ID. */
  const add = (body: object) => (answer('addResource', { body }).body as Any).resource_id;
  const on = (id: string, more: Asked = {}): Asked => ({ params: { resource_id: id }, ...more });
  const get = (id: string) => answer('getResource', on(id)).body as Any;
  const detail = (name: Parameters<typeof answer>[0], asked?: Asked) => {
    const { status, body } = answer(name, asked);
    return [status, (body as { detail?: unknown }).detail ?? body];
  };
  return { ...parts, manager, answer, add, on, get, detail };
}

const sizes = { columns: 3, rows: 2, layers: 2 };

describe('adding', () => {
  it.each(baseTypes)('%s: the defaults of its type', (type) => {
    const { answer, manager } = lab();
    const { body } = answer('addResource', { body: { base_type: type, ...sizes } });
    expect(body).toMatchObject({ base_type: type, parent_id: null, removed: false, template_name: null });
    expect(body).toHaveProperty('owner.manager_id');
    expect(JSON.stringify(body)).toMatch(/"resource_name":"[a-z]+_[a-z]+"/);
    expect((manager.health() as { total_resources: number }).total_resources).toBe(
      { grid: 3, voxel_grid: 7 }[type as string] ?? 1,
    );
  });

  it.each([
    ['resource', null, undefined],
    ['asset', null, undefined],
    ['discrete_consumable', 0, undefined],
    ['container', 0, {}],
    ['pool', 0, {}],
    ['slot', 0, []],
    ['stack', 0, []],
    ['row', 0, [null, null, null]],
  ])('%s: quantity %s, children %j', (type, quantity, children) => {
    const { add, get } = lab();
    const found = get(add({ base_type: type, ...sizes }));
    expect(found['quantity']).toBe(quantity);
    expect(found['children']).toEqual(children);
  });

  it('makes the rows of a grid, and lists as many places as columns', () => {
    const { add, get } = lab();
    const grid = get(add({ base_type: 'grid', resource_name: 'rack', ...sizes }));
    expect(grid.children.map((row) => row?.['resource_name'] ?? null)).toEqual(['rack_row_0', 'rack_row_1', null]);
    const tall = get(add({ base_type: 'grid', resource_name: 'tall', columns: 1, rows: 3 }));
    expect(tall.children).toHaveLength(3);
    const cube = get(add({ base_type: 'voxel_grid', resource_name: 'cube', ...sizes }));
    expect(cube.children[1]?.children[0]).toMatchObject({ resource_name: 'cube_layer_1_row_0', key: '0' });
  });

  it('drops unknown keys, `unit` and `is_one_indexed`', () => {
    const { answer } = lab();
    const consumable = { base_type: 'consumable', unit: 'ml', colour: 'red', quantity: 2 };
    const { body } = answer('addResource', { body: consumable });
    expect(body).toMatchObject({ unit: null, quantity: 2 });
    expect(body).not.toHaveProperty('colour');
    const row = answer('addResource', { body: { base_type: 'row', columns: 1, is_one_indexed: false } });
    expect(row.body).toMatchObject({ is_one_indexed: true });
  });

  it('answers a known ID with what is stored, unchanged', () => {
    const { answer, add } = lab();
    const id = add({ base_type: 'asset', resource_name: 'old' });
    const { body } = answer('addResource', { body: { base_type: 'asset', resource_id: id, resource_name: 'new' } });
    expect(body).toMatchObject({ resource_name: 'old' });
  });

  it.each([
    [{}],
    [{ base_type: 'box' }],
    [{ base_type: 'row' }],
    [{ base_type: 'consumable', quantity: 2, capacity: 1 }],
    [{ base_type: 'consumable', quantity: -1 }],
    [{ base_type: 'discrete_consumable', quantity: 1.5 }],
    [{ base_type: 'slot', capacity: 2 }],
    [{ base_type: 'row', columns: -1 }],
    [{ base_type: 'asset', resource_id: 'short' }],
    [{ base_type: 'asset', owner: { user_id: 'me' } }],
    [{ base_type: 'stack', capacity: 1, children: [{ base_type: 'asset' }, { base_type: 'asset' }] }],
    [{ base_type: 'pool', children: { a: { base_type: 'asset' } } }],
  ])('refuses %j', (body) => {
    expect(lab().answer('addResource', { body }).status).toBe(422);
  });

  it('refuses a place that is taken and a circle, and then has changed nothing', () => {
    const { add, detail, get, manager } = lab();
    const box = add({ base_type: 'container', children: { a: { base_type: 'asset' } } });
    const { total } = manager.store.table;
    expect(detail('addResource', { body: { base_type: 'asset', parent_id: box, key: 'a' } })[0]).toBe(500);
    const circle = { base_type: 'container', resource_id: box, parent_id: box };
    expect(detail('updateResource', { body: circle })).toEqual([
      500,
      `Recursive parent relationship detected for resource_id ${box}`,
    ]);
    expect(manager.store.table.total).toBe(total);
    expect(get(box)).toMatchObject({ parent_id: null, quantity: 1 });
  });
});

describe('updating', () => {
  it('replaces the whole: what is left out is gone, also the parent', () => {
    const { add, answer, get } = lab();
    const plate = { base_type: 'asset', resource_name: 'plate', attributes: { wells: 96 }, resource_class: 'plate' };
    const box = add({ base_type: 'container', children: { a: plate } });
    const { resource_id: id } = get(box).children['a'] as Any;
    const { body } = answer('updateResource', { body: { base_type: 'asset', resource_id: id } });
    expect(body).toMatchObject({ attributes: {}, resource_class: '', parent_id: null, key: null });
    expect(get(box).children).toEqual({});
  });

  it('replaces the children too; those left out lose their parent and keep their key', () => {
    const { add, answer, get } = lab();
    const box = add({ base_type: 'container', children: { a: { base_type: 'asset' }, b: { base_type: 'asset' } } });
    const { children } = get(box);
    const { a, b } = children;
    answer('updateResource', { body: { base_type: 'container', resource_id: box, children: { b } } });
    expect(Object.keys(get(box).children)).toEqual(['b']);
    expect(get(a!.resource_id)).toMatchObject({ parent_id: null, key: 'a' });
  });

  it('sent back as served, nothing changes', () => {
    const { add, answer, get } = lab();
    const id = add({ base_type: 'grid', columns: 2, rows: 2 });
    const before = get(id);
    const body = { ...before, children: before.children.filter((child) => child !== null) };
    expect(answer('updateResource', { body }).body).toEqual(before);
    expect(answer('addOrUpdateResource', { body }).body).toEqual(before);
  });

  it('does not know every resource', () => {
    const { detail, answer } = lab();
    const body = { base_type: 'asset', resource_id: unknown };
    expect(detail('updateResource', { body })).toEqual([500, 'No row was found when one was required']);
    expect(answer('addOrUpdateResource', { body }).status).toBe(200);
  });
});

describe('finding', () => {
  function stocked() {
    const found = lab();
    found.add({
      base_type: 'container',
      resource_name: 'box',
      children: { a: { base_type: 'asset', resource_name: 'lid' } },
    });
    found.add({ base_type: 'asset', resource_name: 'plate', resource_class: 'plate', owner: { user_id: owner } });
    return found;
  }
  const names = (body: unknown) => (body as Any[]).map((entry) => entry['resource_name']);

  it.each([
    [{}, ['box', 'lid', 'plate']],
    [{ resource_class: 'plate' }, ['plate']],
    [{ resource_name: '', base_type: 'asset' }, ['lid', 'plate']],
    [{ owner: { user_id: owner } }, ['plate']],
    [{ resource_description: 'ignored', resource_name: 'lid' }, ['lid']],
  ])('%j: %j', (body, expected) => {
    expect(names(stocked().answer('queryResources', { body }).body)).toEqual(expected);
  });

  it('answers one where one is wanted', () => {
    const { answer } = stocked();
    expect(answer('queryResources', { body: { multiple: false } }).body).toMatchObject({ resource_name: 'box' });
    const unique = { resource_name: 'plate', unique: true };
    expect(answer('queryResources', { body: unique }).body).toMatchObject({ resource_name: 'plate' });
    expect(answer('queryResources', { body: { unique: true } })).toEqual({
      status: 500,
      body: 'Internal Server Error',
    });
    expect(answer('queryResources', { body: { base_type: 'box' } }).status).toBe(500);
  });

  it.each([{}, { resource_name: 'nobody' }, { unique: true }, { multiple: false }])(
    'is a 404 where nothing is: %j',
    (body) => expect(lab().detail('queryResources', { body })).toEqual([404, 'Resource not found']),
  );

  it('refuses other keys', () => {
    expect(lab().answer('queryResources', { body: { colour: 'red' } }).status).toBe(422);
  });

  it('says where a resource belongs', () => {
    const { answer, get, on, detail, add } = lab();
    const rack = get(add({ base_type: 'grid', columns: 2, rows: 1 }));
    const row = rack.children[0]!.resource_id;
    expect(answer('getHierarchy', on(row)).body).toEqual({
      ancestor_ids: [rack.resource_id],
      resource_id: row,
      descendant_ids: {},
    });
    expect(answer('getHierarchy', on(rack.resource_id)).body).toMatchObject({
      descendant_ids: { [rack.resource_id]: [row] },
    });
    expect(detail('getHierarchy', on(unknown))).toEqual([404, `Resource with ID '${unknown}' not found`]);
    expect(detail('getResource', on(unknown))).toEqual([404, 'Resource not found']);
  });

  it('sets up: the one that matches, a new one, or a failure where several match', () => {
    const { answer, add } = lab();
    const body = { base_type: 'asset', resource_name: 'arm' };
    const first = answer('initResource', { body }).body as Any;
    expect((answer('initResource', { body }).body as Any).resource_id).toBe(first.resource_id);
    add(body);
    expect(answer('initResource', { body })).toEqual({ status: 500, body: 'Internal Server Error' });
    expect(answer('initResource', { body: { base_type: 'grid' } }).status).toBe(422);
    expect(answer('initResource', { body: {} }).body).toMatchObject({ base_type: 'resource' });
  });
});

describe('stacks, queues and slots', () => {
  function filled(type: string, count = 3) {
    const found = lab();
    const id = found.add({ base_type: type, resource_name: type });
    for (let index = 0; index < count; index++) {
      found.answer(
        'pushResource',
        found.on(id, { body: { child: { base_type: 'asset', resource_name: `p${index}` } } }),
      );
    }
    return { ...found, id };
  }

  it.each([
    ['stack', ['p2', 'p1', 'p0']],
    ['queue', ['p0', 'p1', 'p2']],
  ])('%s pops %j', (type, order) => {
    const { id, answer, on, detail } = filled(type);
    const popped = order.map(() => (answer('popResource', on(id)).body as [Any, Any])[0]);
    expect(popped.map((child) => child['resource_name'])).toEqual(order);
    expect(popped[0]).toMatchObject({ parent_id: null, key: null });
    expect(detail('popResource', on(id))).toEqual([500, `Container '${type}' is empty.`]);
  });

  it('a queue keeps its keys, so a push after a pop collides until it is empty', () => {
    const { id, answer, on, detail, get } = filled('queue');
    answer('popResource', on(id));
    expect(get(id).children.map((child) => child['key'])).toEqual(['1', '2']);
    const push = on(id, { body: { child: { base_type: 'asset' } } });
    expect(detail('pushResource', push)).toEqual([
      500,
      `Child with key '2' already exists for parent '${id}'. Set update_existing=True to update the existing child.`,
    ]);
    answer('popResource', on(id));
    answer('popResource', on(id));
    expect(answer('pushResource', push).status).toBe(200);
  });

  it('refuses what does not fit', () => {
    const { add, on, detail } = lab();
    const slot = add({ base_type: 'slot', resource_name: 'nest' });
    const plate = add({ base_type: 'asset', resource_name: 'plate' });
    const body = { child_id: plate };
    expect(detail('pushResource', on(slot, { body }))[0]).toBe(200);
    expect(detail('pushResource', on(slot, { body }))).toEqual([
      500,
      `Cannot push resource '${plate}' to container 'nest (${slot})' because it is full.`,
    ]);
    const child = { base_type: 'asset', resource_name: 'other', resource_id: unknown };
    expect(detail('pushResource', on(slot, { body: { child } }))).toEqual([
      500,
      `Cannot push resource 'other (${unknown})' to container 'nest (${slot})' because it is full.`,
    ]);
    expect(detail('pushResource', on(plate, { body }))).toEqual([
      500,
      "Resource 'plate' with type ResourceTypeEnum.asset is not a stack, slot, or queue resource.",
    ]);
    expect(detail('popResource', on(plate))[0]).toBe(500);
    expect(detail('pushResource', on(unknown, { body }))).toEqual([500, 'No row was found when one was required']);
    expect(detail('popResource', on(unknown))[0]).toBe(500);
    expect(detail('pushResource', on(slot, { body: {} }))[0]).toBe(422);
    const stack = add({ base_type: 'stack' });
    expect(detail('pushResource', on(stack, { body: { child_id: unknown } }))[1]).toContain(
      'does not exist in the database',
    );
  });

  it('moves a known resource out of its old place', () => {
    const { add, on, answer, get } = lab();
    const [from, to] = [add({ base_type: 'slot' }), add({ base_type: 'slot' })];
    const plate = add({ base_type: 'asset' });
    answer('pushResource', on(from, { body: { child_id: plate } }));
    answer('pushResource', on(to, { body: { child_id: plate } }));
    expect([get(from)['quantity'], get(to)['quantity']]).toEqual([0, 1]);
    expect(get(plate)).toMatchObject({ parent_id: to, key: '0' });
  });
});

describe('children by key', () => {
  const asset = { base_type: 'asset', resource_name: 'tube' };

  it.each(['container', 'collection'])('%s takes resources and IDs, and detaches what was there', (type) => {
    const { add, on, answer, get, detail } = lab();
    const box = add({ base_type: type, resource_name: 'box', capacity: 1 });
    const tube = add(asset);
    answer('setChild', on(box, { body: { key: 'a', child: tube } }));
    answer('setChild', on(box, { body: { key: 'a', child: { ...asset, resource_name: 'new' } } }));
    expect(get(box)).toMatchObject({ quantity: 1, children: { a: { resource_name: 'new', key: 'a' } } });
    expect(get(tube)).toMatchObject({ parent_id: null, key: null });
    expect(detail('setChild', on(box, { body: { key: 'b', child: asset } }))).toEqual([
      500,
      "Cannot add child 'tube' to container 'box' because it is full.",
    ]);
    expect(detail('setChild', on(box, { body: { key: 'b', child: tube } }))[0]).toBe(500);
    const inside = get(box).children['a']!;
    answer('setChild', on(box, { body: { key: 'a', child: { ...inside, resource_name: 'renamed' } } }));
    expect(get(box).children['a']).toMatchObject({ resource_name: 'renamed' });
    expect(detail('setChild', on(box, { body: { key: 'a', child: inside.resource_id } }))[0]).toBe(500);
    expect(answer('removeChild', on(box, { body: { key: 'a' } })).body).toMatchObject({ children: {}, quantity: 0 });
    expect(get(inside.resource_id)).toMatchObject({ parent_id: null });
    expect(detail('removeChild', on(box, { body: { key: 'a' } }))).toEqual([500, "'Key not found in children'"]);
  });

  it('a pool holds consumables and sums them', () => {
    const { add, on, answer, detail } = lab();
    const pool = add({ base_type: 'pool', capacity: 500 });
    const child = { base_type: 'continuous_consumable', quantity: 3 };
    answer('setChild', on(pool, { body: { key: 'a', child } }));
    expect(answer('setChild', on(pool, { body: { key: 'b', child } })).body).toMatchObject({ quantity: 6 });
    expect(detail('setChild', on(pool, { body: { key: 'c', child: asset } }))[0]).toBe(500);
  });

  it.each([
    ['row', 0, [0]],
    ['row', '1', [0]],
    ['row', 'a', [0]],
    ['row', '0', [2]],
    ['row', -1, [2]],
    ['grid', 'A1', [0, 0]],
    ['grid', 'b3', [1, 2]],
    ['grid', [1, 2], [1, 2]],
    ['grid', [0, '2'], [0, 1]],
    ['voxel_grid', [1, 2, 0], [0, 1, 2]],
  ])('%s: the key %j is the place %j', (type, key, path) => {
    const { add, on, answer } = lab();
    const id = add({ base_type: type, ...sizes });
    const { body } = answer('setChild', on(id, { body: { key, child: asset } }));
    let found = body as Any;
    for (const index of path) found = found.children[index]!;
    expect(found).toMatchObject({ resource_name: 'tube', key: String(path.at(-1)) });
  });

  it.each([
    ['row', 3, 'list assignment index out of range'],
    ['row', '?', 'substring not found'],
    ['row', [0, 1], 'list indices must be integers or slices, not tuple'],
    ['grid', 'A', 'Key is in the wrong format!'],
    ['grid', [2, 0], "'NoneType' object does not support item assignment"],
    ['grid', [5, 0], 'list index out of range'],
    ['grid', ['a', 0], 'list indices must be integers or slices, not str'],
    ['voxel_grid', 'A1', 'list indices must be integers or slices, not str'],
    ['voxel_grid', [0, 1], 'tuple index out of range'],
    [
      'stack',
      'a',
      "Resource 'x' with type ResourceTypeEnum.stack does not support random access, use `.push` instead.",
    ],
    ['asset', 'a', "Resource 'x' with type ResourceTypeEnum.asset is not a container."],
  ])('%s refuses the key %j: %s', (type, key, why) => {
    const { add, on, detail } = lab();
    const id = add({ base_type: type, resource_name: 'x', ...sizes });
    expect(detail('setChild', on(id, { body: { key, child: asset } }))).toEqual([500, why]);
  });

  it.each(['row', 'grid', 'voxel_grid'])('%s takes only whole resources', (type) => {
    const { add, on, detail } = lab();
    const id = add({ base_type: type, ...sizes });
    const body = { key: { row: '1', grid: 'A1', voxel_grid: [0, 0, 0] }[type], child: add(asset) };
    expect(detail('setChild', on(id, { body }))).toEqual([500, "'str' object has no attribute 'key'"]);
  });

  it('a row counts what its children hold, and no assets', () => {
    const { add, on, answer, get } = lab();
    const row = add({ base_type: 'row', columns: 2 });
    answer('setChild', on(row, { body: { key: 0, child: asset } }));
    const before = get(row).children[0]!;
    expect(get(row)['quantity']).toBe(0);
    answer('setChild', on(row, { body: { key: 0, child: { base_type: 'consumable', quantity: 4 } } }));
    expect(get(row)['quantity']).toBe(4);
    expect(get(before.resource_id)).toMatchObject({ parent_id: null });
    answer('setChild', on(row, { body: { key: 0, child: { ...get(row).children[0], quantity: 5 } } }));
    expect(get(row)['quantity']).toBe(5);
  });

  it.each([
    ['row', '1', 200, undefined],
    ['row', '2', 500, "'Key not found in children'"],
    ['row', 'a', 500, "invalid literal for int() with base 10: 'a'"],
    ['row', '9', 500, 'list index out of range'],
    ['row', [0, 0], 500, 'list indices must be integers or slices, not tuple'],
    ['grid', 'A1', 200, undefined],
    ['grid', [0, 0], 200, undefined],
    ['grid', [2, 0], 500, "'NoneType' object is not subscriptable"],
    ['voxel_grid', [0, 0, 0], 200, undefined],
    [
      'queue',
      'a',
      500,
      "Resource 'x' with type ResourceTypeEnum.queue does not support random access, use `.pop` instead.",
    ],
  ])('%s: taking out %j is a %i', (type, key, status, why) => {
    const { add, on, answer, detail } = lab();
    const id = add({ base_type: type, resource_name: 'x', ...sizes });
    const first = { row: '1', grid: 'A1', voxel_grid: [0, 0, 0] }[type] ?? '';
    answer('setChild', on(id, { body: { key: first, child: asset } }));
    const found = detail('removeChild', on(id, { body: { key } }));
    expect(found[0]).toBe(status);
    if (why !== undefined) expect(found[1]).toBe(why);
  });

  it('takes no number as the key of what is removed', () => {
    const { add, on, answer } = lab();
    expect(answer('removeChild', on(add({ base_type: 'row', columns: 1 }), { body: { key: 0 } })).status).toBe(422);
    expect(answer('removeChild', on(unknown, { body: { key: 'a' } })).status).toBe(500);
  });
});

describe('amounts', () => {
  const water = { base_type: 'continuous_consumable', resource_name: 'water', quantity: 40, capacity: 100 };
  const tips = { base_type: 'discrete_consumable', resource_name: 'tips', quantity: 40, capacity: 96 };

  it.each([
    ['setQuantity', { quantity: '50' }, 50],
    ['changeQuantityBy', { amount: '-10' }, 30],
    ['increaseQuantity', { amount: '-10' }, 50],
    ['decreaseQuantity', { amount: '10' }, 30],
    ['decreaseQuantity', { amount: '1000' }, 0],
  ] as const)('%s %j: %i', (name, query, quantity) => {
    const { add, on, answer } = lab();
    expect(answer(name, on(add(water), { query })).body).toMatchObject({ quantity });
  });

  it.each([
    [
      water,
      'setQuantity',
      { quantity: '101' },
      "Cannot set quantity of consumable 'water' to 101.0 because it exceeds the capacity of 100.0.",
    ],
    [
      tips,
      'increaseQuantity',
      { amount: '60' },
      "Cannot set quantity of consumable 'tips' to 100.0 because it exceeds the capacity of 96.",
    ],
    [water, 'setQuantity', { quantity: '-1' }, '1 validation error for ContinuousConsumable'],
    [tips, 'setQuantity', { quantity: '1.5' }, '1 validation error for DiscreteConsumable'],
    [water, 'changeQuantityBy', { amount: '-50' }, 'greater than or equal to 0'],
    [
      { base_type: 'asset', resource_name: 'x' },
      'setQuantity',
      { quantity: '1' },
      "Resource 'x' with type AssetTypeEnum.asset has no quantity attribute.",
    ],
    [
      { base_type: 'resource', resource_name: 'x' },
      'changeQuantityBy',
      { amount: '1' },
      "unsupported operand type(s) for +: 'NoneType' and 'float'",
    ],
    [
      { base_type: 'stack', resource_name: 'x' },
      'setQuantity',
      { quantity: '1' },
      "Resource 'x' with type ContainerTypeEnum.stack has a read-only quantity attribute.",
    ],
    [
      water,
      'setCapacity',
      { capacity: '10' },
      "Cannot set capacity of resource 'water' to 10.0 because it currently contains 40.0.",
    ],
    [tips, 'setCapacity', { capacity: '40.5' }, '1 validation error for DiscreteConsumable'],
    [{ base_type: 'slot' }, 'setCapacity', { capacity: '2' }, '1 validation error for Slot'],
    [{ base_type: 'slot' }, 'removeCapacity', {}, '1 validation error for Slot'],
    [
      { base_type: 'asset', resource_name: 'x' },
      'setCapacity',
      { capacity: '2' },
      "Resource 'x' with type AssetTypeEnum.asset has no capacity attribute.",
    ],
    [{ base_type: 'asset', resource_name: 'x' }, 'removeCapacity', {}, 'has no capacity attribute.'],
  ] as const)('%j refuses %s %j', (resource, name, query, why) => {
    const { add, on, detail } = lab();
    const [status, text] = detail(name, on(add(resource), { query }));
    expect([status, text]).toEqual([500, expect.stringContaining(why)]);
  });

  it.each([
    ['setQuantity', { quantity: '1' }, 'No row was found when one was required'],
    ['changeQuantityBy', { amount: '1' }, '404: Resource not found'],
    ['increaseQuantity', { amount: '1' }, '404: Resource not found'],
    ['decreaseQuantity', { amount: '1' }, '404: Resource not found'],
    ['setCapacity', { capacity: '1' }, 'No row was found when one was required'],
    ['removeCapacity', {}, 'No row was found when one was required'],
  ] as const)('%s of an unknown resource is a 500', (name, query, why) => {
    expect(lab().detail(name, lab().on(unknown, { query }))).toEqual([500, why]);
  });

  it.each([['setQuantity'], ['setCapacity'], ['increaseQuantity']] as const)('%s needs its number', (name) => {
    const { add, on, answer } = lab();
    expect(answer(name, on(add(water))).status).toBe(422);
    expect(answer(name, on(add(water), { query: { amount: 'x', quantity: 'x', capacity: 'x' } })).status).toBe(422);
  });

  it('sets and removes a capacity', () => {
    const { add, on, answer } = lab();
    const id = add(water);
    expect(answer('setCapacity', on(id, { query: { capacity: '60' } })).body).toMatchObject({ capacity: 60 });
    expect(answer('setCapacity', on(id, { query: { capacity: '60' } })).status).toBe(200);
    expect(answer('removeCapacity', on(id)).body).toMatchObject({ capacity: null });
    expect(answer('removeCapacity', on(id)).status).toBe(200);
  });

  it('empties and fills', () => {
    const { add, on, answer, detail, get } = lab();
    const id = add(water);
    expect(answer('emptyResource', on(id)).body).toMatchObject({ quantity: 0 });
    expect(answer('fillResource', on(id)).body).toMatchObject({ quantity: 100 });
    const box = add({ base_type: 'container', children: { a: { base_type: 'asset' } } });
    const lid = get(box).children['a']!.resource_id;
    expect(answer('emptyResource', on(box)).body).toMatchObject({ children: {} });
    expect(answer('getResource', on(lid)).status).toBe(404);
    for (const type of ['stack', 'queue', 'slot', 'row', 'grid']) {
      const list = add({ base_type: type, ...sizes });
      expect(detail('emptyResource', on(list))).toEqual([500, "'list' object has no attribute 'values'"]);
    }
    expect(answer('emptyResource', on(add({ base_type: 'asset' }))).status).toBe(200);
    expect(detail('fillResource', on(add({ base_type: 'asset' })))[1]).toContain('is not a consumable.');
    expect(detail('fillResource', on(add({ base_type: 'consumable' })))[1]).toContain('has no capacity limit set');
    for (const name of ['emptyResource', 'fillResource'] as const) {
      expect(detail(name, on(unknown))).toEqual([404, 'Resource not found']);
    }
  });
});

describe('locks', () => {
  it('belong to a client until they are freed or expire, and stop nothing', () => {
    const { add, on, answer, detail, clock } = lab();
    const id = add({ base_type: 'consumable' });
    const by = (client_id: string) => on(id, { query: { client_id } });
    expect(answer('lockResource', by('me')).body).toMatchObject({ locked_by: 'me' });
    expect(answer('lockResource', by('me')).status).toBe(200);
    expect(detail('lockResource', by('you'))).toEqual([
      409,
      `Resource ${id} is already locked or lock acquisition failed`,
    ]);
    expect(answer('checkLock', on(id)).body).toEqual({ resource_id: id, is_locked: true, locked_by: 'me' });
    expect(answer('setQuantity', on(id, { query: { quantity: '1' } })).status).toBe(200);
    expect(detail('unlockResource', by('you'))).toEqual([
      403,
      `Cannot release lock on resource ${id}: not owned by client you`,
    ]);
    expect(detail('unlockResource', on(id))[1]).toContain('not owned by client None');
    expect(answer('unlockResource', by('me')).body).toMatchObject({ locked_by: null, locked_until: null });
    expect(answer('unlockResource', on(id)).status).toBe(200);
    answer('lockResource', on(id, { query: { lock_duration: '10' } }));
    expect(answer('lockResource', by('me')).status).toBe(409);
    clock.advance(11_000);
    expect(answer('checkLock', on(id)).body).toMatchObject({ is_locked: false, locked_by: null });
    expect(answer('lockResource', by('you')).status).toBe(200);
  });

  it('of unknown resources are refused in their own ways', () => {
    const { on, answer } = lab();
    expect(answer('lockResource', on(unknown)).status).toBe(409);
    expect(answer('unlockResource', on(unknown)).status).toBe(403);
    expect(answer('checkLock', on(unknown)).body).toMatchObject({ is_locked: false });
  });
});

describe('deleting, history and restoring', () => {
  it('counts versions over all resources and brings back what was deleted, with its children', () => {
    const { add, on, answer, detail, get, manager } = lab();
    const box = add({ base_type: 'container', resource_name: 'box', children: { a: { base_type: 'asset' } } });
    const lid = get(box).children['a']!.resource_id;
    const other = add({ base_type: 'consumable' });
    answer('setQuantity', on(other, { query: { quantity: '2' } }));
    expect(answer('deleteResource', on(box)).body).toMatchObject({ removed: true, children: {} });
    expect(manager.store.table.total).toBe(1);
    const query = (body: object) => answer('queryHistory', { body }).body as Any[];
    expect(query({}).map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(query({}).map((entry) => entry['change_type'])).toEqual([
      'Removed',
      'Removed',
      'Updated',
      'Added',
      'Added',
      'Added',
    ]);
    expect(query({ resource_id: box, removed: true })).toMatchObject([{ child_ids: [lid], removed: true }]);
    expect(query({ change_type: 'Updated' })).toMatchObject([{ resource_id: other, quantity: 2 }]);
    expect(query({ limit: 2 })).toHaveLength(2);
    expect(query({ version: 3 })).toHaveLength(1);
    expect(query({ start_date: '2030-01-01' })).toEqual([]);
    expect(query({ end_date: '2020-01-01' })).toEqual([]);
    expect(query({ resource_id: unknown })).toEqual([]);
    expect(answer('queryHistory', { body: { start_date: 'soon' } }).status).toBe(422);
    expect(answer('restoreResource', on(box)).body).toMatchObject({
      change_type: 'Removed',
      child_ids: [lid],
      removed: false,
    });
    expect(get(box)).toMatchObject({ children: { a: { resource_id: lid } } });
    expect(detail('restoreResource', on(box))).toEqual([404, `No removed resource with ID '${box}'.`]);
    expect(detail('deleteResource', on(unknown))).toEqual([404, 'Resource not found']);
  });

  it('fails inside where the ID is taken again', () => {
    const { add, on, answer } = lab();
    const id = add({ base_type: 'asset' });
    answer('deleteResource', on(id));
    add({ base_type: 'asset', resource_id: id });
    expect(answer('restoreResource', on(id))).toEqual({ status: 500, body: 'Internal Server Error' });
  });
});

describe('templates', () => {
  const nest = {
    template_name: 'plate_nest',
    description: 'one plate',
    resource: { base_type: 'slot', resource_name: 'nest_template', resource_class: 'nest' },
    required_overrides: ['resource_name', 'attributes.wells'],
    tags: ['plate', 'deck'],
  };
  const named = (template_name: string, more: Asked = {}): Asked => ({ params: { template_name }, ...more });

  it('are stored, listed, found by type, tag and creator, and replaced by name', () => {
    const { answer } = lab();
    expect(answer('createTemplate', { body: { ...nest, created_by: 'me' } }).body).toMatchObject({
      template_name: 'plate_nest',
      resource_name: 'nest_template',
      version: '1.0.0',
    });
    answer('createTemplate', { body: { ...nest, template_name: 'tube', resource: { base_type: 'asset' }, tags: [] } });
    const count = (body: object) => (answer('queryTemplates', { body }).body as unknown[]).length;
    expect([
      count({}),
      count({ base_type: 'slot' }),
      count({ tags: ['deck', 'x'] }),
      count({ created_by: 'me' }),
    ]).toEqual([2, 1, 1, 1]);
    expect(count({ tags: ['nobody'] })).toBe(0);
    expect(answer('getTemplates').body).toHaveLength(2);
    expect(answer('getTemplateCategories').body).toMatchObject({ slot: ['nest_template'] });
    answer('createTemplate', { body: { ...nest, description: 'new' } });
    expect(answer('getTemplate', named('plate_nest')).body).toMatchObject({ description: 'new' });
    expect(answer('getTemplateInfo', named('PLATE_NEST')).body).toMatchObject({ default_values: { capacity: 1 } });
    const updates = { resource_class: 'deck', version: '2.0.0', tags: ['a'], description: 'd', nonsense: 1 };
    expect(answer('updateTemplate', named('plate_nest', { body: { updates } })).body).toMatchObject({
      resource_class: 'deck',
      version: '2.0.0',
      default_values: { resource_class: 'deck' },
    });
    expect(answer('deleteTemplate', named('plate_nest')).body).toEqual({
      message: "Template 'plate_nest' deleted successfully",
    });
  });

  it('with capitals in the name are listed and never found', () => {
    const { answer, detail } = lab();
    answer('createTemplate', { body: { ...nest, template_name: 'Nest' } });
    expect(answer('getTemplates').body).toHaveLength(1);
    for (const name of ['getTemplate', 'getTemplateInfo', 'deleteTemplate'] as const) {
      expect(detail(name, named('Nest'))).toEqual([404, "Template 'Nest' not found"]);
    }
    expect(detail('updateTemplate', named('Nest', { body: { updates: {} } }))).toEqual([
      500,
      'No row was found when one was required',
    ]);
  });

  it('make resources, once for each name', () => {
    const { answer, detail, manager } = lab();
    answer('createTemplate', { body: nest });
    const make = (body: object, name = 'plate_nest') => named(name, { body: { resource_name: 'deck_1', ...body } });
    expect(detail('createFromTemplate', make({}))).toEqual([400, "Missing required fields: ['attributes.wells']"]);
    expect(detail('createFromTemplate', make({}, 'none'))).toEqual([400, "Template 'none' not found"]);
    const overrides = { attributes: { wells: 96 } };
    const { body } = answer('createFromTemplate', make({ overrides }));
    expect(body).toMatchObject({ resource_name: 'deck_1', template_name: 'plate_nest', attributes: { wells: 96 } });
    expect(answer('createFromTemplate', make({ overrides })).body).toEqual(body);
    answer('createFromTemplate', make({ overrides, resource_name: 'deck_2', add_to_database: false }));
    expect(manager.store.table.total).toBe(1);
    expect(
      answer('createFromTemplate', make({ resource_name: 'x', overrides: { ...overrides, capacity: 2 } })).status,
    ).toBe(400);
  });

  it('of grids give their rows away: the second resource takes those of the first', () => {
    const { answer, get } = lab();
    const resource = { base_type: 'grid', columns: 2, rows: 1 };
    answer('createTemplate', { body: { template_name: 'rack', resource } });
    const make = (resource_name: string) =>
      answer('createFromTemplate', named('rack', { body: { resource_name } })).body as Any;
    const first = make('a');
    const second = make('b');
    expect(second.children[0]!.resource_id).toBe(first.children[0]!.resource_id);
    expect(get(first.resource_id).children[0]!.resource_id).not.toBe(first.children[0]!.resource_id);
  });
});

describe('the manager', () => {
  it('holds ten thousand resources', () => {
    const { manager, answer } = lab();
    manager.scale.addResources(10_000);
    expect(manager.health()).toMatchObject({ total_resources: 10_000 });
    expect(answer('queryResources', { body: {} }).body).toHaveLength(10_000);
    expect(manager.settings.values()).toHaveProperty('db_url', '***REDACTED***');
  });

  it('gives the lab what it needs', () => {
    const {
      manager: { store },
      add,
    } = lab();
    const [slot, plate] = [add({ base_type: 'slot' }), store.add({ base_type: 'asset' })];
    const tips = add({ base_type: 'consumable' });
    expect(store.push(slot, plate)).toBe(true);
    expect(store.push(slot, plate)).toBe(false);
    expect(store.pop(slot)).toBe(plate);
    expect(store.pop(slot)).toBeUndefined();
    store.setQuantity(tips, 4);
    expect(store.get(tips)).toMatchObject({ quantity: 4 });
    expect(store.get(unknown)).toBeUndefined();
    expect(store.fromTemplate('none', 'x', {})).toBeUndefined();
    expect(store.hierarchy(unknown)).toBeUndefined();
  });
});
