/** The window with the report of the app's safety stop: what each node answered, and how to release it. */
import type { Desktop } from '../desktop.ts';
import type { ShellState } from '../ipc/contract.ts';
import { PageWindow } from '../menu/pageWindow.ts';

export const stopWindow = new PageWindow();

/** Opens the report of the last stop, or of the one in force in the lab. */
export function openStopReport(desktop: Desktop): void {
  if (desktop.safetyStop.report === null) desktop.safetyStop.openReport();
  const title = 'Safety stop';
  stopWindow.open(desktop.appPaths, { width: 720, height: 560, minWidth: 380, minHeight: 320, title });
}

/** Sends the stop to every node at once, then opens its report. @param isConfirmed as `SafetyStop.stop` */
export function stopLab(desktop: Desktop, isConfirmed = false): void {
  void desktop.safetyStop.stop(isConfirmed);
  openStopReport(desktop);
}

/** Shows what each node has answered by now, where the window is open. */
export function updateStopWindow(desktop: Desktop): void {
  stopWindow.show(() => stopState(desktop));
}

export function stopState(desktop: Desktop): ShellState {
  return { page: { page: 'stop' }, notices: [], stop: desktop.stopView };
}
