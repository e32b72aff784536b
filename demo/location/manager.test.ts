import { afterEach, describe, expect, it } from 'vitest';
import type { Location } from '../../api/managers/location.ts';
import { send, testParts, type RequestParts } from '../base/testRequest.ts';
import { createResourceManager } from '../resource/manager.ts';
import { createLocationManager } from './manager.ts';
import { cheapestPath, type Edge } from './transfers.ts';

const ids = ['01K5HDZZCF27YHD2WDGSXFPPKF', '01K5HDZZCF27YHD2WDGSXFPPKG', '01K5HDZZCF27YHD2WDGSXFPPKH'] as const;
const unknown = '01K5HDZZCF27YHD2WDGSXFPPKZ';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function createLab() {
  const parts = testParts();
  const resources = createResourceManager(parts);
  const manager = createLocationManager(parts, resources.store);
  stops.push(manager.stop);
  const sendRequest = (name: Parameters<typeof send<typeof manager.api>>[1], sent?: RequestParts) =>
    send(manager, name, sent);
  const at = (location_name: string, otherParts: RequestParts = {}): RequestParts => ({
    params: { location_name },
    ...otherParts,
  });
  const detail = (name: Parameters<typeof sendRequest>[0], sent?: RequestParts) => {
    const { status, body } = sendRequest(name, sent);
    return [status, (body as { detail?: unknown }).detail];
  };
  const add = (body: object) => sendRequest('addLocation', { body }).body as Location;
  const nest = () =>
    send(resources, 'createTemplate', { body: { template_name: 'nest', resource: { base_type: 'slot' } } });
  return { ...parts, manager, resources, sendRequest, at, detail, add, nest };
}

