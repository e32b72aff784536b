/** The user's theme, stored in this browser. It is read before the app starts, so that the page doesn't flash. */
export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

export const themeKey = 'lab-manager.theme';

export function isThemeChoice(value: unknown): value is ThemeChoice {
  return themeChoices.some((choice) => choice === value);
}

/** Returns the stored choice; `system` when there is none or storage is unavailable. */
export function storedTheme(): ThemeChoice {
  try {
    const value = localStorage.getItem(themeKey);
    return isThemeChoice(value) ? value : 'system';
  } catch {
    // Storage may be turned off; the system's theme is the default.
    return 'system';
  }
}

/** Sets the colour scheme of the browser's own elements (canvas, scroll bars, form fields). */
export function applyColorScheme(choice: ThemeChoice): void {
  document.documentElement.style.colorScheme = choice === 'system' ? 'light dark' : choice;
}
