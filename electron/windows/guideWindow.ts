/** The window of the user guide. Its pages need nothing from the app, so it has no bridge. */
import { BrowserWindow, nativeTheme } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { guideFolder, guideStart } from '../../api/guide.ts';
import { surfaces } from '../../api/states.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import { shellOrigin } from '../ipc/ownPages.ts';
import { fitToScreen } from './mainWindow.ts';
import { loadPage, recoverPage } from './loadPage.ts';

let window: BrowserWindow | null = null;

/** Shows a page of the guide by its address at a service: the app's own page of that name, or the guide's first page. */
export function showGuidePage(appPaths: AppPaths, { pathname, hash }: URL): void {
  const page = /\/([\w-]+\.html)$/.exec(pathname)?.[1];
  // A service of another version may have other pages.
  const isOwnPage = page !== undefined && existsSync(join(appPaths.installation.help, page));
  openGuide(appPaths, isOwnPage ? `${page}${hash}` : guideStart);
}

/** Shows `page.html#anchor`, in the open window if there is one. */
export function openGuide({ iconDir }: AppPaths, page: string): void {
  window ??= open(iconDir);
  if (window.isMinimized()) window.restore();
  window.focus();
  loadPage(window, `${shellOrigin}/${guideFolder}${page}`);
}

function open(iconDir: string): BrowserWindow {
  const guideWindow = new BrowserWindow({
    ...fitToScreen({ width: 1080, height: 800, minWidth: 420, minHeight: 320 }),
    title: 'Lab Manager user guide',
    icon: join(iconDir, 'icon.png'),
    backgroundColor: surfaces[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'].background,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  guideWindow.setMenuBarVisibility(false);
  recoverPage(guideWindow, `${shellOrigin}/${guideFolder}${guideStart}`);
  guideWindow.once('closed', () => {
    window = null;
  });
  return guideWindow;
}
