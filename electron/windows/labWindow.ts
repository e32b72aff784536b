/** A window with the shell's pages and the dashboard. A lost page is restored at its address. */
import { BrowserWindow, nativeTheme, type BrowserWindowConstructorOptions } from 'electron';
import { clock } from '../../api/time/clock.ts';
import { getTimeLocale } from '../preferences/clockTime.ts';
import { guideEntries, findNoticeEntry } from '../../api/guide.ts';
import { surfaces } from '../../api/states.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { Log } from '../../server/logging/log.ts';
import {
  channels,
  dashboardNotices,
  noStop,
  type Notice,
  type ShellPage,
  type ShellState,
  type StopView,
} from '../ipc/contract.ts';
import type { WindowView } from './windowView.ts';
import { claimDashboard, isShellUrl, shellUrl } from '../ipc/ownPages.ts';
import { minSize } from './savedBounds.ts';
import { PageRecovery, type Loss } from './pageRecovery.ts';
import { dashboardPage } from './reloadPolicy.ts';
import { confirmUnload } from './unsavedInput.ts';
import { tryParseUrl } from '../../api/url.ts';

interface LabWindowOptions {
  readonly title: string;
  /** The position, and other options of this kind of window. */
  readonly windowOptions: BrowserWindowConstructorOptions;
  /** Absolute path of the preload script. */
  readonly preload: string;
  readonly icon: string;
  readonly log: Log;
  /** Returns the address of the dashboard that the window may show; `null` if there is none. */
  readonly dashboardUrl: () => string | null;
  /** Returns the key that gives the window the role administrator at that address; `null` if it has none. */
  readonly appKey: () => string | null;
  /** Called before closing; `false` keeps the window open. */
  readonly mayClose: () => boolean;
  /** Called when a lost or discarded page is due to be reloaded: the caller loads the page for the service's state. */
  readonly onReloadDue: () => void;
}

const starting: ShellPage = { page: 'starting', message: 'Starting' };
/** The time until the dashboard of a hidden window is discarded, in ms. */
const discardAfterMs = 60_000;

export class LabWindow {
  readonly #options: LabWindowOptions;
  readonly #window: BrowserWindow;
  #shownState: ShellState = { page: starting, notices: [], stop: noStop };
  #loading: string | null = null;
  /** The address of the dashboard page that was shown last. */
  #lastPageUrl: string | null = null;
  readonly #recovery: PageRecovery;
  #discardTimer: NodeJS.Timeout | null = null;
  /** Whether the dashboard is unloaded until the window is shown. */
  #isDiscarded = false;

