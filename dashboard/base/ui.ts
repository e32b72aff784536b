/** State of the page itself: what the user chose to see. What comes from servers is never kept here. */
import { defineStore } from 'pinia';
import { useLocalStorage } from '@vueuse/core';
import { onScopeDispose, ref, watch, watchEffect } from 'vue';
import { displayChoices } from './displayChoices.ts';
import { applyColorScheme, isThemeChoice, themeKey, type ThemeChoice } from './themeChoice.ts';

export const useUi = defineStore('ui', () => {
  const theme = useLocalStorage<ThemeChoice>(themeKey, 'system', {
    serializer: { read: (text) => (isThemeChoice(text) ? text : 'system'), write: (choice) => choice },
  });
  watch(theme, applyColorScheme);

  const { density, times, startPage } = displayChoices();

  /** Single-key shortcuts can be switched off, for people who dictate (WCAG 2.1.4). */
  const singleKeys = useLocalStorage('lab-manager.single-keys', true);
  const keysOpen = ref(false);
  const paletteOpen = ref(false);
  /** What went wrong in the page itself, in words; shown above the panel. */
  const fault = ref<string | null>(null);
  /** The name of the object that the page is about, for the title of the tab; `null` where it is about none. */
  const objectName = ref<string | null>(null);
  /** What the polite live region says. */
  const announcement = ref('');

  return { theme, density, times, startPage, singleKeys, keysOpen, paletteOpen, fault, objectName, announcement };
});

/** @param name of the object; `null` while the page is about none */
export function useObjectName(name: () => string | null): void {
  const ui = useUi();
  const before = ui.objectName;
  watchEffect(() => (ui.objectName = name() ?? before));
  // What lies below a drawer is named again when it closes.
  onScopeDispose(() => (ui.objectName = before));
}

/** @returns whether the component that asked is still on the page; to be called while it is set up */
export function useStillShown(): () => boolean {
  let isShown = true;
  onScopeDispose(() => (isShown = false));
  return () => isShown;
}
