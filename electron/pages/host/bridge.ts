/** The shell's bridge, as its preload script gives it to these pages. */
import type { ShellAnswer, ShellBridge, ShellRequest } from '../../ipc/contract.ts';

declare global {
  interface Window {
    readonly labManagerShell: ShellBridge;
  }
}

/** @throws Error with the shell's own words when it could not do it */
export async function ask(request: ShellRequest): Promise<unknown> {
  const answer: ShellAnswer = await window.labManagerShell.ask(request);
  if (!answer.ok) throw new Error(answer.error);
  return answer.value;
}

export const onState: ShellBridge['onState'] = (listener) => window.labManagerShell.onState(listener);
