/** The endpoints of the experiment manager. It serves no campaigns: they are only IDs in `ownership_info`. */
import { experimentApi, type ExperimentDesign } from '../../api/managers/experiment.ts';
import { Refusal, type DemoRequest } from '../base/handling.ts';
import type { ManagerHandlers } from '../base/parts.ts';
import { readBody, readInt, readOwnership } from '../base/reading.ts';
import type { Change, ExperimentParts, ExperimentStore } from './store.ts';

export function experimentHandlers(
  store: ExperimentStore,
  parts: ExperimentParts,
): ManagerHandlers<typeof experimentApi> {
  const startBody = experimentApi.endpoints.startExperiment.body.schema;
  const notFound = () => new Refusal(404, 'Experiment not found');
  function change(kind: Change) {
    return ({ params: { experiment_id: id = '' } }: DemoRequest) => {
      const changed = store.change(id, kind);
      if (changed === undefined) throw notFound();
      return changed;
    };
  }
  return {
    getExperiments: ({ query }) => store.list(readInt(query, 'number', 10)),
    getExperiment({ params: { experiment_id: id = '' } }) {
      const found = store.get(id);
      if (found === undefined) throw notFound();
      return found;
    },
    startExperiment({ body }) {
      const { experiment_design: sent, run_name: runName, run_description: runDescription } = readBody(startBody, body);
      const given = sent.ownership_info;
      const path = ['body', 'experiment_design', 'ownership_info'];
      const ownership = given === undefined ? parts.ownership : readOwnership(given, path);
      const design: ExperimentDesign = {
        experiment_name: sent.experiment_name,
        experiment_description: sent.experiment_description ?? null,
        resource_conditions: sent.resource_conditions ?? [],
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