  constructor(options: LabWindowOptions) {
    this.#options = options;
    this.#window = new BrowserWindow({
      minWidth: minSize.width,
      minHeight: minSize.height,
      title: options.title,
      icon: options.icon,
      // The background while a page loads, or after its process ended.
      backgroundColor: surfaces[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'].background,
      // A window that starts hidden does not render. Without this option, the page counts as visible until it is first
      // shown.
      paintWhenInitiallyHidden: false,
      ...options.windowOptions,
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    });
    let isClosing = false;
    this.#window.on('close', (event) => {
      isClosing = options.mayClose();
      if (!isClosing) event.preventDefault();
    });
    // A view of the service's state does not replace a form with input; it is loaded at the next change.
    confirmUnload(this.#window, () => {
      const wasClosing = isClosing;
      isClosing = false;
      if (wasClosing) return () => this.#window.close();
      return this.#loading === null ? () => this.#window.webContents.reload() : null;
    });
    this.#recovery = new PageRecovery(this.#window, {
      log: options.log,
      name: (url) => (isShellUrl(url) ? 'A page of the app' : 'The dashboard'),
      onLost: (loss) => this.#onLoss(loss),
      reload: ({ url }) => {
        if (isShellUrl(url)) void this.#load(shellUrl);
        options.onReloadDue();
      },
    });
    this.#registerContentEvents();
    this.#discardWhileHidden();
    void this.#load(shellUrl);
  }

  get browserWindow(): BrowserWindow {
    return this.#window;
  }

  get isDestroyed(): boolean {
    return this.#window.isDestroyed();
  }

  /** The current state of the shell's pages. */
  get shownState(): ShellState {
    return this.#shownState;
  }

  /** Whether the window shows or is loading the dashboard. */
  get showsDashboard(): boolean {
    if (this.isDestroyed) return false;
    const url = this.#loading ?? this.#window.webContents.getURL();
    return url !== '' && !isShellUrl(url);
  }

  /** Loads the page for the service's state, unless it is loaded already, and sends the notices. */
  showView(view: WindowView, content: { readonly notices: readonly Notice[]; readonly stop: StopView }): void {
    if (this.isDestroyed) return;
    const { webContents } = this.#window;
    const page = view.kind === 'page' ? view.page : this.#shownState.page;
    const next: ShellState = { page, notices: [...content.notices], stop: content.stop, times: getTimeLocale() };
    const isNew = !sameJson(next, this.#shownState);
    this.#shownState = next;
    // A lost page is reloaded by the recovery, after a delay.
    if (!this.#recovery.isPending && !this.#isDiscarded) this.#navigate(view);
    if (!isNew) return;
    if (this.showsDashboard) webContents.send(channels.notices, noticesForDashboard(next.notices));
    else webContents.send(channels.state, next);
  }

  /** Shows the window in front. */
  show(): void {
    if (this.isDestroyed) return;
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /** Shows a page of the dashboard, by its path; without a dashboard, the window stays unchanged. */
  showPage(path: string): void {
    const base = this.#options.dashboardUrl();
    if (!this.isDestroyed && base !== null) {
      const url = new URL(path.replace(/^\//, ''), base).href;
      if (this.#isDiscarded) this.#lastPageUrl = url;
      else if (this.showsDashboard) void this.#load(url);
    }
    this.show();
  }

  /** The address in view; `null` while the window isn't focused. */
  get visibleUrl(): string | null {
    return !this.isDestroyed && this.#window.isVisible() && this.#window.isFocused()
      ? this.#window.webContents.getURL()
      : null;
  }

  #discardWhileHidden(): void {
    const window = this.#window;
    const schedule = (): void => {
      this.#discardTimer ??= clock.setTimeout(() => {
        this.#discardTimer = null;
        if (window.isVisible()) return;
        void this.#discard().then((isDiscarded) => {
          if (!isDiscarded && !window.isDestroyed()) schedule();
        });
      }, discardAfterMs);
    };
    const cancel = (): void => {
      if (this.#discardTimer) clock.clearTimeout(this.#discardTimer);
      this.#discardTimer = null;
    };
    window.on('hide', schedule);
    window.on('show', () => {
      cancel();
      if (!this.#isDiscarded) return;
      this.#isDiscarded = false;
      this.#options.onReloadDue();
    });
    window.once('closed', cancel);
    if (!window.isVisible()) schedule();
  }

  /**
   * Replaces the dashboard of the hidden window by the page `starting`, which uses no processor time and less memory.
   * A dashboard that prevents its unload, such as one with unsaved input, stays.
   * @returns whether it was discarded
   */
  async #discard(): Promise<boolean> {
    if (!this.showsDashboard || this.#loading !== null) return false;
    this.#isDiscarded = true;
    await this.#showStarting('Loading the dashboard');
    this.#isDiscarded &&= !this.showsDashboard;
    return this.#isDiscarded;
  }

  #navigate(view: WindowView): void {
    if (view.kind === 'keep') return;
    if (view.kind === 'page') {
      if (this.showsDashboard) void this.#load(shellUrl);
      return;
    }
    const current = this.#loading ?? this.#window.webContents.getURL();
    const showsTarget = tryParseUrl(current)?.origin === new URL(view.url).origin;
    if (!showsTarget) void this.#load(dashboardPage(view.url, this.#lastPageUrl));
  }

  #registerContentEvents(): void {
    const { webContents } = this.#window;
    claimDashboard(webContents, { url: () => this.#options.dashboardUrl(), appKey: () => this.#options.appKey() });
    webContents.on('did-finish-load', () => {
      if (this.showsDashboard) webContents.send(channels.notices, noticesForDashboard(this.#shownState.notices));
    });
    const remember = (url: string): void => {
      if (!isShellUrl(url)) this.#lastPageUrl = url;
    };
    webContents.on('did-navigate', (_event, url) => remember(url));
    webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
      if (isMainFrame) remember(url);
    });
  }

  /** Shows the shell's page `starting` until the dashboard is reloaded. */
  #onLoss({ url, reason, losses, isFailingRepeatedly }: Loss): void {
    if (isShellUrl(url)) return;
    const repetitionText = isFailingRepeatedly ? ` It failed ${losses} times in a row: ${reason}.` : '';
    void this.#showStarting(`Loading the dashboard again.${repetitionText}`);
  }

  #showStarting(message: string): Promise<void> {
    this.#shownState = { ...this.#shownState, page: { page: 'starting', message } };
    return this.#load(shellUrl);
  }

  async #load(url: string): Promise<void> {
    this.#loading = url;
    try {
      await this.#window.loadURL(url);
    } catch (error) {
      // `did-fail-load` has already reported the error; this only prevents an unhandled rejection.
      if (!(error instanceof Error)) throw error;
    } finally {
      if (this.#loading === url) this.#loading = null;
    }
  }
}

/**
 * Returns the notices that the dashboard does not show itself, each with its guide page, because the dashboard has no
 * table of guide pages.
 */
function noticesForDashboard(notices: readonly Notice[]): readonly (Notice & { readonly guide: string | null })[] {
  return notices
    .filter(({ id }) => !dashboardNotices.has(id))
    .map((notice) => {
      const entry = findNoticeEntry(notice.id);
      return { ...notice, guide: entry === null ? null : guideEntries[entry] };
    });
}