describe('locations', () => {
  it('are stored with defaults and listed in the order of adding', () => {
    const { add, sendRequest } = createLab();
    expect(add({ location_name: 'bench.1' })).toEqual({
      location_name: 'bench.1',
      location_id: expect.any(String),
      resource_id: null,
      description: null,
      representations: {},
      resource_template_name: null,
      resource_template_overrides: null,
      allow_transfers: true,
      reservation: null,
      location_template_name: null,
      node_bindings: null,
      managed_by: 'lab',
      owner: null,
    });
    add({ location_name: 'a', managed_by: 'node' });
    const names = (sent?: RequestParts) =>
      (sendRequest('getLocations', sent).body as Location[]).map((location) => location.location_name);
    expect(names()).toEqual(['bench.1', 'a']);
    expect(names({ query: { managed_by: 'node' } })).toEqual(['a']);
    expect(sendRequest('getLocations', { query: { managed_by: 'me' } }).status).toBe(422);
  });

  it.each([[{ location_name: '' }], [{ location_name: 'a b' }], [{ location_name: 'a', representations: null }], [{}]])(
    'are rejected when added as %j',
    (body) => expect(createLab().sendRequest('addLocation', { body }).status).toBe(422),
  );

  it('accept names with any letters, each name once', () => {
    const { add, detail } = createLab();
    const { location_id: id } = add({ location_name: 'Küche_1' });
    expect(detail('addLocation', { body: { location_name: 'Küche_1' } })).toEqual([
      409,
      "Location with name 'Küche_1' already exists",
    ]);
    // The message is the same if only the ID exists.
    expect(detail('addLocation', { body: { location_name: 'other', location_id: id } })).toEqual([
      409,
      "Location with name 'other' already exists",
    ]);
  });

  it('are found by name, not by ID, and a query requires exactly one of the two', () => {
    const { add, sendRequest, at, detail } = createLab();
    const { location_id: id } = add({ location_name: 'bench' });
    expect(sendRequest('getLocation', at('bench')).body).toMatchObject({ location_id: id });
    expect(detail('getLocation', at(id))).toEqual([404, `Location ${id} not found`]);
    expect(sendRequest('findLocation', { query: { location_id: id } }).body).toMatchObject({ location_name: 'bench' });
    expect(sendRequest('findLocation', { query: { name: 'bench' } }).body).toMatchObject({ location_id: id });
    const message = "Exactly one of 'location_id' or 'name' query parameter must be provided";
    expect(detail('findLocation')).toEqual([400, message]);
    expect(detail('findLocation', { query: { name: 'bench', location_id: id } })).toEqual([400, message]);
    expect(detail('findLocation', { query: { name: 'x' } })).toEqual([404, "Location 'x' not found"]);
    expect(detail('findLocation', { query: { location_id: 'x' } })).toEqual([404, "Location 'x' not found"]);
  });

  it.each([
    ['getLocation', {}],
    ['deleteLocation', {}],
    ['setRepresentation', { body: 1 }],
    ['removeRepresentation', {}],
    ['attachResource', { query: { resource_id: 'x' } }],
    ['detachResource', {}],
  ] as const)('are not found under an unknown name by %s', (name, otherParts) => {
    const { detail, at } = createLab();
    expect(detail(name, at('nowhere', otherParts))).toEqual([404, 'Location nowhere not found']);
  });

  it('drop the resource ID of a request without a template, and keep it with a template', () => {
    const { add, nest, resources } = createLab();
    nest();
    const plate = resources.store.add({ base_type: 'asset' });
    expect(add({ location_name: 'a', resource_id: plate })).toMatchObject({ resource_id: null });
    expect(add({ location_name: 'b', resource_id: plate, resource_template_name: 'nest' })).toMatchObject({
      resource_id: plate,
    });
    const created = add({ location_name: 'c', resource_id: unknown, resource_template_name: 'nest' }).resource_id;
    expect(resources.store.get(created ?? '')).toMatchObject({ resource_name: 'c', base_type: 'slot' });
  });

  it('have representations that can be set and removed, and can be deleted', () => {
    const { add, sendRequest, at, detail } = createLab();
    add({ location_name: 'a' });
    const on = (node_name: string, body?: unknown): RequestParts => ({
      params: { location_name: 'a', node_name },
      body,
    });
    expect(sendRequest('setRepresentation', on('arm', [1, 2])).body).toMatchObject({
      representations: { arm: [1, 2] },
    });
    expect(sendRequest('removeRepresentation', on('arm')).body).toMatchObject({ representations: {} });
    expect(detail('removeRepresentation', on('arm'))).toEqual([404, "Representation for node 'arm' not found"]);
    expect(sendRequest('deleteLocation', at('a')).body).toEqual({ message: 'Location a deleted successfully' });
    expect(sendRequest('getLocations').body).toEqual([]);
  });

  it('store a resource ID without checking that it exists', () => {
    const { add, sendRequest, at, detail } = createLab();
    add({ location_name: 'a' });
    const attached = sendRequest('attachResource', at('a', { query: { resource_id: 'any text' } }));
    expect(attached.body).toMatchObject({ resource_id: 'any text' });
    expect(sendRequest('attachResource', at('a', { body: { resource_id: 'x' } })).status).toBe(422);
    expect(sendRequest('detachResource', at('a')).body).toMatchObject({ resource_id: null });
    expect(detail('detachResource', at('a'))).toEqual([404, 'No resource attached to location a']);
  });
});

describe('the import of locations', () => {
  it('skips known names, or replaces everything except the ID', () => {
    const { add, sendRequest, at } = createLab();
    const { location_id: id } = add({ location_name: 'a', description: 'old', representations: { arm: 1 } });
    sendRequest('attachResource', at('a', { query: { resource_id: 'plate' } }));
    const body = [
      { location_name: 'a', description: 'new' },
      { location_name: 'b', location_id: id },
      { location_name: 'c' },
    ];
    expect(sendRequest('importLocations', { body }).body).toMatchObject({ imported: 1, skipped: 2, errors: [] });
    expect(sendRequest('importLocations', { body, query: { overwrite: 'true' } }).body).toMatchObject({
      imported: 2,
      skipped: 1,
    });
    expect(sendRequest('getLocation', at('a')).body).toMatchObject({
      location_id: id,
      description: 'new',
      representations: {},
      resource_id: null,
    });
    expect(sendRequest('importLocations', { body: [{ location_name: 'a b' }] }).status).toBe(422);
    expect(sendRequest('importLocations', { body: [] }).body).toMatchObject({ imported: 0 });
  });
});

