import { describe, expect, it } from 'vitest';
import { baseTypes } from '../../api/managers/resourceTypes.ts';
import { send, testParts, type RequestParts } from '../base/testRequest.ts';
import { createResourceManager } from './manager.ts';

const unknown = '01K5HDZZCF27YHD2WDGSXFPPKF';

interface AnyResource {
  [key: string]: unknown;
  resource_id: string;
  children: AnyResource[] & Record<string, AnyResource>;
}

function createLab() {
  const parts = testParts();
  const manager = createResourceManager(parts);
  const sendRequest = (name: Parameters<typeof send<typeof manager.api>>[1], sent?: RequestParts) =>
    send(manager, name, sent);
  /** Adds a resource and returns its ID. */
  const add = (body: object) => (sendRequest('addResource', { body }).body as AnyResource).resource_id;
  const on = (id: string, otherParts: RequestParts = {}): RequestParts => ({
    params: { resource_id: id },
    ...otherParts,
  });
  const get = (id: string) => sendRequest('getResource', on(id)).body as AnyResource;
  const detail = (name: Parameters<typeof sendRequest>[0], sent?: RequestParts) => {
    const { status, body } = sendRequest(name, sent);
    return [status, (body as { detail?: unknown }).detail ?? body];
  };
  return { ...parts, manager, sendRequest, add, on, get, detail };
}

const sizes = { columns: 3, rows: 2, layers: 2 };

describe('adding a resource', () => {
  it.each(baseTypes)('sets the defaults of the type %s', (type) => {
    const { sendRequest, manager } = createLab();
    const { body } = sendRequest('addResource', { body: { base_type: type, ...sizes } });
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
  ])('creates a %s with the quantity %s and the children %j', (type, quantity, children) => {
    const { add, get } = createLab();
    const created = get(add({ base_type: type, ...sizes }));
    expect(created['quantity']).toBe(quantity);
    expect(created['children']).toEqual(children);
  });

  it('creates the rows of a grid and the layers of a voxel grid', () => {
    const { add, get } = createLab();
    const grid = get(add({ base_type: 'grid', resource_name: 'rack', ...sizes }));
    expect(grid.children.map((row) => row?.['resource_name'] ?? null)).toEqual(['rack_row_0', 'rack_row_1']);
    const cube = get(add({ base_type: 'voxel_grid', resource_name: 'cube', ...sizes }));
    expect(cube.children[1]?.children[0]).toMatchObject({ resource_name: 'cube_layer_1_row_0', key: '0' });
  });

  it('drops unknown keys and `unit`', () => {
    const { sendRequest } = createLab();
    const consumable = { base_type: 'consumable', unit: 'ml', colour: 'red', quantity: 2 };
    const { body } = sendRequest('addResource', { body: consumable });
    expect(body).toMatchObject({ unit: null, quantity: 2 });
    expect(body).not.toHaveProperty('colour');
  });

  it('returns the stored resource unchanged for a known ID', () => {
    const { sendRequest, add } = createLab();
    const id = add({ base_type: 'asset', resource_name: 'old' });
    const { body } = sendRequest('addResource', {
      body: { base_type: 'asset', resource_id: id, resource_name: 'new' },
    });
    expect(body).toMatchObject({ resource_name: 'old' });
  });

  it.each([[{}], [{ base_type: 'box' }], [{ base_type: 'row' }]])('rejects %j', (body) => {
    expect(createLab().sendRequest('addResource', { body }).status).toBe(422);
  });

  it('rejects an occupied position and a cycle without changing anything', () => {
    const { add, detail, get, manager } = createLab();
    const box = add({ base_type: 'container', children: { a: { base_type: 'asset' } } });
    const { total } = manager.store.table;
    expect(detail('addResource', { body: { base_type: 'asset', parent_id: box, key: 'a' } })[0]).toBe(500);
    const cyclic = { base_type: 'container', resource_id: box, parent_id: box };
    expect(detail('updateResource', { body: cyclic })).toEqual([
      500,
      `Recursive parent relationship detected for resource_id ${box}`,
    ]);
    expect(manager.store.table.total).toBe(total);
    expect(get(box)).toMatchObject({ parent_id: null, quantity: 1 });
  });
});

