/** The page's UI state: the user's choices. Data from servers is never stored here. */
import { useLocalStorage } from '@vueuse/core';
import { onScopeDispose, ref, watch, watchEffect } from 'vue';
import { definePageState } from './pageState.ts';
import { useDisplayChoices } from './displayChoices.ts';
import { applyColorScheme, isThemeChoice, themeKey, type ThemeChoice } from './themeChoice.ts';

export const useUi = definePageState(() => {
  const theme = useLocalStorage<ThemeChoice>(themeKey, 'system', {
    serializer: { read: (text) => (isThemeChoice(text) ? text : 'system'), write: (choice) => choice },
  });
  watch(theme, applyColorScheme);

  const { density, times, startPage } = useDisplayChoices();

  /** Single-key shortcuts can be turned off, for speech input users (WCAG 2.1.4). */
  const singleKeys = useLocalStorage('lab-manager.single-keys', true);
  const keysOpen = ref(false);
  const paletteOpen = ref(false);
  /** The search text of the palette, also while the palette is still loading. */
  const paletteQuery = ref('');
  watch(paletteOpen, () => (paletteQuery.value = ''), { flush: 'sync' });
  /** The message of a fault of the page itself, shown above the panel. */
  const fault = ref<string | null>(null);
  /** The name of the page's object, for the document title; `null` if the page has none. */
  const objectName = ref<string | null>(null);
  /** The text of the polite live region. */
  const announcement = ref('');

  return {
    theme,
    density,
    times,
    startPage,
    singleKeys,
    keysOpen,
    paletteOpen,
    paletteQuery,
    fault,
    objectName,
    announcement,
  };
});

/** @param name the object's name; `null` if the page has none */
export function useObjectName(name: () => string | null): void {
  const ui = useUi();
  const previous = ui.objectName;
  watchEffect(() => (ui.objectName = name() ?? previous));
  // Restores the name of the page below a closing drawer.
  onScopeDispose(() => (ui.objectName = previous));
}

/** Returns a function that reports whether the calling component is still mounted. Call it in the component's setup. */
export function useIsMounted(): () => boolean {
  let isMounted = true;
  onScopeDispose(() => (isMounted = false));
  return () => isMounted;
}