describe('templates of locations and representations', () => {
  const kinds = [
    ['Representation', { template_name: 'deck', default_values: { slot: 1 } }],
    ['Location', { template_name: 'deck', representation_templates: { arm: 'arm_deck' } }],
  ] as const;

  it.each(kinds)('are added, initialized by version and deleted: %s', (kind, body) => {
    const { sendRequest, detail, clock } = createLab();
    const named: RequestParts = { params: { template_name: 'deck' } };
    const added = sendRequest(`add${kind}Template`, { body }).body;
    expect(added).toMatchObject({ version: '1.0.0', created_at: clock.zoned(), updated_at: null, tags: [] });
    expect(sendRequest(`get${kind}Templates`).body).toEqual([added]);
    expect(detail(`add${kind}Template`, { body })).toEqual([409, `${kind} template 'deck' already exists`]);
    expect(sendRequest(`init${kind}Template`, { body: { ...body, description: 'x' } }).body).toEqual(added);
    const lower = { ...body, version: '0.9.0', description: 'lower' };
    expect(sendRequest(`init${kind}Template`, { body: lower }).body).toMatchObject({
      description: 'lower',
      template_id: (added as { template_id: string }).template_id,
      updated_at: clock.zoned(),
    });
    expect(sendRequest(`delete${kind}Template`, named).body).toEqual({
      message: `${kind} template 'deck' deleted successfully`,
    });
    expect(detail(`delete${kind}Template`, named)).toEqual([404, `${kind} template 'deck' not found`]);
    expect(sendRequest(`init${kind}Template`, { body }).status).toBe(200);
  });

  function createTemplatedLab() {
    const created = createLab();
    const arm = { template_name: 'arm_deck', default_values: { gripper: 'wide' }, required_overrides: ['position'] };
    created.sendRequest('addRepresentationTemplate', { body: arm });
    const representation_templates = { arm: 'arm_deck', deck: 'not_yet' };
    const overrides = { resource_class: 'deck_slot' };
    created.sendRequest('addLocationTemplate', {
      body: {
        template_name: 'deck_slot',
        representation_templates,
        resource_template_name: 'nest',
        resource_template_overrides: overrides,
      },
    });
    return created;
  }
  const templateRequest = {
    location_name: 'bench',
    template_name: 'deck_slot',
    node_bindings: { arm: 'robotarm_1', deck: 'liquidhandler_1' },
    representation_overrides: { arm: { position: [1] }, deck: { slot: 9 } },
  };

  it('create locations', () => {
    const { sendRequest, detail, nest } = createTemplatedLab();
    nest();
    expect(sendRequest('addLocationFromTemplate', { body: templateRequest }).body).toMatchObject({
      representations: { robotarm_1: { gripper: 'wide', position: [1] }, liquidhandler_1: { slot: 9 } },
      resource_id: expect.any(String),
      resource_template_overrides: { resource_class: 'deck_slot' },
      node_bindings: templateRequest.node_bindings,
      location_template_name: 'deck_slot',
    });
    expect(detail('addLocationFromTemplate', { body: templateRequest })).toEqual([
      409,
      "Location with name 'bench' already exists",
    ]);
  });

  it.each([
    [{ template_name: 'none' }, 404, "Location template 'none' not found"],
    [{ node_bindings: {} }, 422, "Missing node binding for role 'arm'"],
    [{ representation_overrides: {} }, 422, "Missing required overrides for role 'arm': position"],
  ])('create no location with %j', (overrides, status, message) => {
    expect(
      createTemplatedLab().detail('addLocationFromTemplate', { body: { ...templateRequest, ...overrides } }),
    ).toEqual([status, message]);
  });

  it('give a location its resource at a reconciliation once the resource template exists', () => {
    const { sendRequest, at, manager, nest, clock } = createTemplatedLab();
    sendRequest('addLocationFromTemplate', { body: templateRequest });
    expect(sendRequest('getLocation', at('bench')).body).toMatchObject({ resource_id: null });
    expect(manager.health()).toMatchObject({ num_unresolved_locations: 1, last_reconciliation_at: null });
    expect(sendRequest('getReconciliationStatus').body).toMatchObject({
      last_reconciliation_at: null,
      last_results: null,
    });
    expect(sendRequest('reconcile').body).toMatchObject({ resources_resolved: 0 });
    nest();
    clock.advance(30_000);
    expect(sendRequest('getReconciliationStatus').body).toMatchObject({
      last_reconciliation_at: clock.zoned().replace('Z', '+00:00'),
      last_results: { resources_resolved: 1 },
    });
    expect(sendRequest('getLocation', at('bench')).body).toMatchObject({
      resource_id: expect.any(String),
    });
    expect(manager.health()).toMatchObject({ num_unresolved_locations: 0, num_lab_managed_locations: 1 });
  });
});