describe('updating a resource', () => {
  it('replaces the whole resource and removes omitted fields, including the parent', () => {
    const { add, sendRequest, get } = createLab();
    const plate = { base_type: 'asset', resource_name: 'plate', attributes: { wells: 96 }, resource_class: 'plate' };
    const box = add({ base_type: 'container', children: { a: plate } });
    const { resource_id: id } = get(box).children['a'] as AnyResource;
    const { body } = sendRequest('updateResource', { body: { base_type: 'asset', resource_id: id } });
    expect(body).toMatchObject({ attributes: {}, resource_class: '', parent_id: null, key: null });
    expect(get(box).children).toEqual({});
  });

  it('replaces the children, and omitted ones lose their parent and keep their key', () => {
    const { add, sendRequest, get } = createLab();
    const box = add({ base_type: 'container', children: { a: { base_type: 'asset' }, b: { base_type: 'asset' } } });
    const { children } = get(box);
    const { a, b } = children;
    sendRequest('updateResource', { body: { base_type: 'container', resource_id: box, children: { b } } });
    expect(Object.keys(get(box).children)).toEqual(['b']);
    expect(get(a!.resource_id)).toMatchObject({ parent_id: null, key: 'a' });
  });

  it('changes nothing when the resource is sent back as served', () => {
    const { add, sendRequest, get } = createLab();
    const id = add({ base_type: 'grid', columns: 2, rows: 2 });
    const served = get(id);
    expect(sendRequest('updateResource', { body: served }).body).toEqual(served);
  });

  it('returns 500 for an unknown resource', () => {
    const body = { base_type: 'asset', resource_id: unknown };
    expect(createLab().detail('updateResource', { body })).toEqual([500, 'No row was found when one was required']);
  });
});

describe('finding resources', () => {
  function createStockedLab() {
    const created = createLab();
    created.add({
      base_type: 'container',
      resource_name: 'box',
      children: { a: { base_type: 'asset', resource_name: 'lid' } },
    });
    created.add({ base_type: 'asset', resource_name: 'plate', resource_class: 'plate' });
    return created;
  }
  const names = (body: unknown) => (body as AnyResource[]).map((entry) => entry['resource_name']);

  it.each([
    [{}, ['box', 'lid', 'plate']],
    [{ resource_class: 'plate' }, ['plate']],
    [{ resource_name: '', base_type: 'asset' }, ['lid', 'plate']],
    [{ resource_description: 'ignored', resource_name: 'lid' }, ['lid']],
  ])('returns for the query %j the resources %j', (body, expected) => {
    expect(names(createStockedLab().sendRequest('queryResources', { body }).body)).toEqual(expected);
  });

  it.each([{}, { resource_name: 'nobody' }])('returns 404 for a query without a match: %j', (body) =>
    expect(createLab().detail('queryResources', { body })).toEqual([404, 'Resource not found']),
  );

  it('rejects unknown keys', () => {
    expect(createLab().sendRequest('queryResources', { body: { colour: 'red' } }).status).toBe(422);
  });

  it('returns 404 for an unknown ID', () => {
    const { on, detail } = createLab();
    expect(detail('getResource', on(unknown))).toEqual([404, 'Resource not found']);
  });
});

