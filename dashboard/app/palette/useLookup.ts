/** Looks up a typed ID at every manager, because an ID doesn't show the kind of its object. */
import { ref, shallowRef, watch, type Ref } from 'vue';
import { errorText } from '#api/errorText.ts';
import type { PaletteEntry, PanelPalette } from '../../panels/panel.ts';

/** The form of MADSci's IDs. */
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

export interface Lookup {
  readonly entries: Readonly<Ref<readonly PaletteEntry[]>>;
  /** True until all managers have responded. */
  readonly isSearching: Readonly<Ref<boolean>>;
  /** The managers that could not be queried and the reason, one sentence each. */
  readonly failures: Readonly<Ref<readonly string[]>>;
}

export function useLookup(palettes: readonly PanelPalette[], query: Readonly<Ref<string>>): Lookup {
  const lookups = palettes.flatMap(({ useById }) => useById?.() ?? []);
  const entries = shallowRef<readonly PaletteEntry[]>([]);
  const failures = shallowRef<readonly string[]>([]);
  const isSearching = ref(false);

  watch(query, async (text, _before, onCleanup) => {
    const id = text.trim().toUpperCase();
    entries.value = [];
    failures.value = [];
    isSearching.value = ulid.test(id);
    if (!isSearching.value) return;
    const controller = new AbortController();
    const { signal } = controller;
    onCleanup(() => controller.abort());
    await Promise.all(
      lookups.map(async (request) => {
        try {
          const entry = await request(id, signal);
          if (entry !== null && !signal.aborted) entries.value = [...entries.value, entry];
        } catch (error) {
          const reason = errorText(error);
          if (!signal.aborted) failures.value = [...failures.value, reason];
        }
      }),
    );
    if (!signal.aborted) isSearching.value = false;
  });
  return { entries, isSearching, failures };
}
