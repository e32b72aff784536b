/** Contents of resources: each kind of container, and templates. */
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { listChildren } from '#api/managers/resourceTypes.ts';
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import { uniqueName, itOnRealLab, jsonRequest, unknownId, fetchRaw, catchRefusal, resources } from './lab.ts';

const body = (base_type: string, fields: object = {}) =>
  ({ base_type, resource_name: uniqueName(base_type), ...fields }) as ResourceBody;
const add = (base_type: string, fields: object = {}) => resources.addResource({ body: body(base_type, fields) });
const keys = (parent: Parameters<typeof listChildren>[0]) => listChildren(parent).map(({ key }) => key);

describe('the resource manager', () => {
  it.each([
    ['last', 'stack'],
    ['first', 'queue'],
  ])('pops the %s child of a %s', async (poppedChild, type) => {
    const { resource_id } = await add(type);
    const [a, b] = [await add('asset'), await add('asset')];
    await resources.pushResource({ resource_id, body: { child_id: a.resource_id } });
    const full = await resources.pushResource({
      resource_id,
      body: { child: { ...b, base_type: 'asset' } as ResourceBody },
    });
    expect(listChildren(full).map(({ child }) => child.resource_id)).toEqual([a.resource_id, b.resource_id]);
    expect(full.quantity).toBe(2);
    const [child, parent] = await resources.popResource({ resource_id });
    expect(child.resource_id).toBe(poppedChild === 'last' ? b.resource_id : a.resource_id);
    expect(keys(parent)).toEqual(poppedChild === 'last' ? ['0'] : ['1']);
  });

  it('refuses a child for a queue after a pop because of a repeated key', async () => {
    const { resource_id } = await add('queue');
    for (let count = 0; count < 3; count++)
      await resources.pushResource({ resource_id, body: { child: body('asset') } });
    await resources.popResource({ resource_id });
    const error = await catchRefusal(resources.pushResource({ resource_id, body: { child: body('asset') } }));
    expect(error.status).toBe(500);
    expect(error.reason).toContain('already exists');
  });

  it('keeps one child in a slot, and refuses a second push and a pop of an empty slot', async () => {
    const { resource_id } = await add('slot');
    await resources.pushResource({ resource_id, body: { child: body('asset') } });
    const error = await catchRefusal(resources.pushResource({ resource_id, body: { child: body('asset') } }));
    expect(error).toMatchObject({ status: 500 });
    expect(error.reason).toContain('full');
    expect((await catchRefusal(resources.emptyResource({ resource_id }))).status).toBe(500);
    await resources.popResource({ resource_id });
    const empty = await catchRefusal(resources.popResource({ resource_id }));
    expect(empty.reason).toContain('is empty');
    expect((await catchRefusal(resources.pushResource({ resource_id, body: {} }))).status).toBe(422);
  });
});

