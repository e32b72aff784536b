/** The demo lab's location manager and its endpoints. Paths use names, as in 0.8; the planner uses IDs. */
import { locationApi, type Location } from '../../api/managers/location.ts';
import type { DemoClock } from '../base/clock.ts';
import { ErrorResponse, type DemoRequest } from '../base/handlers.ts';
import {
  commonSettings,
  healthy,
  identity,
  type DemoManager,
  type ManagerHandlers,
  type ManagerParts,
} from '../base/demoManager.ts';
import type { Random } from '../base/random.ts';
import { readBody, readBoolean, readText, unprocessable } from '../base/parseRequest.ts';
import { servedEndpoints, unservedEndpoints } from '../base/unservedEndpoints.ts';
import type { ResourceStore } from '../resource/store.ts';
import { intervalSeconds, createResource, Reconciliation } from './reconciliation.ts';
import { LocationStore, readLocation } from './store.ts';
import { fromTemplate, templateHandlers } from './templates.ts';
import { cheapestPath, transferPlan } from './transfers.ts';

const servedApi = servedEndpoints(locationApi, unservedEndpoints.location);
const { endpoints } = locationApi;

type AllHandlers = ManagerHandlers<typeof servedApi>;
type Handlers<Name extends keyof AllHandlers> = Pick<AllHandlers, Name>;

interface HandlerParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly store: LocationStore;
  readonly resources: ResourceStore;
  readonly reconciliation: Reconciliation;
}

function requireLocation(store: LocationStore, { params: { location_name: name = '' } }: DemoRequest): Location {
  const location = store.byName(name);
  if (location === undefined) throw new ErrorResponse(404, `Location ${name} not found`);
  return location;
}

function readingHandlers(store: LocationStore): Handlers<'getLocations' | 'findLocation' | 'getLocation'> {
  return {
    getLocation: (request) => requireLocation(store, request),
    getLocations({ query }) {
      const managedBy = query.get('managed_by');
      if (managedBy !== null && managedBy !== 'lab' && managedBy !== 'node') {
        throw unprocessable(['query', 'managed_by'], "Input should be 'lab' or 'node'");
      }
      return store.all().filter((location) => managedBy === null || location.managed_by === managedBy);
    },
    findLocation({ query }) {
      const [id, name] = [query.get('location_id'), query.get('name')];
      if ((id === null) === (name === null)) {
        throw new ErrorResponse(400, "Exactly one of 'location_id' or 'name' query parameter must be provided");
      }
      const location = id === null ? store.byName(name ?? '') : store.byId(id);
      if (location === undefined) throw new ErrorResponse(404, `Location '${id ?? name}' not found`);
      return location;
    },
  };
}

function importAll({ store, random }: HandlerParts, body: unknown, overwrite: boolean): object {
  const received = readBody(endpoints.importLocations.body.schema, body);
  const locations = received.map((location) => readLocation(location, random));
  const imported = locations.flatMap((location) => {
    const existing = store.byName(location.location_name);
    if (existing !== undefined && overwrite) return [store.replace({ ...location, location_id: existing.location_id })];
    return existing === undefined && store.add(location) ? [location] : [];
  });
  return { imported: imported.length, skipped: locations.length - imported.length, errors: [], locations: imported };
}

type ChangeName =
  | 'addLocation'
  | 'addLocationFromTemplate'
  | 'importLocations'
  | 'deleteLocation'
  | 'setRepresentation'
  | 'removeRepresentation'
  | 'attachResource'
  | 'detachResource';

