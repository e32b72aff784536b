/** The confirmation of a command whose premise has changed, one at a time; the page's frame shows it. */
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { Reconfirm } from './performCommand.ts';

export interface PendingConfirmation {
  readonly commandText: string;
  readonly finding: Parameters<Reconfirm>[0];
  /** The user's input. */
  readonly inputText?: string | undefined;
}

export const useCommandConfirmation = defineStore('commandConfirmation', () => {
  const pending = shallowRef<PendingConfirmation | null>(null);
  let resolvePending = (_isConfirmed: boolean): void => undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Resolves with whether the command is to be sent. */
  function requestConfirmation(
    commandText: string,
    finding: PendingConfirmation['finding'],
    inputText?: string,
  ): Promise<boolean> {
    const settled = last.then(
      () =>
        new Promise<boolean>((resolve) => {
          resolvePending = resolve;
          pending.value = { commandText, finding, inputText };
        }),
    );
    last = settled;
    return settled;
  }
  function respond(isConfirmed: boolean): void {
    pending.value = null;
    resolvePending(isConfirmed);
  }
  return { pending, requestConfirmation, respond };
});
