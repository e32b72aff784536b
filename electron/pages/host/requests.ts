/** What a page asks of the shell: one request at a time for each button, and what failed is said beside it. */
import { reactive } from 'vue';
import type { PageCommand } from '../../ipc/commands.ts';
import { shellAnswer, type ShellBridge } from '../../ipc/contract.ts';
import { errorText } from '../../../api/errorText.ts';

declare global {
  interface Window {
    /** The shell's bridge, as its preload script gives it to these pages. */
    readonly labManagerShell: ShellBridge;
  }
}

/** @throws Error with the shell's own words when it could not do it */
export async function ask(command: PageCommand): Promise<unknown> {
  const answer = shellAnswer.parse(await window.labManagerShell.request(command));
  if (!answer.ok) throw new Error(answer.error);
  return answer.value;
}

export const onState: ShellBridge['onState'] = (listener) => window.labManagerShell.onState(listener);

type Kind = PageCommand['command'];

/** Requests under way, and why the last of its kind failed, by what is asked. */
const pending = reactive(new Set<Kind>());
const failures = reactive(new Map<Kind, string>());

export function isPending(kind: Kind): boolean {
  return pending.has(kind);
}

export function failureOf(kind: Kind): string | null {
  return failures.get(kind) ?? null;
}

/** A page that comes has nothing to do with what failed on the one before. */
export function forgetFailures(): void {
  failures.clear();
}

/** Sends a request, unless one of its kind is under way. @returns its answer, `undefined` where it failed */
export async function send(request: PageCommand): Promise<unknown> {
  if (pending.has(request.command)) return undefined;
  pending.add(request.command);
  failures.delete(request.command);
  try {
    return await ask(request);
  } catch (error) {
    failures.set(request.command, errorText(error));
    return undefined;
  } finally {
    pending.delete(request.command);
  }
}
