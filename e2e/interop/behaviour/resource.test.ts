/**
 * Resources: every type, every operation, and what each one refuses. The tests also document unexpected behaviour of the
 * real manager.
 */
import { describe, expect, it } from 'vitest';
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import { baseTypes } from '#api/managers/resourceTypes.ts';
import { uniqueName, itOnRealLab, jsonRequest, unknownId, fetchRaw, catchRefusal, resources } from './lab.ts';

const sizes: Partial<Record<ResourceBody['base_type'], object>> = {
  row: { columns: 3 },
  grid: { columns: 3, rows: 2 },
  voxel_grid: { columns: 3, rows: 2, layers: 2 },
};

/** Returns a resource to add, of any type. */
function body(base_type: ResourceBody['base_type'], fields: object = {}): ResourceBody {
  return { base_type, resource_name: uniqueName(base_type), ...sizes[base_type], ...fields } as ResourceBody;
}
const add = (base_type: ResourceBody['base_type'], fields: object = {}) =>
  resources.addResource({ body: body(base_type, fields) });

it('the resource manager returns its health and its settings', async () => {
  await add('asset');
  const { total_resources, healthy } = await resources.health();
  expect(healthy).toBe(true);
  expect(total_resources).toBeGreaterThan(0);
  expect(await resources.settings()).toHaveProperty('settings.manager_id');
  expect((await fetchRaw('resource', 'settings?include_schema=x')).status).toBe(422);
});

describe('a resource', () => {
  it.each(baseTypes)('of type %s is added, found and deleted', async (type) => {
    const added = await add(type);
    expect(added.base_type).toBe(type);
    const { resource_id } = added;
    expect(await resources.getResource({ resource_id })).toMatchObject({ resource_name: added.resource_name });
    const [queried] = await resources.queryResources({ body: { resource_id } });
    expect(queried?.resource_id).toBe(resource_id);
    expect(await resources.deleteResource({ resource_id })).toMatchObject({ removed: true });
    expect(await catchRefusal(resources.getResource({ resource_id }))).toMatchObject({ status: 404 });
    expect((await catchRefusal(resources.deleteResource({ resource_id }))).status).toBe(404);
    expect(await resources.queryResources({ body: { resource_id } })).toEqual([]);
  });
});

describe('the resource manager', () => {
  itOnRealLab('adds a resource once when its definition is initialized twice', async () => {
    const definition = { base_type: 'asset', resource_name: uniqueName('tool') };
    const first = await resources.initResource({ body: definition });
    expect((await resources.initResource({ body: definition })).resource_id).toBe(first.resource_id);
    expect(
      (await fetchRaw('resource', 'resource/init', jsonRequest('POST', { base_type: 'row' }))).status,
    ).toBeGreaterThan(399);
  });

  const recolourExisting = async () => {
    const existing = await add('asset', { attributes: { colour: 'red' } });
    return body('asset', { resource_id: existing.resource_id, attributes: { colour: 'blue' } });
  };
  const typeless = jsonRequest('POST', { resource_name: 'typeless' });

  it('returns the stored resource unchanged when its ID is added again', async () => {
    expect((await resources.addResource({ body: await recolourExisting() })).attributes).toEqual({ colour: 'red' });
    expect((await fetchRaw('resource', 'resource/add', typeless)).status).toBe(422);
    expect((await fetchRaw('resource', 'resource/update', typeless)).status).toBe(422);
  });

  itOnRealLab('changes the stored resource when its ID is sent to add_or_update', async () => {
    expect((await resources.addOrUpdateResource({ body: await recolourExisting() })).attributes).toEqual({
      colour: 'blue',
    });
    expect((await fetchRaw('resource', 'resource/add_or_update', typeless)).status).toBe(422);
  });

  it('replaces the whole resource with an update, including its place in the parent', async () => {
    const parent = await add('stack');
    const child = await add('asset', { attributes: { colour: 'red' } });
    await resources.pushResource({ resource_id: parent.resource_id, body: { child_id: child.resource_id } });
    const { resource_id } = child;
    const updated = await resources.updateResource({ body: body('asset', { resource_id }) });
    expect(updated).toMatchObject({ parent_id: null, key: null, attributes: {} });
    expect(
      await catchRefusal(resources.updateResource({ body: body('asset', { resource_id: unknownId }) })),
    ).toMatchObject({
      status: 500,
    });
  });

  it('returns 404 for a query without a match, and rejects unknown keys', async () => {
    const noMatch = await fetchRaw('resource', 'resource/query', jsonRequest('POST', { resource_name: unknownId }));
    expect(noMatch).toMatchObject({ status: 404, json: { detail: 'Resource not found' } });
    expect(await resources.queryResources({ body: { resource_name: unknownId } })).toEqual([]);
    expect((await fetchRaw('resource', 'resource/query', jsonRequest('POST', { colour: 'red' }))).status).toBe(422);
  });
});

