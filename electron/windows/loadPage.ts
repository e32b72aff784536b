/** Loads a page into a window, handles closing or navigation meanwhile, and reloads the page when it is lost. */
import type { BrowserWindow } from 'electron';
import electronLog from 'electron-log/main';
import { errorCode, errorText } from '../../api/errorText.ts';
import { scopedLog } from '../../server/logging/scopedLog.ts';
import { PageRecovery } from './pageRecovery.ts';

export function loadPage(window: BrowserWindow, url: string): void {
  window.loadURL(url).catch((error: unknown) => {
    // Another page was requested meanwhile.
    const isAborted = errorCode(error) === 'ERR_ABORTED';
    if (isAborted || window.isDestroyed()) return;
    scopedLog(electronLog, 'windows').warn(`${url} could not be shown: ${errorText(error)}`);
  });
}

/** @param first the window's initial address, for a page that was lost before it had an address */
export function recoverPage(window: BrowserWindow, first: string): PageRecovery {
  return new PageRecovery(window, {
    log: scopedLog(electronLog, 'windows'),
    name: () => `The page of the window "${window.getTitle()}"`,
    reload: ({ url }) => loadPage(window, url || first),
  });
}