describe('the resource manager', () => {
  it.each(['container', 'collection'])('stores children of a %s under names and removes them', async (type) => {
    const { resource_id } = await add(type);
    const child = await add('asset');
    const set = await resources.setChild({ resource_id, body: { key: 'left', child: child.resource_id } });
    expect(keys(set)).toEqual(['left']);
    const removed = await resources.removeChild({ resource_id, body: { key: 'left' } });
    expect(removed.quantity).toBe(0);
    expect((await resources.getResource({ resource_id: child.resource_id })).parent_id).toBeNull();
    await resources.setChild({ resource_id, body: { key: 'x', child: child.resource_id } });
    await resources.emptyResource({ resource_id });
    expect((await catchRefusal(resources.getResource({ resource_id: child.resource_id }))).status).toBe(404);
  });

  it('returns the sum of its children as the quantity of a pool', async () => {
    const { resource_id } = await add('pool');
    await resources.setChild({
      resource_id,
      body: { key: 'a', child: body('continuous_consumable', { quantity: 2 }) },
    });
    const both = await resources.setChild({
      resource_id,
      body: { key: 'b', child: body('continuous_consumable', { quantity: 3 }) },
    });
    expect(both.quantity).toBe(5);
  });

  itOnRealLab('accepts integers from 0 and digits from 1 as keys of a row, and only complete resources', async () => {
    const { resource_id } = await add('row', { columns: 3 });
    const first = await resources.setChild({
      resource_id,
      body: { key: 0, child: body('consumable', { quantity: 2 }) },
    });
    const second = await resources.setChild({
      resource_id,
      body: { key: '2', child: body('consumable', { quantity: 3 }) },
    });
    expect([keys(first), keys(second), second.quantity]).toEqual([['0'], ['0', '1'], 5]);
    const child = await add('asset');
    const byId = resources.setChild({ resource_id, body: { key: 2, child: child.resource_id } });
    expect((await catchRefusal(byId)).status).toBe(500);
  });

  it('moves a resource into a row when it receives the complete resource with its ID', async () => {
    const stack = await add('stack');
    const fields = { quantity: 2.5, attributes: { lot: 7 } };
    const { resource_id: tube } = await add('continuous_consumable', fields);
    await resources.pushResource({ resource_id: stack.resource_id, body: { child_id: tube } });
    const rows = [await add('row', { columns: 3 }), await add('row', { columns: 3 })];
    for (const [index, { resource_id }] of rows.entries()) {
      const child = (await resources.getResource({ resource_id: tube })) as ResourceBody;
      await resources.setChild({ resource_id, body: { key: index + 1, child } });
      const moved = await resources.getResource({ resource_id: tube });
      expect(moved).toMatchObject({ ...fields, parent_id: resource_id, key: String(index + 1) });
    }
    const contents = await Promise.all(
      [stack, ...rows].map(({ resource_id }) => resources.getResource({ resource_id }).then(keys)),
    );
    expect(contents).toEqual([[], [], ['2']]);
  });

  itOnRealLab('accepts A1 and [row, column] as keys of a grid', async () => {
    const { resource_id } = await add('grid', { columns: 3, rows: 2 });
    await resources.setChild({ resource_id, body: { key: 'A1', child: body('consumable', { quantity: 1 }) } });
    const both = await resources.setChild({
      resource_id,
      body: { key: [1, 2], child: body('consumable', { quantity: 4 }) },
    });
    const rows = listChildren(both).map(({ child }) => keys(child));
    expect(both.quantity).toBe(5);
    expect(rows.map((row) => row.length)).toEqual([1, 1]);
    const out = resources.setChild({ resource_id, body: { key: [9, 9], child: body('asset') } });
    expect((await catchRefusal(out)).status).toBe(500);
  });

  itOnRealLab('accepts [row, column, layer] as keys of a voxel grid', async () => {
    const { resource_id } = await add('voxel_grid', { columns: 3, rows: 2, layers: 2 });
    const child = body('consumable', { quantity: 4 });
    const filled = await resources.setChild({ resource_id, body: { key: [1, 2, 0], child } });
    expect(filled.base_type).toBe('voxel_grid');
    const [queried] = await resources.queryResources({ body: { resource_name: child.resource_name ?? '' } });
    expect(queried?.parent_id).toBeTypeOf('string');
    const { ancestor_ids } = await resources.getHierarchy({ resource_id: queried?.resource_id ?? '' });
    expect(ancestor_ids.at(-1)).toBe(resource_id);
    const out = resources.setChild({ resource_id, body: { key: [9, 9, 9], child: body('consumable') } });
    expect((await catchRefusal(out)).status).toBe(500);
  });

  it('accepts a new resource with a key in a container, but not at an occupied key', async () => {
    const { resource_id } = await add('row', { columns: 3 });
    const well = (key: string) =>
      ({ ...body('consumable', { quantity: 2 }), parent_id: resource_id, key }) as ResourceBody;
    const first = await resources.addResource({ body: well('1') });
    const used = await catchRefusal(resources.addResource({ body: well('1') }));
    expect(used.status).toBe(500);
    expect(used.reason).toMatch(/unique constraint/i);
    const row = await resources.getResource({ resource_id });
    expect(row.quantity).toBe(2);
    expect(Array.isArray(row.children) && row.children.map((child) => child?.resource_id ?? null)).toEqual([
      null,
      first.resource_id,
      null,
    ]);
    const box = await add('collection');
    const keyed = { ...body('asset'), parent_id: box.resource_id, key: 'left' } as ResourceBody;
    const child = await resources.addResource({ body: keyed });
    const filled = await resources.getResource({ resource_id: box.resource_id });
    expect(filled.quantity).toBe(1);
    expect(listChildren(filled)).toMatchObject([{ key: 'left', child: { resource_id: child.resource_id } }]);
    const pool = await add('pool');
    await resources.addResource({
      body: { ...body('consumable', { quantity: 3 }), parent_id: pool.resource_id, key: 'a' } as ResourceBody,
    });
    expect((await resources.getResource({ resource_id: pool.resource_id })).quantity).toBe(3);
    // Adding the same ID again returns the existing resource unchanged.
    const secondRequest = await resources.addResource({
      body: { ...keyed, resource_id: child.resource_id, resource_class: 'other' } as ResourceBody,
    });
    expect(secondRequest.resource_class).toBe(child.resource_class);
  });

  it('keeps the rows of a plate that is sent with them', async () => {
    const line = (resource_id: string) => ({
      base_type: 'row',
      resource_id,
      resource_name: uniqueName('line'),
      columns: 2,
    });
    const ids = [ulid(), ulid()];
    const grid = await add('grid', { rows: 2, columns: 2, children: ids.map(line) });
    expect(listChildren(grid).map(({ child }) => child.resource_id)).toEqual(ids);
    const [, second = ''] = ids;
    const well = { ...body('consumable', { quantity: 1 }), parent_id: second, key: '0' } as ResourceBody;
    await resources.addResource({ body: well });
    const full = await resources.getResource({ resource_id: grid.resource_id });
    expect(full.quantity).toBe(1);
    const layer = { base_type: 'grid', resource_name: uniqueName('layer'), rows: 1, columns: 2 };
    const layers = [ulid(), ulid()].map((resource_id) => ({ ...layer, resource_id, children: [line(ulid())] }));
    const voxels = await add('voxel_grid', { rows: 1, columns: 2, layers: 2, children: layers });
    expect(listChildren(voxels).map(({ child }) => child.resource_id)).toEqual(
      layers.map((voxelLayer) => voxelLayer.resource_id),
    );
    expect(listChildren(voxels).map(({ child }) => listChildren(child)[0]?.child.resource_id)).toEqual(
      layers.map(({ children }) => children[0]?.resource_id),
    );
  });

  it('rejects the removal of an unknown key, and a key in a stack', async () => {
    const { resource_id } = await add('container');
    expect((await catchRefusal(resources.removeChild({ resource_id, body: { key: 'gone' } }))).status).toBe(500);
    const stack = await add('stack');
    const set = resources.setChild({ resource_id: stack.resource_id, body: { key: 'a', child: body('asset') } });
    expect((await catchRefusal(set)).status).toBe(500);
  });
});

