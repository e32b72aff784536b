/** The Settings window: the lab's settings and the app's own choices, beside the window with the lab. */
import { channels, type ShellState } from '../ipc/contract.ts';
import { timeLanguage } from '../clockTime.ts';
import type { Desktop } from '../desktop.ts';
import type { ServiceStatus } from '../../server/status.ts';
import { PageWindow } from '../menu/pageWindow.ts';
import { settingsNote } from './settingsNote.ts';
import { noStop } from '../safetyStop/stopView.ts';

export const settingsWindow = new PageWindow();

export function openSettingsWindow({ appPaths, isQuitting }: Desktop): void {
  const options = { width: 900, height: 820, minWidth: 480, minHeight: 480, title: 'Settings' };
  settingsWindow.open(appPaths, options, isQuitting);
}

/** The status that the window has heard of, and how many there were: each may mean other settings. */
let heard: ServiceStatus | null = null;
let revision = 0;

export function settingsState(desktop: Desktop): ShellState {
  const note = settingsNote({
    status: desktop.service.state.status,
    showsDemo: desktop.showsDemo,
    follows: desktop.follows,
  });
  return {
    page: { page: 'settings', revision, note },
    notices: [],
    stop: noStop,
    times: timeLanguage(),
  };
}

/** The service said something: what the window shows may be old. */
export function updateSettingsWindow(desktop: Desktop): void {
  const { status } = desktop.service.state;
  if (status === heard) return;
  heard = status;
  revision += 1;
  settingsWindow.send(channels.state, settingsState(desktop));
}
