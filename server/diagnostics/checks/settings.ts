/** Whether the settings can be used. */
import { nothingToDo, opening, type Check, type Finding } from './check.ts';

const why = 'With an error in the settings nothing starts; a lab manager that runs goes on with those before.';

export function settingsVerdict(problems: readonly string[], files: readonly string[]): Finding {
  if (problems.length > 0)
    return {
      result: 'problem',
      what: problems.join(' | '),
      why,
      whatToDo: 'Correct what is named, by file and line.',
      fix: opening('open-settings', 'Open settings'),
    };
  const read = files.length === 0 ? 'no settings file was found' : `read from ${files.join(', ')}`;
  return { result: 'ok', what: `The settings are valid: ${read}.`, why, whatToDo: nothingToDo };
}

export const settings: Check = {
  id: 'settings',
  title: 'Settings',
  run: ({ settingsProblems, settingsFiles }) => Promise.resolve(settingsVerdict(settingsProblems, settingsFiles)),
};
