/** Key combinations of the dashboard and of the desktop app's pages. */

/** The label of the Ctrl key on this platform. */
export const controlKeyLabel = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

type Chord = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'key' | 'code'>;

/**
 * Returns whether the event's key has this Latin letter. On a layout without Latin letters, such as Greek or Russian, the
 * position of the key counts, as in the shortcuts of the operating system.
 */
function isLetter({ key, code }: Chord, letter: string): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
}

/**
 * Returns whether the event is the shortcut of the safety stop, Ctrl/⌘ Shift X, which produces no character on any
 * keyboard layout.
 */
export function isStopChord(event: Chord): boolean {
  return (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey && isLetter(event, 'x');
}

/** Returns whether the event opens the command palette, Ctrl/⌘ K. */
export function isPaletteChord(event: Chord): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && isLetter(event, 'k');
}
