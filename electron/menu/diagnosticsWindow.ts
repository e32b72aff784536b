/** The Diagnostics window: the checks, beside the window with the lab. */
import { BrowserWindow, nativeTheme, type WebContents } from 'electron';
import { join } from 'node:path';
import { surfaces } from '../../api/states.ts';
import type { AppPaths } from '../start/appPaths.ts';
import { shellUrl } from '../window/addresses.ts';

let open: BrowserWindow | null = null;

/** The one Diagnostics window: asked again it comes to the front. Esc closes it (its page does that). */
export function openDiagnostics({ preload, iconDir }: AppPaths): void {
  if (open) return open.focus();
  open = new BrowserWindow({
    width: 760,
    height: 720,
    fullscreenable: false,
    title: 'Diagnostics',
    icon: join(iconDir, 'icon.png'),
    backgroundColor: surfaces[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'].background,
    webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
  });
  open.setMenuBarVisibility(false);
  open.once('closed', () => {
    open = null;
  });
  void open.loadURL(shellUrl);
}

/** Whether these are the contents of the Diagnostics window. */
export function isDiagnostics(contents: WebContents): boolean {
  return open?.webContents === contents;
}
