/** What became of a command: in the server's own words, or, where its answer can't be read, what the state shows. Pure. */
import type { RouteLocationRaw } from 'vue-router';
import { errorText } from '../../../api/errorText.ts';
import { ManagerError } from '../../../api/client/managerError.ts';
import type { OutcomeState } from '../../../api/states.ts';
import { errorTextsOf, managerErrorText } from '../errors/errorText.ts';
import type { AdminCommandAnswer } from '../../../api/managers/action.ts';
import { outcomeTexts } from './texts.ts';

export interface CommandResult {
  readonly state: Exclude<OutcomeState, 'running'>;
  readonly text: string;
  readonly to?: RouteLocationRaw;
}

/** The manager answered something else than what was sent: it may have been done all the same. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** Whether an action with this error may have been done all the same. */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof NotConfirmedError) return true;
  if (!(error instanceof ManagerError)) return false;
  return error.kind === 'unreadable' || error.kind === 'timeout' || error.kind === 'not-understood';
}

/** Done where the answer shows it; otherwise not confirmed. */
export function confirmedIf(isShown: boolean, done: string, otherwise: string): CommandResult {
  return isShown ? { state: 'done', text: done } : { state: 'unclear', text: otherwise };
}

/** Of an answer with nothing in it but a sentence: the sentence is all that is known. */
export function reportedBy(manager: string, { message }: { readonly message: string }): CommandResult {
  const text = message.trim();
  return confirmedIf(text !== '', outcomeTexts.reported(manager, text), outcomeTexts.emptyReport(manager));
}

/** What is said of a failed action; `afterwards` is what the state shows now. */
export function resultOfFailure(error: unknown, afterwards: string): CommandResult {
  if (error instanceof NotConfirmedError) return { state: 'unclear', text: error.message };
  if (!(error instanceof ManagerError)) return { state: 'failed', text: errorText(error) };
  if (mayHaveHappened(error)) return { state: 'unclear', text: outcomeTexts.unreadable(error.reason, afterwards) };
  const { text } = managerErrorText(error.reason);
  return { state: 'failed', text: `${error.message.replace(error.reason, () => text).replace(/\.$/, '')}.` };
}

/** Why a node refused a command, in its own words. */
export function refusalText({ errors }: AdminCommandAnswer): string {
  const reasons = errorTextsOf(errors).map(({ text }) => text);
  return reasons.length === 0 ? outcomeTexts.refused : outcomeTexts.refusedBecause(reasons.join('; '));
}

/**
 * Sends what carries its own ID; where no answer can be read, looks whether it was stored all the same.
 * @throws what `send` throws, where `find` finds nothing
 */
export async function sendOnce<Stored>(send: () => Promise<Stored>, find: () => Promise<Stored>): Promise<Stored> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ManagerError) || !mayHaveHappened(error)) throw error;
    try {
      return await find();
    } catch {
      throw error;
    }
  }
}
