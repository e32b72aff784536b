/** Small windows of the app's own pages, beside the window with the lab: each is open once. */
import { BrowserWindow, nativeTheme, type BrowserWindowConstructorOptions, type WebContents } from 'electron';
import { join } from 'node:path';
import { surfaces } from '../../api/states.ts';
import type { AppPaths } from '../start/appPaths.ts';
import { shellUrl } from '../window/addresses.ts';

export class PageWindow {
  #open: BrowserWindow | null = null;

  /** Opens it; asked again it comes to the front. Esc closes it (its page does that). */
  open({ preload, iconDir }: AppPaths, options: BrowserWindowConstructorOptions): void {
    if (this.#open) return this.#open.focus();
    const window = new BrowserWindow({
      ...options,
      fullscreenable: false,
      icon: join(iconDir, 'icon.png'),
      backgroundColor: surfaces[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'].background,
      webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
    });
    this.#open = window;
    window.setMenuBarVisibility(false);
    window.once('closed', () => {
      this.#open = null;
    });
    void window.loadURL(shellUrl);
  }

  /** Whether these are its contents. */
  has(contents: WebContents): boolean {
    return this.#open?.webContents === contents;
  }
}
