/** The windows on the existing screens: the saved position of the main window, and the sizes of the others. */
import { BrowserWindow, screen, type BrowserWindowConstructorOptions } from 'electron';
import type { Preferences, PreferencesFile } from '../preferences/preferences.ts';
import { fitSize, placeWindow } from './savedBounds.ts';

export function openingOptions(saved: Preferences['window']): ReturnType<typeof placeWindow> {
  return placeWindow(
    saved,
    screen.getAllDisplays().map((display) => display.workArea),
  );
}

/** Limits the size to the screen of the focused window. */
export function fitToScreen<Options extends BrowserWindowConstructorOptions & { width: number; height: number }>(
  options: Options,
): Options {
  const focused = BrowserWindow.getFocusedWindow();
  const display = focused === null ? screen.getPrimaryDisplay() : screen.getDisplayMatching(focused.getBounds());
  return { ...options, ...fitSize(options, display.workArea) };
}

/** Moves the window to its default position. */
export function resetBounds(window: BrowserWindow, preferences: PreferencesFile): void {
  if (window.isMaximized()) window.unmaximize();
  const { width, height } = openingOptions(null);
  window.setSize(width, height);
  window.center();
  preferences.change({ window: null });
}

export function rememberBounds(window: BrowserWindow, preferences: PreferencesFile): void {
  preferences.change({ window: { ...window.getNormalBounds(), maximized: window.isMaximized() } });
}
