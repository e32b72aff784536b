/** Handles closing the window by the saved choice; without a tray, a dialog requests the choice once. */
import { app, type BrowserWindow } from 'electron';
import { confirmCloseToTray, confirmCloseWithoutTray, showNotification } from './dialogs.ts';
import type { Preferences, PreferencesFile } from '../preferences/preferences.ts';
import { hasTrayHost } from './trayHost.ts';

export class WindowClosing {
  readonly #preferences: PreferencesFile;
  readonly #show: () => void;

  /** @param show shows the window again, on a click on the notification */
  constructor(preferences: PreferencesFile, show: () => void) {
    this.#preferences = preferences;
    this.#show = show;
  }

  async close(window: BrowserWindow): Promise<void> {
    const closing = decideClosing(this.#preferences.values, await hasTrayHost());
    const choice =
      closing === 'ask'
        ? this.#confirmWithTray()
        : closing === 'ask-without-tray'
          ? this.#confirmWithoutTray()
          : closing;
    switch (await choice) {
      case 'hide':
        return this.#hide(window);
      case 'quit':
        return app.quit();
      case 'minimize':
        return window.minimize();
      case null:
        return;
    }
  }

  #hide(window: BrowserWindow): void {
    window.hide();
    if (this.#preferences.values.trayNoteShown) return;
    this.#preferences.change({ trayNoteShown: true });
    showNotification('Lab Manager keeps running', 'Find it in the tray; choose Quit there to end it.', {
      onClick: this.#show,
    });
  }

  async #confirmWithTray(): Promise<'hide' | 'quit' | null> {
    const { choice, always } = await confirmCloseToTray();
    if (choice !== null && always) this.#preferences.change({ closeWindow: choice });
    return choice === 'tray' ? 'hide' : choice;
  }

  async #confirmWithoutTray(): Promise<'quit' | 'minimize' | null> {
    const choice = await confirmCloseWithoutTray();
    if (choice !== null) this.#preferences.change({ closeWithoutTray: choice });
    return choice;
  }
}

type Closing = 'hide' | 'quit' | 'minimize' | 'ask' | 'ask-without-tray';

/** Returns the effect of closing the window. */
export function decideClosing(
  { closeWindow, closeWithoutTray }: Pick<Preferences, 'closeWindow' | 'closeWithoutTray'>,
  hasTray: boolean,
): Closing {
  if (closeWindow === 'quit') return 'quit';
  if (!hasTray) return closeWithoutTray ?? 'ask-without-tray';
  return closeWindow === 'ask' ? 'ask' : 'hide';
}
