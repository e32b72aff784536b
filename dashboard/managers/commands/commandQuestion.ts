/** The confirmation of a command whose premise has changed, one at a time; the page's frame shows it. */
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { Reconfirm } from './performCommand.ts';

export interface CommandQuestion {
  readonly what: string;
  readonly finding: Parameters<Reconfirm>[0];
  /** The user's input. */
  readonly sends?: string | undefined;
}

export const useCommandQuestion = defineStore('commandQuestion', () => {
  const pending = shallowRef<CommandQuestion | null>(null);
  let settle = (_yes: boolean): void => undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Resolves with whether the command is to be sent. */
  function confirmFirst(what: string, finding: CommandQuestion['finding'], sends?: string): Promise<boolean> {
    const settled = last.then(
      () =>
        new Promise<boolean>((resolve) => {
          settle = resolve;
          pending.value = { what, finding, sends };
        }),
    );
    last = settled;
    return settled;
  }
  function answer(yes: boolean): void {
    pending.value = null;
    settle(yes);
  }
  return { pending, confirmFirst, answer };
});
