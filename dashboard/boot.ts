/**
 * The only script that the entry page names. It sets the theme before anything is drawn, and loads the rest relative to its own
 * address, so that the page works at any depth and behind any base path. The rest imports from this script's file, so it must
 * not wait for the rest with a top-level `await`.
 */
import { appTexts } from './app/texts.ts';
import { applyColorScheme, storedTheme } from './base/themeChoice.ts';

applyColorScheme(storedTheme());

import('./main.ts')
  .then(({ start }) => start())
  .catch((error: unknown) => {
    console.error(error);
    const notice = document.createElement('p');
    notice.setAttribute('role', 'alert');
    notice.style.cssText = 'font: 14px/20px system-ui, sans-serif; padding: 24px; max-width: 60ch';
    notice.textContent = appTexts.app.cannotLoad;
    document.querySelector('#app')?.replaceChildren(notice);
  });
