/** What became of a command: in the server's own words, or, where its answer can't be read, what the state shows. Pure. */
import type { RouteLocationRaw } from 'vue-router';
import { ManagerError } from '../../../api/client/managerError.ts';
import type { OutcomeState } from '../../../api/states.ts';
import { errorText } from '../errors/errorText.ts';
import { outcomeTexts } from './texts.ts';

export interface CommandResult {
  readonly state: Exclude<OutcomeState, 'running'>;
  readonly words: string;
  readonly to?: RouteLocationRaw;
}

/** Whether an action with this error may have been done all the same. */
export function mayHaveHappened({ kind }: ManagerError): boolean {
  return kind === 'unreadable' || kind === 'timeout' || kind === 'not-understood';
}

/** What is said of a failed action; `afterwards` is what the state shows now. */
export function resultOf(error: unknown, afterwards: string): CommandResult {
  if (!(error instanceof ManagerError))
    return { state: 'failed', words: error instanceof Error ? error.message : String(error) };
  if (mayHaveHappened(error)) return { state: 'unclear', words: outcomeTexts.unreadable(error.reason, afterwards) };
  const { text } = errorText(error.reason);
  return { state: 'failed', words: `${error.message.replace(error.reason, () => text).replace(/\.$/, '')}.` };
}
