/** The experiment manager of the demo lab. */
import { experimentApi } from '../../api/managers/experiment.ts';
import { commonSettings, healthy, identity, type DemoManager, type ManagerParts } from '../base/parts.ts';
import { experimentHandlers } from './handlers.ts';
import { ExperimentStore, type ExperimentParts } from './store.ts';

export type ExperimentManager = DemoManager<typeof experimentApi, ExperimentStore>;

export function createExperimentManager(parts: ManagerParts): ExperimentManager {
  const random = parts.random.stream('experiment');
  const id = identity(parts, random);
  const own: ExperimentParts = { clock: parts.clock, random, ownership: id.ownership, log: parts.log };
  const store = new ExperimentStore(own);
  return {
    api: experimentApi,
    handlers: experimentHandlers(store, own),
    health: () =>
      healthy('Experiment Manager is running normally', { db_connected: true, total_experiments: store.total }),
    settings: {
      title: 'ExperimentManagerSettings',
      values: () => commonSettings('Demo Experiment Manager', 'experiment_manager', 8002, id),
    },
    store,
  };
}
