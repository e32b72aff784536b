/** Changes an experiment, once, and says what came of it. */
import { experimentApi, type Experiment } from '../../../api/managers/experiment.ts';
import { experimentLooks } from '../../../api/states.ts';
import { experimentPage } from '../../base/objectPages.ts';
import { useCommand } from '../../managers/commands/useCommand.ts';
import { experimentId, experimentName } from '../../managers/experiment/experimentName.ts';
import { experimentState, type ExperimentChange } from '../../managers/experiment/experimentState.ts';
import { useConnection } from '../../managers/transport/clients.ts';
import { experimentsTexts as texts } from './texts.ts';

export function useExperimentCommand() {
  const manager = useConnection(experimentApi);
  const act = useCommand();
  return (change: ExperimentChange, experiment: Experiment): Promise<Experiment | null> =>
    act({
      what: texts.what(texts.changes[change].verb, experimentName(experiment) || experimentId(experiment)),
      to: experimentPage(experimentId(experiment)),
      manager: 'experiment',
      run: () => {
        if (manager.value === null) throw new Error(texts.noAddress);
        const { commands } = manager.value;
        const named = { experiment_id: experimentId(experiment) };
        switch (change) {
          case 'pause':
            return commands.pauseExperiment(named);
          case 'continue':
            return commands.continueExperiment(named);
          case 'end':
            return commands.endExperiment(named);
          case 'fail':
            return commands.failExperiment(named);
          case 'cancel':
            return commands.cancelExperiment(named);
        }
      },
      said: (changed) => experimentLooks[experimentState(changed)].word,
    });
}
