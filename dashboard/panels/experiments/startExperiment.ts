/** What is sent to start an experiment, and what its answer must show. */
import { experimentApi, type Experiment } from '../../../api/managers/experiment.ts';
import { confirmedIf, type CommandResult } from '../../managers/commands/commandResult.ts';
import { independent } from '../../managers/commands/premise.ts';
import { experimentState } from '../../managers/experiment/experimentState.ts';
import type { Connection } from '../../managers/transport/clients.ts';
import { experimentsTexts } from './texts.ts';

const texts = experimentsTexts.starting;

export interface NewExperiment {
  readonly name: string;
  readonly description: string;
  /** Of this run. */
  readonly run: string;
  readonly about: string;
  readonly campaign: string;
  readonly user: string;
}

/** @throws Error in `run`, as `connection` does where the manager has no address any more */
export function starting(connection: () => Connection<typeof experimentApi>, wanted: NewExperiment) {
  const { name, description, run, about, campaign, user } = wanted;
  return {
    // Nothing that is there is changed.
    premise: independent,
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
          run_description: about || null,
        },
      }),
    said: (started: Experiment): CommandResult => {
      const owner = { ...started.ownership_info, ...started.experiment_design?.ownership_info };
      const isWanted =
        started.experiment_design?.experiment_name === name &&
        experimentState(started) === 'inProgress' &&
        (run === '' || started.run_name === run) &&
        (campaign === '' || owner.campaign_id === campaign) &&
        (user === '' || owner.user_id === user);
      return confirmedIf(isWanted, texts.started, texts.otherAnswer);
    },
  };
}
