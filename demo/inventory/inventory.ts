/**
 * What a demo lab has when it starts: templates, ten places with what lies there, plates with partly filled wells, tips
 * and reagents near their low mark, a container of every kind, and what sensors recorded. The same for the same seed.
 */
import { locationApi } from '../../api/managers/location.ts';
import type { JsonObject } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import type { DataManager } from '../data/manager.ts';
import type { DemoRequest } from '../base/handling.ts';
import { plate } from './plates.ts';
import { locationTemplates, places, representationTemplates } from './places.ts';
import { addRecords } from './records.ts';
import { frozen, stock } from './stock.ts';
import { resourceTemplates } from './templates.ts';
import type { LocationManager } from '../location/manager.ts';
import type { ManagerHandlers } from '../base/parts.ts';
import type { Random } from '../base/random.ts';
import { lock } from '../resource/locks.ts';
import type { ResourceManager } from '../resource/manager.ts';

interface InventoryParts {
  readonly clock: DemoClock;
  readonly random: Random;
  /** The lab's nodes: a place that one of them manages belongs to it. */
  readonly nodes?: readonly { readonly name: string; readonly id: string }[];
  readonly resource: ResourceManager;
  readonly location: LocationManager;
  readonly data: DataManager;
}

const none: Omit<DemoRequest, 'body'> = { params: {}, query: new URLSearchParams(), fields: {}, files: [] };

/** The location manager learns of everything as from anybody else: by its own endpoints. */
function addPlaces(handlers: ManagerHandlers<typeof locationApi>, nodes: NonNullable<InventoryParts['nodes']>): void {
  for (const body of representationTemplates) handlers.addRepresentationTemplate({ ...none, body });
  for (const body of locationTemplates) handlers.addLocationTemplate({ ...none, body });
  for (const body of places(new Map(nodes.map(({ name, id }) => [name, id])))) handlers.addLocation({ ...none, body });
}

/** Puts a plate where a location is. */
function put({ resource, location }: InventoryParts, place: string, child: JsonObject): void {
  const id = location.store.byName(place)?.resource_id ?? '';
  resource.store.push(id, resource.store.add(child));
}

export function addInventory(parts: InventoryParts): void {
  const { resource, location, data, clock, nodes = [] } = parts;
  const random = parts.random.stream('inventory');
  const { store } = resource;
  for (const template of resourceTemplates) store.templates.create(template);
  addPlaces(location.handlers, nodes);

  put(parts, 'liquidhandler_1.deck_1', plate('plate_101', random, 'growth', 8));
  put(parts, 'liquidhandler_1.deck_2', plate('plate_102', random, 'dilution'));
  put(parts, 'liquidhandler_2.deck_1', plate('plate_103', random, 'growth', 3));
  put(parts, 'storage_rack', plate('plate_104', random, 'growth'));
  put(parts, 'storage_rack', plate('plate_105', random, 'empty'));

  const ids = new Map(stock(random).map((item) => [item['resource_name'], store.add(item)]));
  const freezer = ids.get('freezer_box') ?? '';
  for (const { key, child } of frozen(random)) store.setChild(freezer, key, store.read(child));

  // Something to restore, and something that somebody holds for an hour.
  const gone = store.add({ base_type: 'asset', resource_name: 'plate_099', resource_class: 'plate_96' });
  store.table.atomically(() => store.table.remove(gone));
  lock(store.table, ids.get('tool_drawer') ?? '', clock.now(), 3600, 'maintenance');

  addRecords(data, random, clock);
}
