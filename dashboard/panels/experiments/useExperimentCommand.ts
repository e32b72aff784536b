/** Sends a state change of an experiment, or starts one, and reports the result. */
import { experimentApi, type Experiment } from '#api/managers/experiment.ts';
import { experimentAppearances, type ExperimentState } from '#api/states.ts';
import { experimentPage } from '../../base/objectPages.ts';
import { samePremise, type PremiseEvaluation, noPremise } from '../../managers/commands/premise.ts';
import { useManagerCommand } from '../../managers/commands/useCommand.ts';
import {
  experimentId,
  experimentName,
  possibleChanges,
  experimentState,
  type ExperimentChange,
} from '../../managers/experiment/experimentState.ts';
import { experimentsTexts as texts } from './texts.ts';
import { resultFromConfirmation, type CommandResult } from '../../managers/commands/commandResult.ts';
import type { Connection } from '../../managers/transport/clients.ts';

/** The state of the experiment after each change. */
const stateAfter: Readonly<Record<ExperimentChange, ExperimentState>> = {
  pause: 'paused',
  continue: 'inProgress',
  end: 'completed',
  fail: 'failed',
  cancel: 'cancelled',
};

/** Checks the state first, because the manager would even reopen a completed experiment on a pause. */
function evaluateChange(change: ExperimentChange, shownExperiment: Experiment, current: Experiment): PremiseEvaluation {
  const [previousState, currentState] = [experimentState(shownExperiment), experimentState(current)];
  if (previousState === currentState) return samePremise;
  const difference = texts.changedState(
    experimentAppearances[previousState].label,
    experimentAppearances[currentState].label,
  );
  return possibleChanges(currentState).includes(change)
    ? { kind: 'changed', differences: [difference] }
    : { kind: 'refused', reason: difference };
}

export function useExperimentCommand() {
  const { act, connection } = useManagerCommand(experimentApi);
  /** @param shownExperiment the experiment when the dialog opened */
  return (
    change: ExperimentChange,
    shownExperiment: Experiment,
    isCurrent: () => boolean,
  ): Promise<Experiment | null> => {
    const idParameter = { experiment_id: experimentId(shownExperiment) };
    const name = experimentName(shownExperiment) || experimentId(shownExperiment);
    return act({
      commandText: texts.what(texts.changes[change].verb, name),
      verb: texts.changes[change].verb,
      target: { kind: 'experiment', id: experimentId(shownExperiment), name },
      to: experimentPage(experimentId(shownExperiment)),
      premise: {
        read: async (options) => connection().queries.getExperiment(idParameter, options),
        evaluate: (current) => evaluateChange(change, shownExperiment, current),
        missing: 'The experiment manager no longer has this experiment.',
      },
      isCurrent,
      run: () => {
        const { commands } = connection();
        switch (change) {
          case 'pause':
            return commands.pauseExperiment(idParameter);
          case 'continue':
            return commands.continueExperiment(idParameter);
          case 'end':
            return commands.endExperiment(idParameter);
          case 'fail':
            return commands.failExperiment(idParameter);
          case 'cancel':
            return commands.cancelExperiment(idParameter);
        }
      },
      interpretResponse: (changed) => {
        const state = experimentState(changed);
        const { label } = experimentAppearances[state];
        return state === stateAfter[change] ? label : { state: 'unclear', text: texts.otherState(label) };
      },
    });
  };
}

export interface NewExperiment {
  readonly name: string;
  readonly description: string;
  /** Name of this run. */
  readonly run: string;
  readonly runDescription: string;
  readonly campaign: string;
  readonly user: string;
}

/** @throws Error in `run` if the manager has no address, as `connection` does */
export function createStartCommand(connection: () => Connection<typeof experimentApi>, newExperiment: NewExperiment) {
  const { name, description, run, runDescription, campaign, user } = newExperiment;
  return {
    // The command changes no existing object.
    premise: noPremise,
    run: () =>
      connection().commands.startExperiment({
        body: {
          experiment_design: {
            experiment_name: name,
            experiment_description: description || null,
            resource_conditions: [],
            ownership_info: {
              ...(campaign === '' ? {} : { campaign_id: campaign }),
              ...(user === '' ? {} : { user_id: user }),
            },
          },
          run_name: run || null,
          run_description: runDescription || null,
        },
      }),
    interpretResponse: (started: Experiment): CommandResult => {
      const owner = { ...started.ownership_info, ...started.experiment_design?.ownership_info };
      const isAsRequested =
        started.experiment_design?.experiment_name === name &&
        experimentState(started) === 'inProgress' &&
        (run === '' || started.run_name === run) &&
        (campaign === '' || owner.campaign_id === campaign) &&
        (user === '' || owner.user_id === user);
      return resultFromConfirmation(
        isAsRequested,
        'The experiment manager started it.',
        'The experiment manager answered with another experiment than was sent. Check the list before starting it again.',
      );
    },
  };
}