describe('amounts of consumables', () => {
  it('are set, changed, filled and emptied within the capacity', async () => {
    const { resource_id } = await add('continuous_consumable', { quantity: 5, capacity: 10, unit: 'mL' });
    const quantity = async (call: Promise<{ quantity?: number | null | undefined }>) => (await call).quantity;
    expect((await resources.getResource({ resource_id })).unit).toBeNull();
    expect(await quantity(resources.setQuantity({ resource_id, quantity: 6 }))).toBe(6);
    expect(await quantity(resources.increaseQuantity({ resource_id, amount: 3 }))).toBe(9);
    expect(await quantity(resources.decreaseQuantity({ resource_id, amount: 100 }))).toBe(0);
    expect(await quantity(resources.fillResource({ resource_id }))).toBe(10);
    expect(await quantity(resources.emptyResource({ resource_id }))).toBe(0);
    expect((await resources.setCapacity({ resource_id, capacity: 20 })).capacity).toBe(20);
    expect((await resources.removeCapacity({ resource_id })).capacity).toBeNull();
    expect((await catchRefusal(resources.fillResource({ resource_id }))).status).toBe(500);
  });

  it('are rejected beyond the capacity, as fractions of discrete items and for resources without an amount', async () => {
    const [tips, asset] = [await add('discrete_consumable', { quantity: 3, capacity: 10 }), await add('asset')];
    const { resource_id } = tips;
    const refused = [
      () => resources.setQuantity({ resource_id, quantity: 11 }),
      () => resources.setQuantity({ resource_id, quantity: 1.5 }),
      () => resources.increaseQuantity({ resource_id, amount: 100 }),
      () => resources.decreaseQuantity({ resource_id: asset.resource_id, amount: 1 }),
      () => resources.setCapacity({ resource_id, capacity: 1 }),
      () => resources.removeCapacity({ resource_id: asset.resource_id }),
    ];
    for (const call of refused) expect((await catchRefusal(call())).status).toBe(500);
    expect((await catchRefusal(resources.emptyResource({ resource_id: unknownId }))).status).toBe(404);
  });

  itOnRealLab('are changed by a negative amount', async () => {
    const { resource_id } = await add('continuous_consumable', { quantity: 6, capacity: 10 });
    expect((await resources.changeQuantityBy({ resource_id, amount: -2 })).quantity).toBe(4);
    expect(await catchRefusal(resources.changeQuantityBy({ resource_id: unknownId, amount: 1 }))).toMatchObject({
      status: 500,
      reason: '404: Resource not found',
    });
  });
});

describe('locks of resources', () => {
  it('belong to one client at a time', async () => {
    const { resource_id } = await add('asset');
    const lock = await resources.lockResource({ resource_id, client_id: 'a', lock_duration: 60 });
    expect(lock).toMatchObject({ locked_by: 'a' });
    expect((await catchRefusal(resources.lockResource({ resource_id, client_id: 'b' }))).status).toBe(409);
    expect((await catchRefusal(resources.unlockResource({ resource_id, client_id: 'b' }))).status).toBe(403);
    expect(await resources.unlockResource({ resource_id, client_id: 'a' })).toMatchObject({ locked_by: null });
  });

  it('are rejected for an unknown resource', async () => {
    expect((await catchRefusal(resources.lockResource({ resource_id: unknownId }))).status).toBe(409);
  });

  itOnRealLab('are reported, and none for an unknown resource', async () => {
    const { resource_id } = await add('asset');
    await resources.lockResource({ resource_id, client_id: 'a', lock_duration: 60 });
    expect(await resources.checkLock({ resource_id })).toMatchObject({ is_locked: true, locked_by: 'a' });
    await resources.unlockResource({ resource_id, client_id: 'a' });
    expect(await resources.checkLock({ resource_id })).toMatchObject({ is_locked: false });
    expect(await resources.checkLock({ resource_id: unknownId })).toMatchObject({ is_locked: false });
  });
});

describe('the history of a resource', () => {
  it('contains every change newest first and restores removed resources', async () => {
    const { resource_id } = await add('discrete_consumable', { quantity: 3, capacity: 10 });
    await resources.setQuantity({ resource_id, quantity: 4 });
    await resources.deleteResource({ resource_id });
    const versions = await resources.queryHistory({ body: { resource_id } });
    expect(versions.map(({ change_type }) => change_type)).toEqual(['Removed', 'Updated', 'Added']);
    expect(versions.map(({ quantity }) => quantity)).toEqual([4, 4, 3]);
    expect(await resources.queryHistory({ body: { resource_id: unknownId } })).toEqual([]);
    expect((await fetchRaw('resource', 'history/query', jsonRequest('POST', { limit: 'all' }))).status).toBe(422);
    expect(await resources.restoreResource({ resource_id })).toMatchObject({ quantity: 4 });
    expect(await resources.getResource({ resource_id })).toMatchObject({ quantity: 4, removed: false });
    expect((await catchRefusal(resources.restoreResource({ resource_id: unknownId }))).status).toBe(404);
  });
});
