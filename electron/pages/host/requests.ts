/** Sends a page's requests to the shell: one at a time per command name; keeps the last error of each. */
import { reactive } from 'vue';
import type { PageCommand } from '../../ipc/commands.ts';
import { shellResponse, type ShellBridge } from '../../ipc/contract.ts';
import { errorText } from '#api/errorText.ts';

declare global {
  interface Window {
    /** The shell's bridge that the preload script exposes to these pages. */
    readonly labManagerShell: ShellBridge;
  }
}

/** Sends any number of requests at a time. @throws Error with the shell's message when the command fails */
export async function sendCommand(command: PageCommand): Promise<unknown> {
  const reply = shellResponse.parse(await window.labManagerShell.request(command));
  if (!reply.ok) throw new Error(reply.error);
  return reply.value;
}

export const onState: ShellBridge['onState'] = (listener) => window.labManagerShell.onState(listener);

type CommandName = PageCommand['command'];

/** The commands with a pending request, and the error of each command whose last request failed. */
const pending = reactive(new Set<CommandName>());
const failures = reactive(new Map<CommandName, string>());

export function isPending(command: CommandName): boolean {
  return pending.has(command);
}

export function lastError(command: CommandName): string | null {
  return failures.get(command) ?? null;
}

/** Clears the errors when another page opens. */
export function clearErrors(): void {
  failures.clear();
}

/**
 * Sends a request, unless one with its command name is pending; a safety stop is always sent.
 * @returns its response, `undefined` after an error
 */
export async function sendTracked(request: PageCommand): Promise<unknown> {
  if (pending.has(request.command) && request.command !== 'safety-stop') return undefined;
  pending.add(request.command);
  failures.delete(request.command);
  try {
    return await sendCommand(request);
  } catch (error) {
    failures.set(request.command, errorText(error));
    return undefined;
  } finally {
    pending.delete(request.command);
  }
}
