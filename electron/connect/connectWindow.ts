/** The window “Connect to Lab”: an address that is tried before anything changes, and the labs connected to before. */
import type { Desktop } from '../desktop.ts';
import type { ShellState } from '../ipc/contract.ts';
import { PageWindow } from '../menu/pageWindow.ts';

export const connectWindow = new PageWindow();

export function openConnect({ appPaths }: Desktop): void {
  connectWindow.open(appPaths, { width: 600, height: 560, minWidth: 420, minHeight: 360, title: 'Connect to Lab' });
}

export function updateConnectWindow(desktop: Desktop): void {
  connectWindow.show(() => connectState(desktop));
}

export function connectState({ labOnMachine, follows }: Desktop): ShellState {
  const page = { page: 'connect', shown: labOnMachine, follows } as const;
  return { page, notices: [], stop: { knownNodes: 0, report: null } };
}
