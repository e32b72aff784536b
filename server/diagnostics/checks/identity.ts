/** Whether the running lab manager has the ID that MADSci's ID registry keeps for it. */
import type { SettingsAnswer } from '../../../api/lab/lab.ts';
import { servedSettings } from '../../attached/labManagerReader.ts';
import { nothingToDo, withoutLab, type Check, type Finding } from './check.ts';

const why =
  'Events and workflows name the lab manager by its ID: with a new one after each restart, they point to one that no longer exists.';

/** @param answer of `/settings`; `null` where no lab manager of this version runs */
export function identityVerdict(answer: Pick<SettingsAnswer, 'identity'> | null): Finding {
  if (answer === null)
    return {
      result: 'unknown',
      what: 'No lab manager runs on this machine.',
      why,
      whatToDo: 'Start the lab manager, then run the checks again.',
    };
  const { identity } = answer;
  if (identity === undefined)
    return { result: 'ok', what: 'The settings decide the ID, not the ID registry.', why, whatToDo: nothingToDo };
  const { name, settled, problem, holder, since } = identity;
  if (settled)
    return {
      result: 'ok',
      what: `The ID of ${JSON.stringify(name)} is settled since ${since}.`,
      why,
      whatToDo: nothingToDo,
    };
  return {
    result: 'warning',
    what: `The identity is not settled since ${since}: ${problem}${holder === null ? '' : `, since ${holder.since}`}.`,
    why,
    whatToDo:
      holder === null
        ? 'Correct that; the lab manager tries again every 10 s. Its log names the file.'
        : 'Stop the other lab manager, or give this one a name of its own (LAB_MANAGER_NAME). After a crash the ID is free again within 30 s.',
  };
}

export const identity: Check = {
  id: 'identity',
  title: 'Identity of the lab manager',
  async run({ lab }, signal) {
    if (lab === null) return withoutLab(why);
    if (lab.service.kind !== 'running') return identityVerdict(null);
    return identityVerdict(await servedSettings(lab.service.url, signal));
  },
};
