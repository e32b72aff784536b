/** Reloads the page of a window after its process died, it failed to load, or it hangs. */
import type { BrowserWindow } from 'electron';
import { clock } from '../../api/time/clock.ts';
import { withTimeout } from '../../server/concurrency/boundedWait.ts';
import type { Log } from '../../server/logging/log.ts';
import { decideReload } from './reloadPolicy.ts';

export interface Loss {
  /** The address of the lost page. */
  readonly url: string;
  readonly reason: string;
  /** The number of consecutive losses, including this one. */
  readonly losses: number;
  /** True for repeated losses. */
  readonly isFailingRepeatedly: boolean;
}

interface PageRecoveryOptions {
  readonly log: Log;
  /** Returns the page's name for the log: `The dashboard`. */
  readonly name: (url: string) => string;
  /** Called immediately, before the page is reloaded. */
  readonly onLost?: (loss: Loss) => void;
  readonly reload: (loss: Loss) => void;
}

/** Another page was requested meanwhile. Source: Chromium's net_error_list.h. */
const aborted = -3;
/** Time for a page that Chromium reports as unresponsive to execute a script, in ms. */
const answerTimeoutMs = 5000;

export class PageRecovery {
  readonly #window: BrowserWindow;
  readonly #options: PageRecoveryOptions;
  #losses = 0;
  /** `null` while no page is loaded; an error page does not count. */
  #loadedAt: number | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(window: BrowserWindow, options: PageRecoveryOptions) {
    this.#window = window;
    this.#options = options;
    const { webContents } = window;
    webContents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
      if (isMainFrame && code !== aborted) this.#onLoss(url, `${description} (${url})`);
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.#onLoss(webContents.getURL(), `its process ended: ${reason}`);
    });
    webContents.on('did-navigate', () => {
      this.#loadedAt = clock.monotonic();
    });
    window.on('unresponsive', () => void this.#killHangingPage());
    window.once('closed', () => {
      if (this.#timer) clock.clearTimeout(this.#timer);
    });
  }

  /** Whether a lost page is about to be reloaded. */
  get isPending(): boolean {
    return this.#timer !== null;
  }

  /** A hanging page, including its safety stop, is unusable. Its process is killed, and the page reloads. */
  async #killHangingPage(): Promise<void> {
    const { webContents } = this.#window;
    const answered = webContents.executeJavaScript('true').then(
      () => true,
      () => true,
    );
    // Chromium reports `unresponsive` also 5 s after a page with unsaved input has prevented a close.
    if (await withTimeout(answered, answerTimeoutMs, () => false)) return;
    if (this.#window.isDestroyed()) return;
    this.#options.log.error(`${this.#options.name(webContents.getURL())} does not respond; it is reloaded`);
    webContents.forcefullyCrashRenderer();
  }

  #onLoss(url: string, reason: string): void {
    if (this.#window.isDestroyed()) return;
    const uptimeMs = this.#loadedAt === null ? 0 : clock.monotonic() - this.#loadedAt;
    this.#loadedAt = null;
    const { losses, afterMs, isFailingRepeatedly } = decideReload(this.#losses, uptimeMs);
    this.#losses = losses;
    const loss = { url, reason, losses, isFailingRepeatedly };
    this.#options.log.warn(`${this.#options.name(url)} was lost: ${reason}`, { losses });
    if (this.#timer) clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => {
      this.#timer = null;
      this.#options.reload(loss);
    }, afterMs);
    this.#options.onLost?.(loss);
  }
}
