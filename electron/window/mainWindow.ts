/** Where the main window stands: remembered, and on a screen that is there. */
import { screen, type BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import type { Preferences, PreferencesFile } from '../preferences/preferences.ts';
import { placeWindow } from './savedBounds.ts';

export function openingOptions(saved: Preferences['window']): BrowserWindowConstructorOptions {
  return placeWindow(
    saved,
    screen.getAllDisplays().map((display) => display.workArea),
  );
}

export function rememberBounds(window: BrowserWindow, preferences: PreferencesFile): void {
  preferences.change({ window: { ...window.getNormalBounds(), maximized: window.isMaximized() } });
}
