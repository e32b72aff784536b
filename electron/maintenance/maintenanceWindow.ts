/** The window "Maintenance and Mute": what is in either, until when, and how to change it. */
import { timeLanguage } from '../clockTime.ts';
import type { Desktop } from '../desktop.ts';
import type { ShellState } from '../ipc/contract.ts';
import { PageWindow } from '../menu/pageWindow.ts';
import { maintenancePage } from './maintenanceView.ts';
import { noStop } from '../safetyStop/stopView.ts';

export const maintenanceWindow = new PageWindow();

export function openMaintenance({ appPaths }: Desktop): void {
  maintenanceWindow.open(appPaths, { width: 640, height: 680, title: 'Maintenance and Mute' });
}

/** Shows what is so now, where the window is open. */
export function updateMaintenance(desktop: Desktop): void {
  maintenanceWindow.show(() => maintenanceState(desktop));
}

/** What the window shows. */
export function maintenanceState({ service, knownNodes, preferences }: Desktop): ShellState {
  const { status, lab } = service.state;
  const page = maintenancePage({
    service: status,
    lab,
    nodes: knownNodes,
    mutes: preferences.values,
    now: Date.now(),
  });
  return { page, notices: [], stop: noStop, times: timeLanguage() };
}
