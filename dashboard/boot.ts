/**
 * The only script the entry page names. It is tiny on purpose: it sets the theme before anything is drawn, and loads
 * the rest relative to its own address, so that the page works at any depth and behind any base path.
 */
import { appTexts } from './app/texts.ts';
import { applyColorScheme, storedTheme } from './base/themeChoice.ts';

applyColorScheme(storedTheme());

try {
  const { start } = await import('./main.ts');
  start();
} catch (error) {
  console.error(error);
  const words = document.createElement('p');
  words.setAttribute('role', 'alert');
  words.style.cssText = 'font: 14px/20px system-ui, sans-serif; padding: 24px; max-width: 60ch';
  words.textContent = appTexts.app.cannotLoad;
  document.querySelector('#app')?.replaceChildren(words);
}
