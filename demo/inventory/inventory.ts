/**
 * The initial inventory of a demo lab: templates, ten locations with contents, plates with partly filled wells, tips
 * and reagents near their low threshold, a container of every kind, and sensor records. It is the same for the same
 * seed.
 */
import type { JsonObject } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import type { DataManager } from '../data/manager.ts';
import type { DemoRequest } from '../base/handlers.ts';
import { plate } from './plates.ts';
import { addRecords } from './records.ts';
import { locationTemplates, demoLocations, representationTemplates } from './locations.ts';
import { resourceTemplates, stock } from './stock.ts';
import type { LocationManager } from '../location/manager.ts';
import type { Random } from '../base/random.ts';
import type { ResourceManager } from '../resource/manager.ts';

interface InventoryParts {
  readonly clock: DemoClock;
  readonly random: Random;
  /** The lab's nodes: a location that a node manages has it as its owner. */
  readonly nodes?: readonly { readonly name: string; readonly id: string }[];
  readonly resource: ResourceManager;
  readonly location: LocationManager;
  readonly data: DataManager;
}

const emptyRequest: Omit<DemoRequest, 'body'> = { params: {}, query: new URLSearchParams(), fields: {}, files: [] };

/** Adds locations through the location manager's endpoints. */
function addLocations({ handlers }: LocationManager, nodes: NonNullable<InventoryParts['nodes']>): void {
  for (const body of representationTemplates) handlers.addRepresentationTemplate({ ...emptyRequest, body });
  for (const body of locationTemplates) handlers.addLocationTemplate({ ...emptyRequest, body });
  for (const body of demoLocations(new Map(nodes.map(({ name, id }) => [name, id]))))
    handlers.addLocation({ ...emptyRequest, body });
}

/** Puts a resource at a location. */
function addChild({ resource, location }: InventoryParts, locationName: string, child: JsonObject): void {
  const id = location.store.byName(locationName)?.resource_id ?? '';
  resource.store.push(id, resource.store.add(child));
}

export function addInventory(parts: InventoryParts): void {
  const { resource, location, data, clock, nodes = [] } = parts;
  const random = parts.random.stream('inventory');
  const { store } = resource;
  for (const template of resourceTemplates) store.templates.create(template);
  addLocations(location, nodes);

  addChild(parts, 'liquidhandler_1.deck_1', plate('plate_101', random, 'growth', 8));
  addChild(parts, 'liquidhandler_1.deck_2', plate('plate_102', random, 'dilution'));
  addChild(parts, 'liquidhandler_2.deck_1', plate('plate_103', random, 'growth', 3));
  addChild(parts, 'storage_rack', plate('plate_104', random, 'growth'));
  addChild(parts, 'storage_rack', plate('plate_105', random, 'empty'));

  const ids = new Map(stock(random).map((item) => [item['resource_name'], store.add(item)]));

  // A resource that can be restored, and one that is locked for an hour.
  store.table.remove(store.add({ base_type: 'asset', resource_name: 'plate_099', resource_class: 'plate_96' }));
  store.lock(store.table.getOrThrow(ids.get('tool_drawer') ?? ''), 3600, 'maintenance');

  addRecords(data, random, clock);
}