describe('stacks, queues and slots', () => {
  function createFilledLab(type: string, count = 3) {
    const created = createLab();
    const id = created.add({ base_type: type, resource_name: type });
    for (let index = 0; index < count; index++) {
      created.sendRequest(
        'pushResource',
        created.on(id, { body: { child: { base_type: 'asset', resource_name: `p${index}` } } }),
      );
    }
    return { ...created, id };
  }

  it.each([
    ['stack', ['p2', 'p1', 'p0']],
    ['queue', ['p0', 'p1', 'p2']],
  ])('return the popped children of a %s in the order %j', (type, order) => {
    const { id, sendRequest, on, detail } = createFilledLab(type);
    const popped = order.map(() => (sendRequest('popResource', on(id)).body as [AnyResource, AnyResource])[0]);
    expect(popped.map((child) => child['resource_name'])).toEqual(order);
    expect(popped[0]).toMatchObject({ parent_id: null, key: null });
    expect(detail('popResource', on(id))).toEqual([500, `Container '${type}' is empty.`]);
  });

  it('keep the keys of a queue, so that a push after a pop collides until the queue is empty', () => {
    const { id, sendRequest, on, detail, get } = createFilledLab('queue');
    sendRequest('popResource', on(id));
    expect(get(id).children.map((child) => child['key'])).toEqual(['1', '2']);
    const push = on(id, { body: { child: { base_type: 'asset' } } });
    expect(detail('pushResource', push)).toEqual([500, `Child with key '2' already exists for parent '${id}'.`]);
    sendRequest('popResource', on(id));
    sendRequest('popResource', on(id));
    expect(sendRequest('pushResource', push).status).toBe(200);
  });

  it('reject resources that do not fit', () => {
    const { add, on, detail } = createLab();
    const slot = add({ base_type: 'slot', resource_name: 'nest' });
    const plate = add({ base_type: 'asset', resource_name: 'plate' });
    const body = { child_id: plate };
    expect(detail('pushResource', on(slot, { body }))[0]).toBe(200);
    expect(detail('pushResource', on(slot, { body }))).toEqual([500, "Resource 'nest' with type slot is full."]);
    expect(detail('pushResource', on(plate, { body }))).toEqual([
      500,
      "Resource 'plate' with type asset is not a stack, slot, or queue resource.",
    ]);
    expect(detail('popResource', on(plate))[0]).toBe(500);
    expect(detail('pushResource', on(unknown, { body }))).toEqual([500, 'No row was found when one was required']);
    expect(detail('popResource', on(unknown))[0]).toBe(500);
    expect(detail('pushResource', on(slot, { body: {} }))[0]).toBe(422);
    const stack = add({ base_type: 'stack' });
    expect(detail('pushResource', on(stack, { body: { child_id: unknown } }))[1]).toContain('does not exist');
  });

  it('move a known resource out of its previous parent', () => {
    const { add, on, sendRequest, get } = createLab();
    const [from, to] = [add({ base_type: 'slot' }), add({ base_type: 'slot' })];
    const plate = add({ base_type: 'asset' });
    sendRequest('pushResource', on(from, { body: { child_id: plate } }));
    sendRequest('pushResource', on(to, { body: { child_id: plate } }));
    expect([get(from)['quantity'], get(to)['quantity']]).toEqual([0, 1]);
    expect(get(plate)).toMatchObject({ parent_id: to, key: '0' });
  });
});

describe('children by key', () => {
  const asset = { base_type: 'asset', resource_name: 'tube' };

  it.each(['container', 'collection'])(
    'can be set in a %s as resources or IDs, and the previous child is detached',
    (type) => {
      const { add, on, sendRequest, get, detail } = createLab();
      const box = add({ base_type: type, resource_name: 'box', capacity: 1 });
      const tube = add(asset);
      sendRequest('setChild', on(box, { body: { key: 'a', child: tube } }));
      sendRequest('setChild', on(box, { body: { key: 'a', child: { ...asset, resource_name: 'new' } } }));
      expect(get(box)).toMatchObject({ quantity: 1, children: { a: { resource_name: 'new', key: 'a' } } });
      expect(get(tube)).toMatchObject({ parent_id: null, key: null });
      expect(detail('setChild', on(box, { body: { key: 'b', child: asset } }))).toEqual([
        500,
        `Resource 'box' with type ${type} is full.`,
      ]);
      const inside = get(box).children['a']!;
      expect(sendRequest('removeChild', on(box, { body: { key: 'a' } })).body).toMatchObject({
        children: {},
        quantity: 0,
      });
      expect(get(inside.resource_id)).toMatchObject({ parent_id: null });
      expect(detail('removeChild', on(box, { body: { key: 'a' } }))[0]).toBe(500);
    },
  );

  it('have their quantities summed in a pool', () => {
    const { add, on, sendRequest } = createLab();
    const pool = add({ base_type: 'pool', capacity: 500 });
    const child = { base_type: 'continuous_consumable', quantity: 3 };
    sendRequest('setChild', on(pool, { body: { key: 'a', child } }));
    expect(sendRequest('setChild', on(pool, { body: { key: 'b', child } })).body).toMatchObject({ quantity: 6 });
  });

  it('are added as new resources, unless the key is occupied', () => {
    const { add, sendRequest, get } = createLab();
    const row = add({ base_type: 'row', columns: 2 });
    const well = { base_type: 'consumable', quantity: 4, parent_id: row, key: '1' };
    sendRequest('addResource', { body: well });
    expect(get(row)).toMatchObject({ quantity: 4, children: [null, { quantity: 4 }] });
    expect(sendRequest('addResource', { body: well }).status).toBe(500);
  });

  it.each(['stack', 'asset', 'grid'])('are not accepted in a %s', (type) => {
    const { add, on, sendRequest } = createLab();
    const id = add({ base_type: type, ...sizes });
    expect(sendRequest('setChild', on(id, { body: { key: 'a', child: asset } })).status).toBe(500);
    expect(sendRequest('removeChild', on(id, { body: { key: 'a' } })).status).toBe(500);
  });
});

