/** The position of the main window: saved, and restored onto an existing screen. */
import { screen, type BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import type { Preferences, PreferencesFile } from '../preferences/preferences.ts';
import { defaultSize, placeWindow } from './savedBounds.ts';

export function openingOptions(saved: Preferences['window']): BrowserWindowConstructorOptions {
  return placeWindow(
    saved,
    screen.getAllDisplays().map((display) => display.workArea),
  );
}

/** Moves the window to its default position. */
export function resetBounds(window: BrowserWindow, preferences: PreferencesFile): void {
  if (window.isMaximized()) window.unmaximize();
  const { width = defaultSize.width, height = defaultSize.height } = openingOptions(null);
  window.setSize(width, height);
  window.center();
  preferences.change({ window: null });
}

export function rememberBounds(window: BrowserWindow, preferences: PreferencesFile): void {
  preferences.change({ window: { ...window.getNormalBounds(), maximized: window.isMaximized() } });
}
