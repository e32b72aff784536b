/** Addresses tried as they are typed: a moment after the last key, late answers dropped. */
import { reactive } from 'vue';
import * as z from 'zod/mini';
import { errorText } from '../../../api/errorText.ts';
import type { ManagerKey } from '../../../api/managers.ts';
import { ask } from './bridge.ts';

const pauseMs = 400;

const answer = z.object({ ok: z.boolean(), text: z.string(), url: z.nullable(z.string()) });
export type AddressResult = z.infer<typeof answer>;

export function useAddressTests(): {
  readonly results: Partial<Record<ManagerKey, AddressResult>>;
  readonly test: (manager: ManagerKey, text: string) => void;
  /** Drops the result of an address that is no longer typed. */
  readonly forget: (manager: ManagerKey) => void;
} {
  const results = reactive<Partial<Record<ManagerKey, AddressResult>>>({});
  const timers = new Map<ManagerKey, number>();
  const latest = new Map<ManagerKey, number>();

  async function run(manager: ManagerKey, text: string, turn: number): Promise<void> {
    const result = await ask({ ask: 'test-address', manager, url: text }).then(
      (value) => answer.parse(value),
      (error: unknown) => ({ ok: false, text: errorText(error), url: null }),
    );
    if (latest.get(manager) === turn) results[manager] = result;
  }

  function test(manager: ManagerKey, text: string): void {
    window.clearTimeout(timers.get(manager));
    const turn = (latest.get(manager) ?? 0) + 1;
    latest.set(manager, turn);
    results[manager] = { ok: false, text: 'Trying …', url: null };
    timers.set(
      manager,
      window.setTimeout(() => void run(manager, text, turn), pauseMs),
    );
  }

  function forget(manager: ManagerKey): void {
    window.clearTimeout(timers.get(manager));
    latest.set(manager, (latest.get(manager) ?? 0) + 1);
    delete results[manager];
  }

  return { results, test, forget };
}
