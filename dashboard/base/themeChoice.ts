/** Which theme the user chose, kept in this browser. Read before the app starts, so that nothing flashes. */
export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

export const themeKey = 'lab-manager.theme';

export function isThemeChoice(value: unknown): value is ThemeChoice {
  return themeChoices.some((choice) => choice === value);
}

/** The kept choice; `system` when there is none or the browser keeps nothing. */
export function storedTheme(): ThemeChoice {
  try {
    const value = localStorage.getItem(themeKey);
    return isThemeChoice(value) ? value : 'system';
  } catch {
    // Storage may be switched off; the system's theme is then the right one.
    return 'system';
  }
}

/** Tells the browser which of its own colours to use (canvas, scroll bars, form fields). */
export function applyColorScheme(choice: ThemeChoice): void {
  document.documentElement.style.colorScheme = choice === 'system' ? 'light dark' : choice;
}
