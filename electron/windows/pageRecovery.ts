/** Brings a window's page back: one whose process died, that did not load, or that hangs. */
import type { BrowserWindow } from 'electron';
import type { Log } from '../../server/logging/log.ts';
import { decideReload } from './reloadPolicy.ts';

export interface Loss {
  /** Of the page that was lost. */
  readonly url: string;
  readonly reason: string;
  /** In a row, this one included. */
  readonly losses: number;
  /** It is no accident any more. */
  readonly isFailingRepeatedly: boolean;
}

interface PageRecoveryWiring {
  readonly log: Log;
  /** The page as the log names it: `The dashboard`. */
  readonly name: (url: string) => string;
  /** Called immediately, before the page is reloaded. */
  readonly onLost?: (loss: Loss) => void;
  readonly reload: (loss: Loss) => void;
}

/** Another page was requested meanwhile. Source: Chromium's net_error_list.h. */
const aborted = -3;

export class PageRecovery {
  readonly #window: BrowserWindow;
  readonly #wiring: PageRecoveryWiring;
  #losses = 0;
  #loadedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(window: BrowserWindow, wiring: PageRecoveryWiring) {
    this.#window = window;
    this.#wiring = wiring;
    const { webContents } = window;
    webContents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
      if (isMainFrame && code !== aborted) this.#lost(url, `${description} (${url})`);
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.#lost(webContents.getURL(), `its process ended: ${reason}`);
    });
    webContents.on('did-navigate', () => {
      this.#loadedAt = performance.now();
    });
    // A hanging page is unusable, including its safety stop: its process is killed, and the page reloads.
    window.on('unresponsive', () => {
      wiring.log.error(`${wiring.name(webContents.getURL())} does not respond; it is reloaded`);
      webContents.forcefullyCrashRenderer();
    });
    window.once('closed', () => {
      if (this.#timer) clearTimeout(this.#timer);
    });
  }

  /** Whether a lost page is about to be reloaded. */
  get isPending(): boolean {
    return this.#timer !== null;
  }

  #lost(url: string, reason: string): void {
    if (this.#window.isDestroyed()) return;
    const { losses, afterMs, isFailingRepeatedly } = decideReload(this.#losses, performance.now() - this.#loadedAt);
    this.#losses = losses;
    const loss = { url, reason, losses, isFailingRepeatedly };
    this.#wiring.log.warn(`${this.#wiring.name(url)} was lost: ${reason}`, { losses });
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#wiring.reload(loss);
    }, afterMs);
    this.#wiring.onLost?.(loss);
  }
}
