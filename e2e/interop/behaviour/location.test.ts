/** Locations: their life cycle, contents, templates, import and export, and transfers between them. */
import { describe, expect, it } from 'vitest';
import type { NewLocation } from '#api/managers/location.ts';
import {
  uniqueName,
  itOnRealLab,
  jsonRequest,
  locations,
  unknownId,
  nodeNames,
  fetchRaw,
  catchRefusal,
  resources,
  target,
} from './lab.ts';
import { expected, itSince08 } from './versions.ts';

const add = (overrides: Partial<NewLocation> = {}) =>
  locations.addLocation({ body: { location_name: uniqueName('place'), representations: {}, ...overrides } });
const pickIdentity = ({ location_name, location_id }: { location_name: string; location_id: string }) => ({
  location_name,
  location_id,
});
/** A location that does not exist. */
const nowhere = { location_name: 'nowhere', location_id: unknownId };

it('the location manager returns its health and its settings', async () => {
  expect(await locations.health()).toMatchObject({ healthy: true, version: target.madsci });
  expect(await locations.settings()).toHaveProperty('settings.manager_id');
  expect((await fetchRaw('location', 'settings?include_schema=x')).status).toBe(422);
});

describe('a location', () => {
  it('is added, found by name and by ID, listed and deleted', async () => {
    const added = await add({ description: 'by the window' });
    expect(added).toMatchObject({ description: 'by the window', resource_id: null, allow_transfers: true });
    const { location_name, location_id } = pickIdentity(added);
    expect(await locations.getLocation(pickIdentity(added))).toEqual(added);
    expect(await locations.findLocation({ location_id })).toEqual(added);
    expect(await locations.findLocation({ name: location_name })).toEqual(added);
    expect(await locations.getLocations()).toContainEqual(added);
    const secondRequest = await fetchRaw(
      'location',
      'location',
      jsonRequest('POST', { ...pickIdentity(added), description: 'new' }),
    );
    expect(secondRequest.status).toBe(expected.repeatedLocationStatus);
    const { description } = await locations.getLocation(pickIdentity(added));
    expect(description).toBe(expected.repeatedLocationStatus === 409 ? 'by the window' : 'new');
    await locations.deleteLocation(pickIdentity(added));
    expect((await catchRefusal(locations.getLocation(pickIdentity(added)))).status).toBe(404);
  });

  it.runIf(target.madsci === '0.8.1')('is managed by the lab, and has a unique name', async () => {
    const added = await add();
    const { location_name } = added;
    expect(added.managed_by).toBe('lab');
    expect(await locations.getLocations({ managed_by: 'node' })).not.toContainEqual(added);
    const secondRefusal = await catchRefusal(locations.addLocation({ body: { location_name } }));
    expect(secondRefusal.reason).toBe(`Location with name '${location_name}' already exists`);
  });

  const exportAndInitialize = async () => {
    const added = await add();
    const { location_name } = added;
    expect(await locations.exportLocations()).toContainEqual(added);
    expect(await locations.initLocation({ body: { location_name, description: 'new' } })).toEqual(added);
    expect((await fetchRaw('location', 'location/init', jsonRequest('POST', { location_name: 'a b' }))).status).toBe(
      422,
    );
  };
  itSince08(
    'is exported, and stays unchanged when it is initialized again',
    'location',
    ['exportLocations', 'initLocation'],
    exportAndInitialize,
    itOnRealLab,
  );

  it('is addressed only by name in 0.8, and only by ID in 0.7', async () => {
    const place = pickIdentity(await add());
    for (const by of ['location_name', 'location_id'] as const) {
      const { status } = await fetchRaw('location', `location/${place[by]}`);
      expect(status, by).toBe(by === expected.locationInPath ? 200 : 404);
    }
    expect((await fetchRaw('location', 'location')).status).toBe(400);
    expect((await catchRefusal(locations.deleteLocation(nowhere))).status).toBe(404);
  });

  it('is rejected with an invalid name or without representations', async () => {
    const bodies = [{ location_name: uniqueName('a b') }, { location_name: uniqueName('x'), representations: null }];
    for (const body of bodies)
      expect((await fetchRaw('location', 'location', jsonRequest('POST', body))).status).toBe(
        expected.invalidLocationStatus,
      );
    expect((await fetchRaw('location', 'location', jsonRequest('POST', { location_id: unknownId }))).status).toBe(422);
    expect((await fetchRaw('location', 'locations?managed_by=x')).status).toBe(expected.invalidManagedByStatus);
  });

  it('gets a representation for a node, which can be removed', async () => {
    const place = pickIdentity(await add());
    const set = await locations.setRepresentation({ ...place, node_name: 'arm', body: { joints: [1, 2] } });
    expect(set.representations).toEqual({ arm: { joints: [1, 2] } });
    const removed = await locations.removeRepresentation({ ...place, node_name: 'arm' });
    expect(removed.representations).toEqual({});
    const { setRepresentation, removeRepresentation } = locations;
    expect((await catchRefusal(setRepresentation({ ...nowhere, node_name: 'arm', body: 1 }))).status).toBe(404);
    expect((await catchRefusal(removeRepresentation({ ...nowhere, node_name: 'arm' }))).status).toBe(404);
  });

  it('is attached to a resource, even to an unknown one, and detached', async () => {
    const stack = await resources.addResource({ body: { base_type: 'stack', resource_name: uniqueName('stack') } });
    const { resource_id } = stack;
    const added = await add({ resource_id });
    expect(added.resource_id).toBe(expected.existingResource === 'kept' ? resource_id : null);
    const place = pickIdentity(added);
    if (expected.existingResource === 'kept') await locations.detachResource(place);
    expect((await locations.attachResource({ ...place, resource_id })).resource_id).toBe(resource_id);
    expect((await locations.detachResource(place)).resource_id).toBeNull();
    expect((await catchRefusal(locations.detachResource(place))).status).toBe(404);
    const unknown = await locations.attachResource({ ...place, resource_id: unknownId });
    expect(unknown.resource_id).toBe(unknownId);
    expect((await catchRefusal(locations.attachResource({ ...nowhere, resource_id }))).status).toBe(404);
  });

  itOnRealLab('returns the hierarchy of the attached resource, which is empty for an unknown resource', async () => {
    const stack = await resources.addResource({ body: { base_type: 'stack', resource_name: uniqueName('stack') } });
    const { resource_id } = stack;
    const place = pickIdentity(await add());
    const empty = { ancestor_ids: [], resource_id: '', descendant_ids: {} };
    expect(await locations.getLocationResources(place)).toEqual(empty);
    await locations.attachResource({ ...place, resource_id });
    expect(await locations.getLocationResources(place)).toMatchObject({ resource_id });
    await locations.attachResource({ ...place, resource_id: unknownId });
    expect(await locations.getLocationResources(place)).toEqual({ ...empty, resource_id: unknownId });
    expect((await catchRefusal(locations.getLocationResources(nowhere))).status).toBe(404);
  });
});

