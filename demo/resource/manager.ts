/** The resource manager of the demo lab. */
import { resourceApi } from '../../api/managers/resource.ts';
import { commonSettings, healthy, identity, type DemoManager, type ManagerParts } from '../base/parts.ts';
import { resourceHandlers } from './handlers.ts';
import { addMany } from './scale.ts';
import { ResourceStore } from './store.ts';

export interface ResourceManager extends DemoManager<typeof resourceApi, ResourceStore> {
  readonly scale: { readonly addResources: (count: number) => void };
}

export function createResourceManager(parts: ManagerParts): ResourceManager {
  const random = parts.random.stream('resource');
  const id = identity(parts, random);
  const store = new ResourceStore(parts.clock, { random, ownership: id.ownership });
  return {
    api: resourceApi,
    handlers: resourceHandlers(store),
    health: () =>
      healthy('Resource Manager is running normally', { db_connected: true, total_resources: store.table.total }),
    settings: {
      title: 'ResourceManagerSettings',
      values: () => commonSettings('Demo Resource Manager', 'resource_manager', 8003, id),
    },
    store,
    scale: { addResources: (count) => addMany(store, random, count) },
  };
}
