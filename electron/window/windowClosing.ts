/** Closing the window: into the tray where there is one; otherwise as the person decided, who is asked once. */
import { app, type BrowserWindow } from 'electron';
import { askCloseWithoutTray, note } from '../menu/dialogs.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import { hasTrayHost } from '../tray/trayHost.ts';

export class WindowClosing {
  readonly #preferences: PreferencesFile;
  readonly #show: () => void;
  #isAsking = false;

  /** @param show brings the window back, for whoever clicks the note */
  constructor(preferences: PreferencesFile, show: () => void) {
    this.#preferences = preferences;
    this.#show = show;
  }

  async close(window: BrowserWindow): Promise<void> {
    if (await hasTrayHost()) return this.#hide(window);
    const answer = this.#preferences.values.closeWithoutTray ?? (await this.#ask());
    if (answer === 'quit') app.quit();
    if (answer === 'minimize') window.minimize();
  }

  #hide(window: BrowserWindow): void {
    window.hide();
    if (this.#preferences.values.trayNoteShown) return;
    this.#preferences.change({ trayNoteShown: true });
    note('Lab Manager keeps running', 'Find it in the tray; choose Quit there to end it.', this.#show);
  }

  /** The question is a window of its own: closed again meanwhile, the window asks no second time. */
  async #ask(): Promise<'quit' | 'minimize' | null> {
    if (this.#isAsking) return null;
    this.#isAsking = true;
    const answer = await askCloseWithoutTray().finally(() => {
      this.#isAsking = false;
    });
    if (answer !== null) this.#preferences.change({ closeWithoutTray: answer });
    return answer;
  }
}
