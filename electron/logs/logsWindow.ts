/** The Logs window: what service and app have logged, beside the window with the lab. */
import { PageWindow } from '../menu/pageWindow.ts';
import type { AppPaths } from '../start/appPaths.ts';

export const logsWindow = new PageWindow();

export function openLogsWindow(appPaths: AppPaths): void {
  logsWindow.open(appPaths, { width: 1080, height: 720, minWidth: 480, minHeight: 360, title: 'Logs' });
}