itOnRealLab('the resource manager returns the hierarchy of a resource', async () => {
  const { resource_id } = await add('stack');
  const [a, b] = [await add('asset'), await add('asset')];
  for (const { resource_id: child_id } of [a, b]) await resources.pushResource({ resource_id, body: { child_id } });
  const hierarchy = await resources.getHierarchy({ resource_id });
  expect(hierarchy.descendant_ids[resource_id]).toEqual([a.resource_id, b.resource_id]);
  expect((await catchRefusal(resources.getHierarchy({ resource_id: unknownId }))).status).toBe(404);
});

describe('resource templates', () => {
  it('are stored, found, changed, instantiated and deleted', async () => {
    const [template_name, tag] = [uniqueName('template'), uniqueName('tag')];
    const resource = body('discrete_consumable', { quantity: 8, capacity: 96, resource_class: 'tips' });
    const template = await resources.createTemplate({
      body: { template_name, resource, description: 'a rack', tags: [tag], required_overrides: ['resource_name'] },
    });
    expect(template.resource_name).toBe(resource.resource_name);
    expect(await resources.getTemplateInfo({ template_name })).toMatchObject({ description: 'a rack', tags: [tag] });
    expect((await resources.getTemplates()).length).toBeGreaterThan(0);
    await resources.updateTemplate({ template_name, body: { updates: { description: 'a full rack' } } });
    expect((await resources.getTemplateInfo({ template_name })).description).toBe('a full rack');
    const from = await resources.createFromTemplate({
      template_name,
      body: { resource_name: uniqueName('rack'), overrides: { quantity: 96 } },
    });
    expect(from).toMatchObject({ quantity: 96, capacity: 96, resource_class: 'tips', template_name });
    await resources.deleteTemplate({ template_name });
    for (const missing of [resources.getTemplateInfo, resources.deleteTemplate])
      expect((await catchRefusal(missing({ template_name }))).status).toBe(404);
  });

  it('are rejected when unknown or invalid', async () => {
    const template_name = uniqueName('none');
    expect((await catchRefusal(resources.updateTemplate({ template_name, body: { updates: {} } }))).status).toBe(500);
    const create = resources.createFromTemplate({ template_name, body: { resource_name: 'x' } });
    expect((await catchRefusal(create)).status).toBe(400);
    expect((await fetchRaw('resource', 'template/create', jsonRequest('POST', { template_name }))).status).toBe(422);
  });

  itOnRealLab('are returned by name, by tag and by category', async () => {
    const [template_name, tag] = [uniqueName('template'), uniqueName('tag')];
    const resource = body('discrete_consumable');
    await resources.createTemplate({ body: { template_name, resource, tags: [tag] } });
    expect(await resources.getTemplate({ template_name })).toMatchObject({ base_type: 'discrete_consumable' });
    expect((await catchRefusal(resources.getTemplate({ template_name: uniqueName('none') }))).status).toBe(404);
    expect(await resources.queryTemplates({ body: { tags: [tag] } })).toHaveLength(1);
    expect((await fetchRaw('resource', 'templates/query', jsonRequest('POST', { tags: 'a' }))).status).toBe(422);
    const kinds = await resources.getTemplateCategories();
    expect(kinds['discrete_consumable']).toContain(resource.resource_name);
  });
});
