/** The endpoints of the location manager. Paths take names, as in 0.8; queries and the planner take IDs. */
import { locationApi, type Location } from '../../api/managers/location.ts';
import { Refusal, type DemoRequest } from '../base/handling.ts';
import { queryBoolean } from '../http/validation.ts';
import type { ManagerHandlers } from '../base/parts.ts';
import { readBody, readText, unprocessable } from '../base/reading.ts';
import { fromTemplate } from './fromTemplate.ts';
import { planTransfer } from './planner.ts';
import { readLocation, type LocationParts } from './reading.ts';
import { intervalSeconds, makeResource, type LocationResources, type Reconciliation } from './reconciliation.ts';
import type { LocationStore } from './store.ts';
import { templateHandlers } from './templateHandlers.ts';

interface LocationHandlerParts extends LocationParts {
  readonly store: LocationStore;
  readonly resources: LocationResources;
  readonly reconciliation: Reconciliation;
}

const nameOf = ({ params }: DemoRequest) => params['location_name'] ?? '';

/** The resource of a location that is added: a given one counts only where a template is named and it exists. */
function resourceFor(location: Location, resources: LocationResources): string | null {
  const { resource_template_name: template, resource_id: given } = location;
  if (!template) return null;
  if (given && resources.get(given) !== undefined) return given;
  return makeResource(location, resources);
}

function importAll(parts: LocationHandlerParts, body: unknown, overwrite: boolean): object {
  const { store } = parts;
  const sent = readBody(locationApi.endpoints.importLocations.body.schema, body);
  const locations = sent.map((location, index) => readLocation(location, parts, ['body', index]));
  const imported: Location[] = [];
  for (const location of locations) {
    const known = store.byName(location.location_name);
    if (known === undefined) {
      if (store.add(location)) imported.push(location);
    } else if (overwrite) {
      imported.push(store.replace({ ...location, location_id: known.location_id }));
    }
  }
  if (imported.length > 0) store.rebuildGraph();
  return { imported: imported.length, skipped: locations.length - imported.length, errors: [], locations: imported };
}

type Handlers<Name extends keyof ManagerHandlers<typeof locationApi>> = Pick<ManagerHandlers<typeof locationApi>, Name>;

function findHandlers(store: LocationStore): Handlers<'getLocations' | 'findLocation'> {
  return {
    getLocations({ query }) {
      const by = query.get('managed_by');
      if (by !== null && by !== 'lab' && by !== 'node') {
        throw unprocessable(['query', 'managed_by'], "Input should be 'lab' or 'node'");
      }
      return store.all().filter((location) => by === null || location.managed_by === by);
    },
    findLocation({ query }) {
      const [id, name] = [query.get('location_id'), query.get('name')];
      if ((id === null) === (name === null)) {
        throw new Refusal(400, "Exactly one of 'location_id' or 'name' query parameter must be provided");
      }
      const found = id === null ? store.byName(name ?? '') : store.byId(id);
      if (found !== undefined) return found;
      throw new Refusal(
        404,
        id === null ? `Location with name '${name}' not found` : `Location with ID '${id}' not found`,
      );
    },
  };
}

function addHandlers(
  parts: LocationHandlerParts,
): Handlers<'addLocation' | 'initLocation' | 'addLocationFromTemplate'> {
  const { store, resources } = parts;

  function added(location: Location, taken: string): Location {
    if (!store.add(location)) throw new Refusal(409, taken);
    store.rebuildGraph();
    return location;
  }

  return {
    addLocation({ body }) {
      const location = readLocation(body, parts);
      // The resource is made before anyone looks whether the name is taken.
      const resource = resourceFor(location, resources);
      const taken = `Location with name '${location.location_name}' already exists`;
      return added({ ...location, resource_id: resource }, taken);
    },
    initLocation({ body }) {
      const location = readLocation(body, parts);
      const found = store.byName(location.location_name);
      if (found !== undefined) return found;
      const stored = { ...location, resource_id: makeResource(location, resources) };
      store.add(stored);
      store.rebuildGraph();
      return stored;
    },
    addLocationFromTemplate({ body }) {
      const wanted = readBody(locationApi.endpoints.addLocationFromTemplate.body.schema, body);
      const location = readLocation(fromTemplate(store, wanted), parts);
      const resource = makeResource(location, resources);
      return added({ ...location, resource_id: resource }, `Location '${wanted.location_name}' already exists`);
    },
  };
}

function graphHandlers({
  store,
  random,
}: LocationHandlerParts): Handlers<'getTransferGraph' | 'getDetailedTransferGraph' | 'planTransfer'> {
  return {
    getTransferGraph: () => store.graph.adjacency(),
    getDetailedTransferGraph: () => ({
      edges: store.graph.edges.map(({ source, target, nodes, best }) => ({
        source_location_id: source,
        target_location_id: target,
        node_names: nodes,
        min_cost: best.cost,
      })),
    }),
    planTransfer({ query }) {
      const [source, target] = [readText(query, 'source_location_id'), readText(query, 'target_location_id')];
      return planTransfer(store, source, target, random.ulid());
    },
  };
}

function reconciliationHandlers({
  reconciliation,
}: LocationHandlerParts): Handlers<'reconcile' | 'getReconciliationStatus'> {
  return {
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

export function locationHandlers(parts: LocationHandlerParts): ManagerHandlers<typeof locationApi> {
  const { store, resources } = parts;

  function known(request: DemoRequest): Location {
    const location = store.byName(nameOf(request));
    if (location === undefined) throw new Refusal(404, `Location ${nameOf(request)} not found`);
    return location;
  }

  function changed(location: Location): Location {
    const stored = store.replace(location);
    store.rebuildGraph();
    return stored;
  }

  return {
    ...templateHandlers(store, parts),
    ...findHandlers(store),
    getLocation: known,
    ...addHandlers(parts),
    deleteLocation(request) {
      const { location_name: name } = known(request);
      store.delete(name);
      store.rebuildGraph();
      return { message: `Location ${name} deleted successfully` };
    },
    setRepresentation(request) {
      const location = known(request);
      const { node_name: node = '' } = request.params;
      return changed({ ...location, representations: { ...location.representations, [node]: request.body ?? null } });
    },
    removeRepresentation(request) {
      const location = known(request);
      const { node_name: node = '' } = request.params;
      const { [node]: removed, ...representations } = location.representations ?? {};
      if (removed === undefined) {
        const why = `Representation for node '${node}' not found in location ${location.location_name}`;
        throw new Refusal(404, why);
      }
      return changed({ ...location, representations });
    },
    attachResource(request) {
      const resource = readText(request.query, 'resource_id');
      return store.replace({ ...known(request), resource_id: resource });
    },
    detachResource(request) {
      const location = known(request);
      if (location.resource_id !== null) return store.replace({ ...location, resource_id: null });
      throw new Refusal(404, `No resource attached to location ${location.location_name}`);
    },
    getLocationResources(request) {
      const id = known(request).resource_id ?? '';
      const nothing = { ancestor_ids: [], resource_id: id, descendant_ids: {} };
      return id === '' ? nothing : (resources.hierarchy(id) ?? nothing);
    },
    exportLocations: () => store.all(),
    importLocations: ({ body, query }) => importAll(parts, body, queryBoolean(query, 'overwrite', false)),
    ...reconciliationHandlers(parts),
    ...graphHandlers(parts),
  };
}
