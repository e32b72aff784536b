/** The result of a command: the server's own message, or the observed state if its response can't be read. */
import type { RouteLocationRaw } from 'vue-router';
import { errorText } from '#api/errorText.ts';
import { ManagerError } from '#api/client/managerError.ts';
import type { OutcomeState } from '#api/states.ts';
import { toErrorTexts, managerErrorText } from '../errors/errorText.ts';
import type { AdminCommandResponse } from '#api/managers/action.ts';
import { outcomeTexts } from './texts.ts';

export interface CommandResult {
  readonly state: Exclude<OutcomeState, 'running' | 'notSent'>;
  readonly text: string;
  readonly to?: RouteLocationRaw;
}

/** The manager responded with an unexpected object: the command may have been executed nevertheless. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** Returns whether a command with this error may have been executed nevertheless. */
export function mayHaveBeenExecuted(error: unknown): boolean {
  if (error instanceof NotConfirmedError) return true;
  if (!(error instanceof ManagerError)) return false;
  return error.kind === 'unreadable' || error.kind === 'timeout' || error.kind === 'not-understood';
}

/** Returns "done" if the response shows the effect, else "not confirmed". */
export function resultFromConfirmation(
  isConfirmed: boolean,
  successText: string,
  unconfirmedText: string,
): CommandResult {
  return isConfirmed ? { state: 'done', text: successText } : { state: 'unclear', text: unconfirmedText };
}

/** Returns the result of a response that contains only a message. */
export function resultFromMessage(manager: string, { message }: { readonly message: string }): CommandResult {
  const text = message.trim();
  return resultFromConfirmation(
    text !== '',
    outcomeTexts.reported(manager, text),
    `The ${manager} answered without a result. Check the state before trying again.`,
  );
}

/** Returns the result of a failed command; `stateText` describes the state after it. */
export function resultFromError(error: unknown, stateText: string): CommandResult {
  if (error instanceof NotConfirmedError) return { state: 'unclear', text: error.message };
  if (!(error instanceof ManagerError)) return { state: 'failed', text: errorText(error) };
  if (mayHaveBeenExecuted(error)) return { state: 'unclear', text: outcomeTexts.unreadable(error.reason, stateText) };
  const { text } = managerErrorText(error.reason);
  return { state: 'failed', text: `${error.message.replace(error.reason, () => text).replace(/\.$/, '')}.` };
}

/** Returns the node's own reason for rejecting a command. */
export function describeRefusal({ errors }: AdminCommandResponse): string {
  const reasons = toErrorTexts(errors).map(({ text }) => text);
  return reasons.length === 0 ? 'The node refused, without a reason.' : `The node refused: ${reasons.join('; ')}`;
}

/**
 * Sends a request that contains its own ID; if the response can't be read, checks whether the object was stored.
 * @throws the error of `send`, if `find` finds nothing
 */
export async function sendOnce<Stored>(send: () => Promise<Stored>, find: () => Promise<Stored>): Promise<Stored> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ManagerError) || !mayHaveBeenExecuted(error)) throw error;
    try {
      return await find();
    } catch {
      throw error;
    }
  }
}
