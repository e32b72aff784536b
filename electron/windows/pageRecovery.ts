/** Reloads the page of a window after its process died, it failed to load, or it hangs. */
import type { BrowserWindow } from 'electron';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../../server/logging/log.ts';
import { channels } from '../ipc/contract.ts';
import { classifyHeartbeat, pingMs } from '../service/heartbeat.ts';
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
/** Added to the title of a window whose page does not respond. */
const unresponsiveSuffix = ' (not responding)';

export class PageRecovery {
  readonly #window: BrowserWindow;
  readonly #options: PageRecoveryOptions;
  #losses = 0;
  /** `null` while no page is loaded; an error page does not count. */
  #loadedAt: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #repliedAt = clock.monotonic();
  #pingedAt = clock.monotonic();
  #isUnresponsive = false;
  #isPrinting = false;

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
      this.#isPrinting = false;
    });
    webContents.ipc.on(channels.printing, (_event, isPrinting: unknown) => {
      this.#isPrinting = isPrinting === true;
    });
    const heartbeat = clock.setInterval(() => this.#checkHeartbeat(), pingMs);
    window.once('closed', () => {
      clock.clearInterval(heartbeat);
      if (this.#timer) clock.clearTimeout(this.#timer);
    });
  }

  /** Whether a lost page is about to be reloaded. */
  get isPending(): boolean {
    return this.#timer !== null;
  }

  /**
   * Kills a page that executes no script, because its safety stop does not work and its data are old; it then reloads.
   * Chromium's event `unresponsive` also comes 5 s after a page has prevented its close.
   */
  #checkHeartbeat(): void {
    const { webContents } = this.#window;
    const now = clock.monotonic();
    const sincePingMs = now - this.#pingedAt;
    this.#pingedAt = now;
    // A page executes no script while it loads, has ended, or waits for the dialog of the printer.
    if (this.isPending || this.#isPrinting || webContents.isLoadingMainFrame() || webContents.isCrashed()) {
      this.#onReply();
      return;
    }
    const name = this.#options.name(webContents.getURL());
    const { kind } = classifyHeartbeat(now - this.#repliedAt, sincePingMs);
    if (kind === 'suspended') this.#repliedAt = now;
    if (kind === 'unresponsive' && !this.#isUnresponsive) {
      this.#isUnresponsive = true;
      this.#options.log.warn(`${name} has not responded for 5 s`);
      this.#window.setTitle(`${this.#window.getTitle()}${unresponsiveSuffix}`);
    }
    if (kind === 'hung') {
      this.#options.log.error(`${name} does not respond; it is reloaded`);
      this.#onReply();
      this.#kill(webContents.getOSProcessId());
      return;
    }
    webContents.mainFrame.executeJavaScript('0').then(
      () => this.#onReply(),
      () => undefined, // The page was replaced.
    );
  }

  #onReply(): void {
    this.#repliedAt = clock.monotonic();
    if (!this.#isUnresponsive || this.#window.isDestroyed()) return;
    this.#isUnresponsive = false;
    this.#window.setTitle(this.#window.getTitle().replace(unresponsiveSuffix, ''));
  }

  /** Uses a signal, because a stopped process does not end itself. */
  #kill(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      this.#options.log.warn(`Process ${pid} was not killed: ${errorText(error)}`);
    }
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
