/** The one window: the shell's pages and the dashboard, its place remembered, closed to the tray. */
import { BrowserWindow, screen } from 'electron';
import type { ShellPage } from '../ipc/contract.ts';
import { channels } from '../ipc/contract.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import type { WindowTarget } from '../windowTarget.ts';
import { isShellUrl, shellUrl } from './addresses.ts';
import { placeWindow, smallestSize } from './savedBounds.ts';

export interface MainWindowWiring {
  readonly preferences: PreferencesFile;
  /** Whole path of the preload script. */
  readonly preload: string;
  readonly icon: string;
  /** The window is about to close; `false` keeps it open. */
  readonly mayClose: () => boolean;
  /** The dashboard could not be loaded, or its process died. */
  readonly onDashboardLost: (reason: string) => void;
}

export class MainWindow {
  readonly #wiring: MainWindowWiring;
  readonly #window: BrowserWindow;
  #page: ShellPage = { page: 'starting', message: 'Starting' };
  #loading: string | null = null;

  constructor(wiring: MainWindowWiring) {
    this.#wiring = wiring;
    const { window: saved } = wiring.preferences.values;
    const screens = screen.getAllDisplays().map((display) => display.workArea);
    this.#window = new BrowserWindow({
      ...placeWindow(saved, screens),
      minWidth: smallestSize.width,
      minHeight: smallestSize.height,
      title: 'Lab Manager',
      icon: wiring.icon,
      backgroundColor: '#F6F7F9',
      webPreferences: {
        preload: wiring.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    });
    if (saved?.maximized) this.#window.maximize();
    this.#window.on('close', (event) => {
      this.#remember();
      if (!wiring.mayClose()) event.preventDefault();
    });
    const { webContents } = this.#window;
    webContents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
      const aborted = code === -3; // Another page was asked for meanwhile.
      if (isMainFrame && !aborted && !isShellUrl(url)) wiring.onDashboardLost(`${description} (${url})`);
    });
    webContents.on('render-process-gone', (_event, details) =>
      wiring.onDashboardLost(`its page ended: ${details.reason}`),
    );
    void this.#load(shellUrl);
  }

  get browserWindow(): BrowserWindow {
    return this.#window;
  }

  /** The page that the shell's own pages show now. */
  get page(): ShellPage {
    return this.#page;
  }

  /** Whether the dashboard is in the window. */
  get showsDashboard(): boolean {
    const url = this.#loading ?? this.#window.webContents.getURL();
    return url !== '' && !isShellUrl(url);
  }

  /** Goes where the state of the service says; does nothing when it is there already. */
  go(target: WindowTarget): void {
    if (target.kind === 'keep' || this.#window.isDestroyed()) return;
    if (target.kind === 'dashboard') {
      const current = this.#loading ?? this.#window.webContents.getURL();
      if (!URL.canParse(current) || new URL(current).origin !== new URL(target.url).origin) void this.#load(target.url);
      return;
    }
    this.#page = target.page;
    if (this.showsDashboard) void this.#load(shellUrl);
    else this.#window.webContents.send(channels.page, target.page);
  }

  /** In front, wherever it was. */
  show(): void {
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  async #load(url: string): Promise<void> {
    this.#loading = url;
    try {
      await this.#window.loadURL(url);
    } catch (error) {
      // did-fail-load has told it already; here it only must not be unhandled.
      if (!(error instanceof Error)) throw error;
    } finally {
      if (this.#loading === url) this.#loading = null;
    }
  }

  #remember(): void {
    const maximized = this.#window.isMaximized();
    this.#wiring.preferences.change({ window: { ...this.#window.getNormalBounds(), maximized } });
  }
}
