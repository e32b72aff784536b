/** What closing the window does. Pure. */
import type { Preferences } from '../preferences/preferences.ts';

export type Closing = 'hide' | 'quit' | 'minimize' | 'ask' | 'ask-without-tray';

export function decideClosing(
  { closeWindow, closeWithoutTray }: Pick<Preferences, 'closeWindow' | 'closeWithoutTray'>,
  hasTray: boolean,
): Closing {
  if (closeWindow === 'quit') return 'quit';
  if (!hasTray) return closeWithoutTray ?? 'ask-without-tray';
  return closeWindow === 'ask' ? 'ask' : 'hide';
}