function changeHandlers(parts: HandlerParts): Handlers<ChangeName> {
  const { store, resources, random } = parts;

  function addLocation(location: Location): Location {
    // As in 0.8.1, a given resource is kept only together with a template.
    const { resource_template_name: template, resource_id: received } = location;
    const isAttached = template && received && resources.get(received) !== undefined;
    const storedLocation = { ...location, resource_id: isAttached ? received : createResource(location, resources) };
    if (store.add(storedLocation)) return storedLocation;
    throw new ErrorResponse(409, `Location with name '${location.location_name}' already exists`);
  }

  return {
    addLocation: ({ body }) => addLocation(readLocation(body, random)),
    addLocationFromTemplate({ body }) {
      const sent = readBody(endpoints.addLocationFromTemplate.body.schema, body);
      return addLocation(readLocation(fromTemplate(store, sent), random));
    },
    importLocations: ({ body, query }) => importAll(parts, body, readBoolean(query, 'overwrite', false)),
    deleteLocation(request) {
      const { location_name: name } = requireLocation(store, request);
      store.delete(name);
      return { message: `Location ${name} deleted successfully` };
    },
    setRepresentation(request) {
      const location = requireLocation(store, request);
      const { node_name: node = '' } = request.params;
      const representations = { ...location.representations, [node]: request.body ?? null };
      return store.replace({ ...location, representations });
    },
    removeRepresentation(request) {
      const location = requireLocation(store, request);
      const { node_name: node = '' } = request.params;
      const { [node]: removed, ...representations } = location.representations ?? {};
      if (removed === undefined) throw new ErrorResponse(404, `Representation for node '${node}' not found`);
      return store.replace({ ...location, representations });
    },
    attachResource(request) {
      const resource = readText(request.query, 'resource_id');
      return store.replace({ ...requireLocation(store, request), resource_id: resource });
    },
    detachResource(request) {
      const location = requireLocation(store, request);
      if (location.resource_id !== null) return store.replace({ ...location, resource_id: null });
      throw new ErrorResponse(404, `No resource attached to location ${location.location_name}`);
    },
  };
}

type GraphName =
  'getTransferGraph' | 'getDetailedTransferGraph' | 'planTransfer' | 'reconcile' | 'getReconciliationStatus';

function graphHandlers({ store, random, reconciliation }: HandlerParts): Handlers<GraphName> {
  function findLocation(id: string, role: 'source' | 'target'): Location {
    const location = store.byId(id);
    if (location === undefined) throw new ErrorResponse(404, `${role} location ${id} not found`);
    if (location.allow_transfers !== false) return location;
    throw new ErrorResponse(400, `${role} location '${location.location_name}' (${id}) does not allow transfers`);
  }

  return {
    getTransferGraph() {
      const graph: Record<string, string[]> = {};
      for (const { source, target } of store.edges()) (graph[source.location_id] ??= []).push(target.location_id);
      return graph;
    },
    getDetailedTransferGraph: () => ({
      edges: store.edges().map(({ source, target, nodes, best }) => ({
        source_location_id: source.location_id,
        target_location_id: target.location_id,
        node_names: nodes,
        min_cost: best.cost,
      })),
    }),
    planTransfer({ query }) {
      const [from, to] = [readText(query, 'source_location_id'), readText(query, 'target_location_id')];
      const [source, target] = [findLocation(from, 'source'), findLocation(to, 'target')];
      const path = cheapestPath(store.edges(), source, target);
      if (path !== undefined) return transferPlan(path, source, target, random.ulid());
      throw new ErrorResponse(404, `No transfer path exists between ${from} and ${to}`);
    },
    reconcile: () => reconciliation.run(),
    getReconciliationStatus: () => ({
      last_reconciliation_at: reconciliation.lastAt,
      last_results: reconciliation.lastResults,
      reconciliation_enabled: true,
      reconciliation_interval_seconds: intervalSeconds,
      lab_config_file: 'locations.yaml',
    }),
  };
}

export interface LocationManager extends DemoManager<typeof servedApi, LocationStore> {
  /** Stops the reconciliation timer. */
  readonly stop: () => void;
}

export function createLocationManager(parts: ManagerParts, resources: ResourceStore): LocationManager {
  const random = parts.random.stream('location');
  const id = identity(parts, random);
  const { clock } = parts;
  const store = new LocationStore();
  const reconciliation = new Reconciliation(store, resources, clock);
  const handlerParts: HandlerParts = { clock, random, store, resources, reconciliation };
  const countManagedBy = (manager: 'lab' | 'node') =>
    store.all().filter((location) => location.managed_by === manager).length;
  return {
    api: servedApi,
    handlers: {
      ...readingHandlers(store),
      ...changeHandlers(handlerParts),
      ...graphHandlers(handlerParts),
      ...templateHandlers(store, handlerParts),
    },
    health: () =>
      healthy('Location Manager is running normally', {
        document_db_connected: true,
        cache_connected: true,
        num_locations: store.all().length,
        num_representation_templates: store.representationTemplates.size,
        num_location_templates: store.locationTemplates.size,
        num_unresolved_locations: store.findUnresolved().length,
        num_node_managed_locations: countManagedBy('node'),
        num_lab_managed_locations: countManagedBy('lab'),
        last_reconciliation_at: reconciliation.lastAt,
      }),
    settings: () => commonSettings('Demo Location Manager', 'location_manager', 8006, id),
    store,
    stop: () => reconciliation.stop(),
  };
}
