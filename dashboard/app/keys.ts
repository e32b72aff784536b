/** Keyboard shortcuts: one table for the handlers and for the list of shortcuts. */
import { useEventListener } from '@vueuse/core';
import { useRouter } from 'vue-router';
import { panels } from './panels.ts';
import { controlKeyLabel, isPaletteChord } from '../base/chords.ts';
import { themeChoices } from '../base/themeChoice.ts';
import { useUi } from '../base/ui.ts';

export interface Shortcut {
  /** Keys of a sequence or a combination, or alternatives; with `run`, as `KeyboardEvent.key` names them. */
  readonly keys: readonly string[];
  readonly description: string;
  /** Whether the keys are pressed together. Such a shortcut also works while typing. */
  readonly isCombination?: true;
  /** The handler; absent if a component handles the shortcut and it is only listed here. */
  readonly run?: () => void;
}

/** The second key of a sequence must follow within this time, in ms. */
const sequenceTimeoutMs = 1500;

export function useShortcuts(): readonly Shortcut[] {
  const ui = useUi();
  const router = useRouter();
  return [
    {
      keys: [controlKeyLabel, 'Shift', 'X'],
      description: 'safety stop: stops every node at once, also while typing',
      isCombination: true,
    },
    { keys: [controlKeyLabel, 'K'], description: 'search, or run a command', isCombination: true },
    { keys: ['?'], description: 'show or hide this sheet', run: () => (ui.keysOpen = !ui.keysOpen) },
    ...panels.map(({ key, path, title }) => ({
      keys: ['g', key],
      description: `open ${title}`,
      run: () => void router.push(path),
    })),
    {
      keys: ['t'],
      description: 'next theme: system, light, dark',
      run: () => {
        ui.theme = themeChoices[(themeChoices.indexOf(ui.theme) + 1) % themeChoices.length] ?? 'system';
      },
    },
    { keys: ['/'], description: 'in a table: search' },
    { keys: ['↑', '↓'], description: 'in a table or tree: line by line' },
    { keys: ['Enter'], description: 'in a table: open the row' },
    { keys: ['←', '→'], description: 'on a strip, a time axis or in a tree: move along' },
    { keys: ['Home', 'End'], description: 'on a strip, a time axis or in a tree: first and last' },
    { keys: ['Esc'], description: 'close the open dialog or menu' },
  ];
}

/** Returns whether the focused element accepts text. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
  );
}

/** Runs the shortcuts while the page is open. */
export function useKeyboardShortcuts(): void {
  const ui = useUi();
  const shortcuts = useShortcuts();
  let first = { key: '', at: 0 };
  /** Text that is typed before the palette has appeared belongs to it, not to the page or to a shortcut. */
  function collectForPalette(event: KeyboardEvent): void {
    const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isCharacter || (event.target instanceof Element && event.target.closest('.palette'))) return;
    event.preventDefault();
    ui.paletteQuery += event.key;
  }
  useEventListener(window, 'keydown', (event: KeyboardEvent) => {
    if (isPaletteChord(event)) {
      event.preventDefault();
      // Only one dialog is open at a time.
      ui.keysOpen = false;
      ui.paletteOpen = !ui.paletteOpen;
      return;
    }
    if (ui.paletteOpen) return collectForPalette(event);
    if (!ui.singleKeys || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (isTyping(event.target)) return;
    const typedKeys = event.timeStamp - first.at < sequenceTimeoutMs ? [first.key, event.key] : [event.key];
    const sequenceMatch = shortcuts.find(
      ({ keys, run }) => run !== undefined && keys.join(' ') === typedKeys.join(' '),
    );
    const singleMatch = shortcuts.find(({ keys, run }) => run !== undefined && keys.join(' ') === event.key);
    first = { key: event.key, at: event.timeStamp };
    const shortcut = sequenceMatch ?? singleMatch;
    if (shortcut?.run === undefined) return;
    first = { key: '', at: 0 };
    event.preventDefault();
    shortcut.run();
  });
}
