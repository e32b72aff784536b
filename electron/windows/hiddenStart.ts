/** A start in the tray: the window stays closed until the user opens it, unless the desktop has no tray. */
import { clock } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import { hasTrayHost } from './trayHost.ts';
import type { LabWindow } from './labWindow.ts';

/** The time to wait at login for the tray, which may start after the app, in milliseconds. */
const trayTimeoutMs = 10_000;
const checkIntervalMs = 500;

export class HiddenStart {
  readonly #window: LabWindow;
  #wasShown = false;

  /** @param maximized whether to maximize the window when it is first opened, because maximizing shows it */
  constructor(window: LabWindow, maximized: boolean) {
    this.#window = window;
    window.browserWindow.once('show', () => {
      this.#wasShown = true;
      if (maximized) window.browserWindow.maximize();
    });
    void this.#showWithoutTray();
  }

  /** False until the window is first shown; until then it has no position to store. */
  get wasShown(): boolean {
    return this.#wasShown;
  }

  async #showWithoutTray(): Promise<void> {
    const end = clock.monotonic() + trayTimeoutMs;
    while (!(await hasTrayHost())) {
      if (this.#wasShown) return;
      if (clock.monotonic() >= end) return this.#window.show();
      await pause(checkIntervalMs);
    }
  }
}