describe('amounts of resources', () => {
  const water = { base_type: 'continuous_consumable', resource_name: 'water', quantity: 40, capacity: 100 };
  const tips = { base_type: 'discrete_consumable', resource_name: 'tips', quantity: 40, capacity: 96 };

  it.each([
    ['setQuantity', { quantity: '50' }, 50],
    ['increaseQuantity', { amount: '-10' }, 50],
    ['decreaseQuantity', { amount: '10' }, 30],
    ['decreaseQuantity', { amount: '1000' }, 0],
  ] as const)('are changed by %s with %j to %i', (name, query, quantity) => {
    const { add, on, sendRequest } = createLab();
    expect(sendRequest(name, on(add(water), { query })).body).toMatchObject({ quantity });
  });

  it.each([
    [water, 'setQuantity', { quantity: '101' }, 'has a capacity of 100'],
    [tips, 'increaseQuantity', { amount: '60' }, 'has a capacity of 96'],
    [water, 'setQuantity', { quantity: '-1' }, 'no quantity below 0'],
    [tips, 'setQuantity', { quantity: '1.5' }, 'whole numbers'],
    [{ base_type: 'asset' }, 'setQuantity', { quantity: '1' }, 'has no quantity'],
    [{ base_type: 'stack' }, 'setQuantity', { quantity: '1' }, 'has no quantity'],
    [water, 'setCapacity', { capacity: '10' }, 'currently contains 40'],
    [{ base_type: 'slot' }, 'setCapacity', { capacity: '2' }, 'has a capacity of 1'],
    [{ base_type: 'slot' }, 'removeCapacity', {}, 'has a capacity of 1'],
    [{ base_type: 'asset' }, 'setCapacity', { capacity: '2' }, 'has no capacity attribute.'],
    [{ base_type: 'asset' }, 'removeCapacity', {}, 'has no capacity attribute.'],
  ] as const)('are not changed: the resource %j rejects %s with %j', (resource, name, query, message) => {
    const { add, on, detail } = createLab();
    const [status, text] = detail(name, on(add(resource), { query }));
    expect([status, text]).toEqual([500, expect.stringContaining(message)]);
  });

  it.each([
    ['setQuantity', { quantity: '1' }],
    ['increaseQuantity', { amount: '1' }],
    ['decreaseQuantity', { amount: '1' }],
    ['setCapacity', { capacity: '1' }],
    ['removeCapacity', {}],
  ] as const)('are not changed for an unknown resource: %s returns 500', (name, query) => {
    const { detail, on } = createLab();
    expect(detail(name, on(unknown, { query }))).toEqual([500, 'No row was found when one was required']);
  });

  it.each([['setQuantity'], ['setCapacity'], ['increaseQuantity']] as const)(
    'are not changed without a number: %s',
    (name) => {
      const { add, on, sendRequest } = createLab();
      expect(sendRequest(name, on(add(water))).status).toBe(422);
      expect(sendRequest(name, on(add(water), { query: { amount: 'x', quantity: 'x', capacity: 'x' } })).status).toBe(
        422,
      );
    },
  );

  it('have a capacity that is set and removed', () => {
    const { add, on, sendRequest } = createLab();
    const id = add(water);
    expect(sendRequest('setCapacity', on(id, { query: { capacity: '60' } })).body).toMatchObject({ capacity: 60 });
    expect(sendRequest('setCapacity', on(id, { query: { capacity: '60' } })).status).toBe(200);
    expect(sendRequest('removeCapacity', on(id)).body).toMatchObject({ capacity: null });
    expect(sendRequest('removeCapacity', on(id)).status).toBe(200);
  });

  it('are changed when a resource is emptied and filled', () => {
    const { add, on, sendRequest, detail, get } = createLab();
    const id = add(water);
    expect(sendRequest('emptyResource', on(id)).body).toMatchObject({ quantity: 0 });
    expect(sendRequest('fillResource', on(id)).body).toMatchObject({ quantity: 100 });
    const box = add({ base_type: 'container', children: { a: { base_type: 'asset' } } });
    const lid = get(box).children['a']!.resource_id;
    expect(sendRequest('emptyResource', on(box)).body).toMatchObject({ children: {} });
    expect(sendRequest('getResource', on(lid)).status).toBe(404);
    for (const type of ['stack', 'queue', 'slot', 'row', 'grid']) {
      const list = add({ base_type: type, ...sizes });
      expect(detail('emptyResource', on(list))[0]).toBe(500);
    }
    expect(sendRequest('emptyResource', on(add({ base_type: 'asset' }))).status).toBe(200);
    for (const type of ['asset', 'consumable']) {
      expect(detail('fillResource', on(add({ base_type: type })))[1]).toContain('has no capacity');
    }
    for (const name of ['emptyResource', 'fillResource'] as const) {
      expect(detail(name, on(unknown))).toEqual([404, 'Resource not found']);
    }
  });
});

