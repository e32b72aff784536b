/**
 * Requires a confirmation before the first command to a manager at an address that no source sets, in a lab that sets others:
 * another lab's manager may respond there. The safety stop is not sent here, so it never waits for this confirmation.
 */
import { useLocalStorage } from '@vueuse/core';
import type { ManagerKey } from '#api/managers.ts';
import { definePageState } from '../../base/pageState.ts';
import { base } from '../../base/serviceAddress.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { useCommandConfirmation } from './commandConfirmation.ts';
import { performCommand } from './performCommand.ts';
import { addressTexts as texts } from './texts.ts';

const useConfirmedAddresses = definePageState(() => {
  const confirmed = useLocalStorage<string[]>('lab-manager.confirmed-addresses', []);
  /** Concurrent commands to one address share its dialog. */
  const pending = new Map<string, Promise<boolean>>();
  async function confirm(address: string, requestConfirmation: () => Promise<boolean>): Promise<boolean> {
    // A proxy can serve several labs at one origin.
    const key = `${base.href} ${address}`;
    if (confirmed.value.includes(key)) return true;
    const answer = pending.get(key) ?? requestConfirmation().finally(() => pending.delete(key));
    pending.set(key, answer);
    const isConfirmed = await answer;
    if (isConfirmed && !confirmed.value.includes(key)) confirmed.value = [...confirmed.value, key];
    return isConfirmed;
  }
  return { confirm };
});

/**
 * Returns a function that resolves with whether commands may be sent to the manager's address. Commands to many objects call
 * it once before the first.
 */
export function useConfirmAddress(): (manager: ManagerKey) => Promise<boolean> {
  const history = useLabHistory();
  const confirmation = useCommandConfirmation();
  const addresses = useConfirmedAddresses();
  return async (manager) => {
    const lab = history.data.value;
    const url = lab?.managers.find((status) => status.manager === manager)?.url;
    if (url === undefined || lab?.unset_addresses?.includes(manager) !== true) return true;
    return addresses.confirm(url, () =>
      confirmation.requestConfirmation(texts.title(manager), {
        kind: 'changed',
        title: texts.title(manager),
        differences: [texts.unset(url)],
        action: 'Confirm and send',
      }),
    );
  };
}

/** Returns `performCommand` with this check. */
export function usePerformCommand(): typeof performCommand {
  const confirmAddress = useConfirmAddress();
  return async (command, reconfirm, record) =>
    (await confirmAddress(command.manager)) && command.isCurrent?.() !== false
      ? performCommand(command, reconfirm, record)
      : { sent: false, refusal: null };
}