describe('the import of locations', () => {
  itSince08(
    'adds new locations, skips existing ones, and replaces them completely with overwrite',
    'location',
    ['importLocations'],
    async () => {
      const stored = await add({ description: 'old' });
      const added = { location_name: uniqueName('imported'), representations: {} };
      const first = await locations.importLocations({ body: [added, { location_name: stored.location_name }] });
      expect(first).toMatchObject({ imported: 1, skipped: 1, errors: [] });
      expect(first.locations.map(({ location_name }) => location_name)).toEqual([added.location_name]);
      const replaced = await locations.importLocations({
        overwrite: true,
        body: [{ location_name: stored.location_name, allow_transfers: false }],
      });
      expect(replaced.imported).toBe(1);
      const current = await locations.getLocation(pickIdentity(stored));
      expect(current).toMatchObject({ location_id: stored.location_id, description: null, allow_transfers: false });
      expect(
        (await fetchRaw('location', 'locations/import', jsonRequest('POST', [{ location_name: 'a b' }]))).status,
      ).toBe(422);
    },
  );
});

const templateReadEndpoints = [
  'addLocationFromTemplate',
  'getRepresentationTemplates',
  'getLocationTemplates',
  'getRepresentationTemplate',
  'getLocationTemplate',
];
const templateWriteEndpoints = [
  'addRepresentationTemplate',
  'addLocationTemplate',
  'initRepresentationTemplate',
  'initLocationTemplate',
  'deleteRepresentationTemplate',
  'deleteLocationTemplate',
];
const reconciliationEndpoints = ['reconcile', 'getReconciliationStatus'];

