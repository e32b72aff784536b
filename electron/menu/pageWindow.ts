/** Small windows of the app's own pages, beside the window with the lab: each is open once. */
import { BrowserWindow, nativeTheme, type BrowserWindowConstructorOptions, type WebContents } from 'electron';
import { join } from 'node:path';
import { surfaces } from '../../api/states.ts';
import { channels, type ShellState } from '../ipc/contract.ts';
import type { AppPaths } from '../start/appPaths.ts';
import { shellUrl } from '../window/addresses.ts';
import { loadPage, recoverPage } from './loadPage.ts';

export class PageWindow {
  #open: BrowserWindow | null = null;
  #shown = '';

  /**
   * Opens it; asked again it comes to the front. Esc closes it (its page does that).
   * @param mustClose whether it closes even where its page would rather ask first
   */
  open({ preload, iconDir }: AppPaths, options: BrowserWindowConstructorOptions, mustClose = () => true): void {
    if (this.#open) return this.#open.focus();
    const window = new BrowserWindow({
      ...options,
      fullscreenable: false,
      icon: join(iconDir, 'icon.png'),
      backgroundColor: surfaces[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'].background,
      webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
    });
    this.#open = window;
    this.#shown = '';
    window.setMenuBarVisibility(false);
    window.webContents.on('will-prevent-unload', (event) => {
      if (mustClose()) event.preventDefault();
    });
    window.once('closed', () => {
      this.#open = null;
    });
    recoverPage(window, shellUrl);
    // A page that was loaded again has heard nothing yet.
    window.webContents.on('did-finish-load', () => (this.#shown = ''));
    loadPage(window, shellUrl);
  }

  /** Sends its page what there is to show, where it is open and that is news to it. */
  show(state: () => ShellState): void {
    if (!this.#open) return;
    const next = state();
    const key = JSON.stringify(next);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#open.webContents.send(channels.state, next);
  }

  /** Tells its page something, where it is open. */
  send(channel: string, message: unknown): void {
    this.#open?.webContents.send(channel, message);
  }

  /** Whether these are its contents. */
  has(contents: WebContents): boolean {
    return this.#open?.webContents === contents;
  }
}
