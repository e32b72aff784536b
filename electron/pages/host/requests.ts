/** What a page asks of the shell: one request at a time for each button, and what failed is said beside it. */
import { reactive } from 'vue';
import { errorText } from '../../../api/errorText.ts';
import type { ShellRequest } from '../../ipc/contract.ts';
import { ask } from './bridge.ts';

export type Ask = ShellRequest['ask'];

/** Requests under way, and why the last of its kind failed, by what is asked. */
const pending = reactive(new Set<Ask>());
const failures = reactive(new Map<Ask, string>());

export function isPending(kind: Ask): boolean {
  return pending.has(kind);
}

export function failureOf(kind: Ask): string | null {
  return failures.get(kind) ?? null;
}

/** A page that comes has nothing to do with what failed on the one before. */
export function forgetFailures(): void {
  failures.clear();
}

/** Sends a request, unless one of its kind is under way. @returns its answer, `undefined` where it failed */
export async function send(request: ShellRequest): Promise<unknown> {
  if (pending.has(request.ask)) return undefined;
  pending.add(request.ask);
  failures.delete(request.ask);
  try {
    return await ask(request);
  } catch (error) {
    failures.set(request.ask, errorText(error));
    return undefined;
  } finally {
    pending.delete(request.ask);
  }
}
