/** Key combinations of the dashboard and of the desktop app's pages. Pure. */

/** The label of the Ctrl key on this platform. */
export const controlKeyLabel = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

type Chord = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'key'>;

/** Whether the event is the safety stop, Ctrl/⌘ Shift X: no browser uses it, and no keyboard layout types with it. */
export function isStopChord(event: Chord): boolean {
  return (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey && event.key.toLowerCase() === 'x';
}

/** Whether the event opens the command palette, Ctrl/⌘ K. */
export function isPaletteChord(event: Chord): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k';
}
