/** In-process adapters of the managers for the workcell and the nodes, without HTTP. */
import type { Location } from '../../api/managers/location.ts';
import type { JsonObject } from '../../api/client/wire.ts';
import type { DataManager } from '../data/manager.ts';
import { contentType } from '../data/store.ts';
import type { DemoRequest, UploadedFile } from '../base/handlers.ts';
import type { NodeWorld } from '../nodes/definition.ts';
import type { DemoNode } from '../nodes/node.ts';
import type { LocationManager } from '../location/manager.ts';
import type { ResourceManager } from '../resource/manager.ts';
import type { LabLocation, LabView } from '../workcell/state.ts';

interface LabManagers {
  readonly data: DataManager;
  readonly resource: ResourceManager;
  readonly locations: Pick<LocationManager['handlers'], 'getLocations' | 'planTransfer'>;
  /** By node address. */
  readonly nodes: ReadonlyMap<string, DemoNode>;
}

const request: DemoRequest = { params: {}, query: new URLSearchParams(), body: undefined, fields: {}, files: [] };

function labLocation(location: Location): LabLocation {
  return {
    id: location.location_id,
    name: location.location_name,
    representations: location.representations ?? {},
    resourceId: location.resource_id ?? null,
  };
}

function findFile(data: DataManager, id: string): UploadedFile | undefined {
  const datapoint = data.store.get(id);
  const bytes = datapoint === undefined ? undefined : data.store.bytes(datapoint);
  if (bytes === undefined) return undefined;
  const filename = datapoint?.label ?? 'file';
  return { filename, contentType: contentType(filename), bytes };
}

export function labView({ data, resource, locations, nodes }: LabManagers): LabView {
  const allLocations = () => (locations.getLocations(request) as readonly Location[]).map(labLocation);
  return {
    locations: allLocations,
    location: (key) => allLocations().find(({ id, name }) => name === key || id === key),
    plan: (source, target) => {
      const query = new URLSearchParams({ source_location_id: source, target_location_id: target });
      return locations.planTransfer({ ...request, query }) as JsonObject;
    },
    resource: (key) => {
      const row = resource.store.get(key) ?? resource.store.findByName(key);
      return row === undefined ? undefined : { ...row };
    },
    addJson: (label, value, ownership) => data.store.add({ label, value, ownership }),
    addFile: (label, file, ownership) => data.store.add({ label, file, ownership }),
    json: (id) => data.store.value(id),
    file: (id) => findFile(data, id),
    node: (url) => {
      const node = nodes.get(url);
      return node?.reachable === true ? node : undefined;
    },
  };
}

/**
 * Returns the effects of an arm on the resources. An empty source is not an error, because not every plate has a
 * resource.
 */
export function nodeWorld({ store }: ResourceManager): NodeWorld {
  return {
    move: (source, target) => {
      const resource = store.pop(source);
      if (resource === undefined) return null;
      if (store.push(target, resource)) return null;
      store.push(source, resource);
      return 'The target is occupied';
    },
  };
}
