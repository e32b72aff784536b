/** Loads a page into a window that people may close, or lead elsewhere, while it comes. */
import type { BrowserWindow } from 'electron';
import electronLog from 'electron-log/main';
import { errorText } from '../../server/logging/log.ts';
import { scopedLog } from '../../server/logging/scopedLog.ts';

export function loadPage(window: BrowserWindow, url: string): void {
  window.loadURL(url).catch((error: unknown) => {
    // Another page was asked for meanwhile.
    const isAborted = error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED';
    if (isAborted || window.isDestroyed()) return;
    scopedLog(electronLog, 'windows').warn(`${url} could not be shown: ${errorText(error)}`);
  });
}
