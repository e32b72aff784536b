/** The shell's bridge, as its preload script gives it to these pages. */
import type { PageCommand } from '../../ipc/commands.ts';
import { shellAnswer, type ShellBridge } from '../../ipc/contract.ts';

declare global {
  interface Window {
    readonly labManagerShell: ShellBridge;
  }
}

/** @throws Error with the shell's own words when it could not do it */
export async function ask(command: PageCommand): Promise<unknown> {
  const answer = shellAnswer.parse(await window.labManagerShell.ask(command));
  if (!answer.ok) throw new Error(answer.error);
  return answer.value;
}

export const onState: ShellBridge['onState'] = (listener) => window.labManagerShell.onState(listener);