describe('locks of resources', () => {
  it('belong to a client until they are released or expire, and do not prevent changes', () => {
    const { add, on, sendRequest, detail, clock } = createLab();
    const id = add({ base_type: 'consumable' });
    const by = (client_id: string) => on(id, { query: { client_id } });
    expect(sendRequest('lockResource', by('me')).body).toMatchObject({ locked_by: 'me' });
    expect(sendRequest('lockResource', by('me')).status).toBe(200);
    expect(detail('lockResource', by('you'))).toEqual([
      409,
      `Resource ${id} is already locked or lock acquisition failed`,
    ]);
    expect(sendRequest('setQuantity', on(id, { query: { quantity: '1' } })).status).toBe(200);
    expect(detail('unlockResource', by('you'))).toEqual([
      403,
      `Cannot release lock on resource ${id}: not owned by client you`,
    ]);
    expect(detail('unlockResource', on(id))[1]).toContain('not owned by client None');
    expect(sendRequest('unlockResource', by('me')).body).toMatchObject({ locked_by: null, locked_until: null });
    expect(sendRequest('unlockResource', on(id)).status).toBe(200);
    sendRequest('lockResource', on(id, { query: { lock_duration: '10' } }));
    expect(sendRequest('lockResource', by('me')).status).toBe(409);
    clock.advance(11_000);
    expect(sendRequest('lockResource', by('you')).status).toBe(200);
  });

  it('are rejected for unknown resources with 409, and unlocking with 403', () => {
    const { on, sendRequest } = createLab();
    expect(sendRequest('lockResource', on(unknown)).status).toBe(409);
    expect(sendRequest('unlockResource', on(unknown)).status).toBe(403);
  });
});

describe('the history of resources', () => {
  it('counts versions over all resources and restores a deleted resource with its children', () => {
    const { add, on, sendRequest, detail, get, manager } = createLab();
    const box = add({ base_type: 'container', resource_name: 'box', children: { a: { base_type: 'asset' } } });
    const lid = get(box).children['a']!.resource_id;
    const otherResource = add({ base_type: 'consumable' });
    sendRequest('setQuantity', on(otherResource, { query: { quantity: '2' } }));
    expect(sendRequest('deleteResource', on(box)).body).toMatchObject({ removed: true, children: {} });
    expect(manager.store.table.total).toBe(1);
    const query = (body: object) => sendRequest('queryHistory', { body }).body as AnyResource[];
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
    expect(query({ resource_id: otherResource })).toMatchObject([{ change_type: 'Updated', quantity: 2 }, {}]);
    expect(query({ limit: 2 })).toHaveLength(2);
    expect(query({ resource_id: unknown })).toEqual([]);
    expect(sendRequest('restoreResource', on(box)).body).toMatchObject({ resource_name: 'box', removed: false });
    expect(get(box)).toMatchObject({ children: { a: { resource_id: lid } } });
    expect(detail('restoreResource', on(box))).toEqual([404, `No removed resource with ID '${box}'.`]);
    expect(detail('deleteResource', on(unknown))).toEqual([404, 'Resource not found']);
  });
});

