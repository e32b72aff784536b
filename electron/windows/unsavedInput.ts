/** Pages with unsaved input prevent their unload (`beforeunload`), for which Electron, unlike a browser, shows no dialog. */
import type { BrowserWindow } from 'electron';
import { withTimeout } from '../../server/concurrency/boundedWait.ts';
import { confirmDiscard } from './dialogs.ts';

/** The timeout for a page's answer, in milliseconds: a hanging page does not delay quitting. */
const answerTimeoutMs = 700;
const readUnsavedInput = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`;

/** Whether the page of one of the windows has unsaved input. */
export async function hasUnsavedInput(windows: readonly BrowserWindow[]): Promise<boolean> {
  const answers = windows.map(async ({ webContents }) => {
    try {
      const answer: Promise<unknown> = webContents.executeJavaScript(readUnsavedInput);
      return (await withTimeout(answer, answerTimeoutMs, () => false)) === true;
    } catch {
      return false; // The page was replaced or has ended meanwhile.
    }
  });
  return (await Promise.all(answers)).includes(true);
}

/**
 * Confirms closing or reloading a page with unsaved input.
 * @param leave returns what was prevented, which is repeated after the confirmation; `null` to keep the page
 */
export function confirmUnload(window: BrowserWindow, leave: () => (() => void) | null): void {
  let isDiscarding = false;
  window.webContents.on('will-prevent-unload', (event) => {
    if (isDiscarding) return event.preventDefault();
    const repeat = leave();
    if (repeat === null) return;
    void confirmDiscard(window).then((isConfirmed) => {
      if (!isConfirmed || window.isDestroyed()) return;
      isDiscarding = true;
      repeat();
    });
  });
  window.webContents.on('did-finish-load', () => (isDiscarding = false));
}
