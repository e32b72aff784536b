/** The Diagnostics window: the checks, beside the window with the lab. */
import type { AppPaths } from '../start/appPaths.ts';
import { PageWindow } from './pageWindow.ts';

export const diagnosticsWindow = new PageWindow();

export function openDiagnostics(appPaths: AppPaths): void {
  diagnosticsWindow.open(appPaths, { width: 760, height: 720, title: 'Diagnostics' });
}
