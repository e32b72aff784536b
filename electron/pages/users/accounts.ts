/** Users and API tokens in the Settings window: each change is written immediately. */
import { ref, shallowRef } from 'vue';
import { errorText } from '#api/errorText.ts';
import {
  accountsReply,
  type AccountsRequest,
  type AccountsRefusal,
  type AccountsView,
} from '../../ipc/settingsContract.ts';
import { sendCommand } from '../host/requests.ts';

export type AccountChange = Exclude<AccountsRequest, { kind: 'list' }>;

/** The reason why a change was not made. `field`: the input with the invalid value, if it is one. */
export interface Refusal {
  readonly problem: string;
  readonly field: AccountsRefusal['field'] | null;
}

export type ChangeResult =
  /** @param token the text of a created token */
  { readonly ok: true; readonly token: string | null } | ({ readonly ok: false } & Refusal);

export function useAccounts() {
  const accounts = shallowRef<AccountsView | null>(null);
  /** The reason why the list can't be shown; `null` if it is. */
  const failure = ref<string | null>(null);
  /** Sends one request after another, so that each response is newer than the previous one. */
  let queue: Promise<unknown> = Promise.resolve();

  function runInSequence<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = queue.then(step);
    queue = result;
    return result;
  }

  /** Never rejects. */
  async function send(request: AccountsRequest): Promise<ChangeResult> {
    try {
      const reply = accountsReply.parse(await sendCommand({ command: 'accounts', request }));
      if (!reply.ok) return reply;
      accounts.value = reply.view;
      failure.value = null;
      return { ok: true, token: reply.token };
    } catch (error) {
      return { ok: false, problem: errorText(error), field: null };
    }
  }

  return {
    accounts,
    failure,
    load: (): Promise<void> =>
      runInSequence(async () => {
        const result = await send({ kind: 'list' });
        if (result.ok) return;
        accounts.value = null;
        failure.value = result.problem;
      }),
    change: (change: AccountChange): Promise<ChangeResult> => runInSequence(() => send(change)),
  };
}
