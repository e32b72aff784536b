/**
 * The entry page's only script. It sets the theme before the first paint and loads the rest relative to its own address,
 * so that the page works at any depth and behind any base path. The rest imports from this file, so a top-level `await`
 * for the rest would deadlock.
 */
import { applyColorScheme, storedTheme } from './base/themeChoice.ts';

applyColorScheme(storedTheme());

// Makes these links absolute, because the browser resolves relative ones again after a navigation to another depth.
for (const link of document.querySelectorAll<HTMLLinkElement>('[rel="manifest"], [rel="apple-touch-icon"]'))
  link.setAttribute('href', link.href);

import('./main.ts')
  .then(({ start }) => start())
  .catch((error: unknown) => {
    console.error(error);
    const notice = document.createElement('p');
    notice.setAttribute('role', 'alert');
    notice.style.cssText = 'font: 14px/20px system-ui, sans-serif; padding: 24px; max-width: 60ch';
    notice.textContent =
      'The dashboard could not be loaded completely. Reload the page; if that does not help, the lab manager may be restarting.';
    document.querySelector('#app')?.replaceChildren(notice);
  });