describe('resource templates', () => {
  const nest = {
    template_name: 'plate_nest',
    description: 'one plate',
    resource: { base_type: 'slot', resource_name: 'nest_template', resource_class: 'nest' },
    required_overrides: ['resource_name', 'attributes.wells'],
    tags: ['plate', 'deck'],
  };
  const templateRequest = (template_name: string, otherParts: RequestParts = {}): RequestParts => ({
    params: { template_name },
    ...otherParts,
  });

  it('are stored, listed, changed and replaced by name', () => {
    const { sendRequest } = createLab();
    expect(sendRequest('createTemplate', { body: { ...nest, created_by: 'me' } }).body).toMatchObject({
      template_name: 'plate_nest',
      resource_name: 'nest_template',
      version: '1.0.0',
    });
    sendRequest('createTemplate', {
      body: { ...nest, template_name: 'tube', resource: { base_type: 'asset' }, tags: [] },
    });
    expect(sendRequest('getTemplates').body).toHaveLength(2);
    sendRequest('createTemplate', { body: { ...nest, description: 'new' } });
    expect(sendRequest('getTemplateInfo', templateRequest('plate_nest')).body).toMatchObject({
      description: 'new',
      default_values: { capacity: 1 },
    });
    const updates = { resource_class: 'deck', version: '2.0.0', tags: ['a'], description: 'd', nonsense: 1 };
    expect(sendRequest('updateTemplate', templateRequest('plate_nest', { body: { updates } })).body).toMatchObject({
      resource_class: 'deck',
      version: '2.0.0',
      default_values: { resource_class: 'deck' },
    });
    expect(sendRequest('deleteTemplate', templateRequest('plate_nest')).body).toEqual({
      message: "Template 'plate_nest' deleted successfully",
    });
  });

  it('are rejected when unknown', () => {
    const { detail } = createLab();
    for (const name of ['getTemplateInfo', 'deleteTemplate'] as const) {
      expect(detail(name, templateRequest('none'))).toEqual([404, "Template 'none' not found"]);
    }
    expect(detail('updateTemplate', templateRequest('none', { body: { updates: {} } }))[0]).toBe(500);
  });

  it('create resources, one for each name', () => {
    const { sendRequest, detail, manager } = createLab();
    sendRequest('createTemplate', { body: nest });
    const make = (body: object, name = 'plate_nest') =>
      templateRequest(name, { body: { resource_name: 'deck_1', ...body } });
    expect(detail('createFromTemplate', make({}))).toEqual([400, 'Missing required fields: attributes.wells']);
    expect(detail('createFromTemplate', make({}, 'none'))).toEqual([400, "Template 'none' not found"]);
    const overrides = { attributes: { wells: 96 } };
    const { body } = sendRequest('createFromTemplate', make({ overrides }));
    expect(body).toMatchObject({ resource_name: 'deck_1', template_name: 'plate_nest', attributes: { wells: 96 } });
    expect(sendRequest('createFromTemplate', make({ overrides })).body).toEqual(body);
    sendRequest('createFromTemplate', make({ overrides, resource_name: 'deck_2', add_to_database: false }));
    expect(manager.store.table.total).toBe(1);
  });
});

describe('the resource manager', () => {
  it('stores ten thousand resources', () => {
    const { manager, sendRequest } = createLab();
    manager.scale.addResources(10_000);
    expect(manager.health()).toMatchObject({ total_resources: 10_000 });
    expect(sendRequest('queryResources', { body: {} }).body).toHaveLength(10_000);
    expect(manager.settings()).toHaveProperty('manager_type', 'resource_manager');
  });

  it('provides the operations that the demo lab uses', () => {
    const {
      manager: { store },
      add,
    } = createLab();
    const [slot, plate] = [add({ base_type: 'slot' }), store.add({ base_type: 'asset' })];
    expect(store.push(slot, plate)).toBe(true);
    expect(store.push(slot, plate)).toBe(false);
    expect(store.pop(slot)).toBe(plate);
    expect(store.pop(slot)).toBeUndefined();
    expect(store.get(unknown)).toBeUndefined();
    expect(store.fromTemplate('none', 'x', {})).toBeUndefined();
  });
});
