/** Queues confirmations of commands whose premise has changed; the page frame shows one at a time. */
import { shallowRef } from 'vue';
import { definePageState } from '../../base/pageState.ts';
import type { Reconfirm } from './performCommand.ts';

export interface PendingConfirmation {
  readonly commandText: string;
  readonly finding: Parameters<Reconfirm>[0];
  /** The value entered by the user, as display text: `Set to 5`. */
  readonly inputText?: string | undefined;
}

export const useCommandConfirmation = definePageState(() => {
  const pending = shallowRef<PendingConfirmation | null>(null);
  let resolvePending = (_isConfirmed: boolean): void => undefined;
  let queueEnd: Promise<unknown> = Promise.resolve();

  /** Resolves to true if the user confirms. */
  function requestConfirmation(
    commandText: string,
    finding: PendingConfirmation['finding'],
    inputText?: string,
  ): Promise<boolean> {
    const answer = queueEnd.then(
      () =>
        new Promise<boolean>((resolve) => {
          resolvePending = resolve;
          pending.value = { commandText, finding, inputText };
        }),
    );
    queueEnd = answer;
    return answer;
  }
  function respond(isConfirmed: boolean): void {
    pending.value = null;
    resolvePending(isConfirmed);
  }
  return { pending, requestConfirmation, respond };
});
