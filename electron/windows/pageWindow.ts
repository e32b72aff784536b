/** Small windows of the app's pages, next to the lab's window; one of each at most. */
import { BrowserWindow, nativeTheme, type BrowserWindowConstructorOptions, type WebContents } from 'electron';
import { join } from 'node:path';
import { surfaces } from '../../api/states.ts';
import { channels, type ShellState } from '../ipc/contract.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import { shellUrl } from '../ipc/ownPages.ts';
import { showOwner } from './dialogs.ts';
import { loadPage, recoverPage } from './loadPage.ts';
import { fitToScreen } from './mainWindow.ts';

type Options = BrowserWindowConstructorOptions & { width: number; height: number };

class PageWindow {
  readonly #options: Options;
  #window: BrowserWindow | null = null;
  #shownPage = '';

  constructor(options: Options) {
    this.#options = options;
  }

  /** Opens the window, or brings it to the front. Esc closes it (handled by its page). */
  open({ preload, iconDir }: Pick<AppPaths, 'preload' | 'iconDir'>): void {
    if (this.#window) return showOwner(this.#window);
    const window = new BrowserWindow({
      ...fitToScreen(this.#options),
      fullscreenable: false,
      icon: join(iconDir, 'icon.png'),
      backgroundColor: surfaces[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'].background,
      webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
    });
    this.#window = window;
    this.#shownPage = '';
    window.setMenuBarVisibility(false);
    window.once('closed', () => {
      this.#window = null;
    });
    recoverPage(window, shellUrl);
    // A reloaded page has received no state yet.
    window.webContents.on('did-finish-load', () => (this.#shownPage = ''));
    loadPage(window, shellUrl);
  }

  get isOpen(): boolean {
    return this.#window !== null;
  }

  /** Sends the state to its page, if it is open and the state has changed. */
  show(state: () => ShellState): void {
    if (!this.#window) return;
    const next = state();
    const key = JSON.stringify(next);
    if (key === this.#shownPage) return;
    this.#shownPage = key;
    this.#window.webContents.send(channels.state, next);
  }

  /** Returns whether the contents belong to this window. */
  has(contents: WebContents): boolean {
    return this.#window?.webContents === contents;
  }
}

export const pageWindows = {
  about: new PageWindow({ width: 560, height: 620, minimizable: false, title: 'About Lab Manager' }),
  connect: new PageWindow({ width: 640, height: 720, minWidth: 420, minHeight: 360, title: 'Connect to Lab' }),
  diagnostics: new PageWindow({ width: 760, height: 720, title: 'Diagnostics' }),
  folder: new PageWindow({ width: 640, height: 640, minWidth: 420, minHeight: 360, title: 'Choose Lab Folder' }),
  logs: new PageWindow({ width: 1080, height: 720, minWidth: 480, minHeight: 360, title: 'Logs' }),
  maintenance: new PageWindow({ width: 640, height: 680, title: 'Maintenance and Mute' }),
  settings: new PageWindow({ width: 900, height: 820, minWidth: 480, minHeight: 480, title: 'Settings' }),
  stop: new PageWindow({ width: 720, height: 560, minWidth: 380, minHeight: 320, title: 'Safety stop' }),
} as const;
export type PageWindowName = keyof typeof pageWindows;
export const pageWindowNames = Object.keys(pageWindows) as PageWindowName[];