describe('transfers', () => {
  /** Three places in a row: the arm reaches the first two, a liquid handler the last two. */
  function createRowLab(overrides: object = {}) {
    const created = createLab();
    created.add({ location_name: 'a', location_id: ids[0], representations: { robotarm_1: 1 } });
    created.add({
      location_name: 'b',
      location_id: ids[1],
      representations: { robotarm_1: 2, liquidhandler_1: 2 },
      ...overrides,
    });
    created.add({ location_name: 'c', location_id: ids[2], representations: { liquidhandler_1: 3 } });
    const plan = (source_location_id: string, target_location_id: string) => ({
      query: { source_location_id, target_location_id },
    });
    return { ...created, plan };
  }

  it('are the steps that a node can execute', () => {
    const { sendRequest } = createRowLab();
    expect(sendRequest('getTransferGraph').body).toEqual({
      [ids[0]]: [ids[1]],
      [ids[1]]: [ids[0], ids[2]],
      [ids[2]]: [ids[1]],
    });
    expect(sendRequest('getDetailedTransferGraph').body).toMatchObject({
      edges: [{ node_names: ['robotarm_1'], min_cost: 1 }, {}, { node_names: ['liquidhandler_1'], min_cost: 2 }, {}],
    });
  });

  it('are planned over several steps by ID', () => {
    const { sendRequest, plan } = createRowLab();
    expect(sendRequest('planTransfer', plan(ids[0], ids[2])).body).toMatchObject({
      name: "Transfer: 'a' -> 'c'",
      steps: [
        { key: 'transfer_step_1', node: 'robotarm_1', action: 'transfer', locations: { source: 'a', target: 'b' } },
        { node: 'liquidhandler_1', action: 'deck_transfer', locations: { source_location: 'b', target_location: 'c' } },
      ],
    });
    expect(sendRequest('planTransfer', plan(ids[0], ids[0])).body).toMatchObject({
      name: 'Transfer: Same location',
      steps: [],
    });
  });

  it.each([
    [unknown, ids[0], 404, `source location ${unknown} not found`],
    [ids[0], 'a', 404, 'target location a not found'],
  ])('are not planned from %s to %s: %i', (from, to, status, message) => {
    const { detail, plan } = createRowLab();
    expect(detail('planTransfer', plan(from, to))).toEqual([status, message]);
    expect(detail('planTransfer', { query: { source_location_id: from } })[0]).toBe(422);
  });

  it('require a route and locations that allow transfers', () => {
    const { detail, plan, sendRequest } = createRowLab({ allow_transfers: false });
    expect(sendRequest('getTransferGraph').body).toEqual({});
    expect(detail('planTransfer', plan(ids[0], ids[1]))).toEqual([
      400,
      `target location 'b' (${ids[1]}) does not allow transfers`,
    ]);
    expect(detail('planTransfer', plan(ids[1], ids[0]))[1]).toContain("source location 'b'");
    expect(detail('planTransfer', plan(ids[0], ids[2]))).toEqual([
      404,
      `No transfer path exists between ${ids[0]} and ${ids[2]}`,
    ]);
  });

  it('use the cheapest path, not the shortest', () => {
    const { add } = createLab();
    const [a, b, c] = ['a', 'b', 'c'].map((location_name) => add({ location_name })) as [Location, Location, Location];
    const edge = (source: Location, target: Location, cost: number): Edge => ({
      source,
      target,
      best: { node: 'n', action: 'a', source: 's', target: 't', cost },
      nodes: ['n'],
    });
    const edges = [edge(a, c, 5), edge(a, b, 1), edge(b, c, 1)];
    expect(cheapestPath(edges, a, c)?.map(({ target }) => target)).toEqual([b, c]);
    expect(cheapestPath(edges, c, a)).toBeUndefined();
  });

  it('have the cost that is configured for the source, the target or all locations', () => {
    const { add, sendRequest, manager } = createLab();
    for (const location_name of ['storage_rack', 'platereader_1.plate_carriage', 'liquidhandler_1.deck_1']) {
      add({ location_name, representations: { robotarm_1: 1 } });
    }
    const { edges } = sendRequest('getDetailedTransferGraph').body as { edges: { min_cost: number }[] };
    expect(edges.map((edge) => edge.min_cost)).toEqual([0.8, 0.8, 1, 1, 1, 1.2]);
    expect(manager.settings()).toHaveProperty('manager_type', 'location_manager');
  });
});
