import { afterEach, describe, expect, it } from 'vitest';
import { listChildren, type Resource } from '../../api/managers/resourceTypes.ts';
import { send, testParts } from '../base/testRequest.ts';
import { createDataManager } from '../data/manager.ts';
import { addInventory } from './inventory.ts';
import { createLocationManager } from '../location/manager.ts';
import { Random } from '../base/random.ts';
import { createResourceManager } from '../resource/manager.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function createLab(seed = 7) {
  const parts = testParts();
  const random = new Random(seed, parts.clock);
  const resource = createResourceManager({ ...parts, random });
  const location = createLocationManager({ ...parts, random }, resource.store);
  const data = createDataManager({ ...parts, random });
  const nodes = [{ name: 'advanced_example_node', id: random.ulid() }];
  addInventory({ clock: parts.clock, resource, location, data, nodes, random });
  stops.push(location.stop);
  const all = () => send(resource, 'queryResources', { body: {} }).body as Resource[];
  const named = (name: string) => all().find((candidate) => candidate.resource_name === name)!;
  const dump = () => JSON.stringify([all(), send(location, 'getLocations').body, send(data, 'getDatapoints').body]);
  return { resource, location, data, all, named, dump };
}

describe('the inventory', () => {
  it('is the same for the same seed and different for another one', () => {
    const { dump } = createLab();
    expect(createLab().dump()).toBe(dump());
    expect(createLab(8).dump()).not.toBe(dump());
  });

  it('contains every base type', () => {
    const types = new Set(
      createLab()
        .all()
        .map((resource) => resource.base_type),
    );
    expect(types.size).toBe(14);
  });

  it('contains ten locations, one of them unresolved and one managed by a node', () => {
    const { location } = createLab();
    expect(location.health()).toMatchObject({
      num_locations: 10,
      num_unresolved_locations: 1,
      num_node_managed_locations: 1,
      num_lab_managed_locations: 9,
      num_representation_templates: 2,
      num_location_templates: 1,
    });
    const { edges } = send(location, 'getDetailedTransferGraph').body as { edges: unknown[] };
    expect(edges.length).toBeGreaterThan(30);
  });

  it('contains partly filled plates of 96 wells at their locations', () => {
    const { named, location } = createLab();
    const plate = named('plate_101');
    expect(plate).toMatchObject({ base_type: 'grid', rows: 8, columns: 12 });
    expect(plate.parent_id).toBe(location.store.byName('liquidhandler_1.deck_1')?.resource_id);
    const filled = listChildren(plate).flatMap(({ child }) => listChildren(child));
    expect(filled.length).toBeGreaterThan(48);
    expect(filled.length).toBeLessThanOrEqual(64);
    expect(plate.quantity).toBeGreaterThan(60 * filled.length);
    expect(listChildren(listChildren(named('plate_102'))[0]!.child)[1]!.child).toMatchObject({
      base_type: 'pool',
      quantity: 200,
    });
  });

  it('contains reagents and tips below their low mark', () => {
    const low = createLab()
      .all()
      .filter((resource) => Number(resource.quantity) < Number(resource.attributes?.['low_mark'] ?? -1));
    expect(low.map((resource) => resource.resource_name)).toEqual(['ammonium_sulfate', 'tip_rack_3', 'tip_rack_4']);
  });

  it('contains glycerol stocks, a locked resource and a removed one', () => {
    const { named, resource, all } = createLab();
    expect(all().filter((row) => row.resource_name.startsWith('glycerol_stock'))).toHaveLength(11);
    expect(named('tool_drawer')).toMatchObject({ locked_by: 'maintenance' });
    const removed = send(resource, 'queryHistory', { body: { removed: true } }).body as Resource[];
    expect(removed.map((row) => row.resource_name)).toEqual(['plate_099']);
  });

  it('contains datapoints of every type: series, values, a file and an object in a store', () => {
    const { data } = createLab();
    const datapoints = Object.values(
      send(data, 'getDatapoints').body as Record<string, { data_type: string; value?: unknown }>,
    );
    expect(new Set(datapoints.map((datapoint) => datapoint.data_type))).toEqual(
      new Set(['json', 'file', 'object_storage']),
    );
    expect(
      datapoints.filter((datapoint) => Array.isArray(datapoint.value) && datapoint.value.length === 96),
    ).toHaveLength(6);
    for (const id of Object.keys(send(data, 'getDatapoints').body as object)) {
      expect(send(data, 'getDatapointValue', { params: { datapoint_id: id } }).status).toBe(200);
    }
  });
});
