/** Keys that are pressed together, on the dashboard and on the pages of the desktop app. Pure. */

/** What Ctrl is called on this machine's keyboard. */
export const control = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

type Chord = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'key'>;

/** The safety stop, Ctrl/⌘ Shift X: free in browsers, and no character on any keyboard. */
export function isStopChord(event: Chord): boolean {
  return (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey && event.key.toLowerCase() === 'x';
}

/** The command palette, Ctrl/⌘ K. */
export function isPaletteChord(event: Chord): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k';
}
