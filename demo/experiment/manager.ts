/**
 * The experiment manager of the demo lab and its endpoints. It serves no campaigns: they are IDs in `ownership_info`.
 */
import { experimentApi, type ExperimentDesign } from '../../api/managers/experiment.ts';
import { ErrorResponse, type DemoRequest } from '../base/handlers.ts';
import {
  commonSettings,
  healthy,
  identity,
  type DemoManager,
  type ManagerHandlers,
  type ManagerParts,
} from '../base/demoManager.ts';
import { readBody, readNumber, readOwnership } from '../base/parseRequest.ts';
import { ExperimentStore, type Change, type ExperimentParts } from './store.ts';

function createHandlers(store: ExperimentStore, parts: ExperimentParts): ManagerHandlers<typeof experimentApi> {
  const startBody = experimentApi.endpoints.startExperiment.body.schema;
  const idIn = ({ params }: DemoRequest) => params['experiment_id'] ?? '';
  const notFound = () => new ErrorResponse(404, 'Experiment not found');
  const change = (kind: Change) => (request: DemoRequest) => {
    const changed = store.change(idIn(request), kind);
    if (changed === undefined) throw notFound();
    return changed;
  };
  return {
    getExperiments: ({ query }) => store.list(readNumber(query, 'number', 10)),
    getExperiment(request) {
      const experiment = store.get(idIn(request));
      if (experiment === undefined) throw notFound();
      return experiment;
    },
    startExperiment({ body }) {
      const {
        experiment_design: receivedDesign,
        run_name: runName,
        run_description: runDescription,
      } = readBody(startBody, body);
      const ownership =
        receivedDesign.ownership_info === undefined ? parts.ownership : readOwnership(receivedDesign.ownership_info);
      const design: ExperimentDesign = {
        experiment_name: receivedDesign.experiment_name,
        experiment_description: receivedDesign.experiment_description ?? null,
        resource_conditions: receivedDesign.resource_conditions ?? [],
        ownership_info: ownership,
      };
      return store.start({ design, ownership, runName, runDescription });
    },
    endExperiment: change('end'),
    continueExperiment: change('continue'),
    pauseExperiment: change('pause'),
    cancelExperiment: change('cancel'),
    failExperiment: change('fail'),
  };
}

export type ExperimentManager = DemoManager<typeof experimentApi, ExperimentStore>;

export function createExperimentManager(parts: ManagerParts): ExperimentManager {
  const random = parts.random.stream('experiment');
  const id = identity(parts, random);
  const experimentParts: ExperimentParts = { clock: parts.clock, random, ownership: id.ownership, log: parts.log };
  const store = new ExperimentStore(experimentParts);
  return {
    api: experimentApi,
    handlers: createHandlers(store, experimentParts),
    health: () =>
      healthy('Experiment Manager is running normally', { db_connected: true, total_experiments: store.total }),
    settings: () => commonSettings('Demo Experiment Manager', 'experiment_manager', 8002, id),
    store,
  };
}