describe('location templates', () => {
  itSince08(
    'create a location with the representations of its bound nodes',
    'location',
    templateReadEndpoints,
    async () => {
      const [seat, kind] = [uniqueName('seat'), uniqueName('kind')];
      const stored = await locations.addRepresentationTemplate({
        body: { template_name: seat, default_values: { height: 3 }, required_overrides: ['slot'] },
      });
      expect(stored).toMatchObject({ version: '1.0.0', default_values: { height: 3 } });
      await locations.addLocationTemplate({ body: { template_name: kind, representation_templates: { arm: seat } } });
      const list = await locations.getRepresentationTemplates();
      expect(list.map(({ template_name }) => template_name)).toContain(seat);
      const kinds = await locations.getLocationTemplates();
      expect(kinds.map(({ template_name }) => template_name)).toContain(kind);
      expect(await locations.getRepresentationTemplate({ template_name: seat })).toEqual(stored);
      expect(await locations.getLocationTemplate({ template_name: kind })).toMatchObject({ template_name: kind });

      const place = { location_name: uniqueName('seat'), template_name: kind, node_bindings: { arm: 'arm_1' } };
      const from = await locations.addLocationFromTemplate({
        body: { ...place, representation_overrides: { arm: { slot: 2 } } },
      });
      expect(from.representations).toEqual({ arm_1: { height: 3, slot: 2 } });
      expect(from).toMatchObject({ location_template_name: kind, node_bindings: { arm: 'arm_1' } });
      const unbound = locations.addLocationFromTemplate({
        body: { ...place, location_name: uniqueName('seat'), node_bindings: {} },
      });
      expect(await catchRefusal(unbound)).toMatchObject({ status: 422, reason: "Missing node binding for role 'arm'" });
      const unknown = { ...place, location_name: uniqueName('seat'), template_name: 'none' };
      expect((await catchRefusal(locations.addLocationFromTemplate({ body: unknown }))).status).toBe(404);
    },
  );

  itSince08(
    'have unique names and are replaced by another version and deleted',
    'location',
    templateWriteEndpoints,
    async () => {
      const template_name = uniqueName('template');
      const { addRepresentationTemplate, initRepresentationTemplate, addLocationTemplate, initLocationTemplate } =
        locations;
      for (const store of [addRepresentationTemplate, addLocationTemplate]) {
        await store({ body: { template_name, version: '2.0.0' } });
        expect((await catchRefusal(store({ body: { template_name } }))).status).toBe(409);
      }
      for (const init of [initRepresentationTemplate, initLocationTemplate]) {
        const older = await init({ body: { template_name, version: '1.5.0', description: 'older' } });
        expect(older).toMatchObject({ version: '1.5.0', description: 'older' });
      }
      for (const path of ['representation_template/init', 'location_template/init'])
        expect((await fetchRaw('location', path, jsonRequest('POST', {}))).status).toBe(422);
      const { deleteRepresentationTemplate, deleteLocationTemplate, getRepresentationTemplate, getLocationTemplate } =
        locations;
      await deleteRepresentationTemplate({ template_name });
      await deleteLocationTemplate({ template_name });
      const missing = [
        getRepresentationTemplate,
        getLocationTemplate,
        deleteRepresentationTemplate,
        deleteLocationTemplate,
      ];
      for (const call of missing) expect((await catchRefusal(call({ template_name }))).status).toBe(404);
    },
  );
});

itSince08(
  'reconciliation creates the resource of a location once its template is known',
  'location',
  reconciliationEndpoints,
  async () => {
    const template_name = uniqueName('late');
    const waiting = await add({ resource_template_name: template_name, resource_template_overrides: {} });
    expect(waiting.resource_id).toBeNull();
    await resources.createTemplate({
      body: {
        template_name,
        resource: { base_type: 'slot', resource_name: uniqueName('nest'), resource_class: 'nest' },
      },
    });
    expect(await locations.reconcile()).toHaveProperty('resources_resolved');
    expect((await locations.getLocation(pickIdentity(waiting))).resource_id).toBeTypeOf('string');
    expect(await locations.getReconciliationStatus()).toMatchObject({ reconciliation_enabled: true });
  },
);

describe('transfers between locations', () => {
  itSince08('are returned with their nodes and costs', 'location', ['getDetailedTransferGraph'], async () => {
    const body = { representations: { [nodeNames.arm]: { slot: 8 } } };
    const [a, b] = [await add(body), await add(body)];
    const { edges } = await locations.getDetailedTransferGraph();
    expect(edges).toContainEqual({
      source_location_id: a.location_id,
      target_location_id: b.location_id,
      node_names: [nodeNames.arm],
      min_cost: 1,
    });
  });

  it('are planned by ID between locations that the arm can reach', async () => {
    const body = { representations: { [nodeNames.arm]: { slot: 9 } } };
    const [a, b, far] = [await add(body), await add(body), await add()];
    const [source_location_id, target_location_id] = [a.location_id, b.location_id];
    expect((await locations.getTransferGraph())[source_location_id]).toContain(target_location_id);
    const plan = await locations.planTransfer({ source_location_id, target_location_id });
    expect(plan.name).toBe(`Transfer: '${a.location_name}' -> '${b.location_name}'`);
    expect(plan.steps).toMatchObject([
      {
        node: nodeNames.arm,
        action: 'transfer',
        locations: { source: a.location_name, target: b.location_name },
      },
    ]);
    const same = await locations.planTransfer({ source_location_id, target_location_id: source_location_id });
    expect(same).toMatchObject({ name: 'Transfer: Same location', steps: [] });
    const none = locations.planTransfer({ source_location_id, target_location_id: far.location_id });
    expect((await catchRefusal(none)).status).toBe(404);
    const closed = await add({ ...body, allow_transfers: false });
    const forbidden = locations.planTransfer({ source_location_id, target_location_id: closed.location_id });
    expect((await catchRefusal(forbidden)).status).toBe(400);
  });
});
