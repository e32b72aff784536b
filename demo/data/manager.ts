/** The data manager of the demo lab. */
import { commonSettings, healthy, identity, type DemoManager, type ManagerParts } from '../base/parts.ts';
import { dataHandlers, servedDataApi } from './handlers.ts';
import { DataStore, type DataParts } from './store.ts';

export type DataManager = DemoManager<typeof servedDataApi, DataStore>;

/** `objectStorage`: uploaded files become objects in a store, as in a lab that has one. */
export function createDataManager(
  parts: ManagerParts,
  { objectStorage = false }: { readonly objectStorage?: boolean } = {},
): DataManager {
  const random = parts.random.stream('data');
  const id = identity(parts, random);
  const own: DataParts = { clock: parts.clock, random, ownership: id.ownership, objectStorage };
  const store = new DataStore(own);
  return {
    api: servedDataApi,
    handlers: dataHandlers(store, own),
    health: () =>
      healthy('Data Manager is running normally', {
        db_connected: true,
        storage_accessible: true,
        total_datapoints: store.total,
      }),
    settings: {
      title: 'DataManagerSettings',
      values: () => commonSettings('Demo Data Manager', 'data_manager', 8004, id),
    },
    store,
  };
}
