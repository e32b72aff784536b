/** The user's display preferences, stored in this browser only. */
import { useLocalStorage, type RemovableRef } from '@vueuse/core';
import { watch } from 'vue';
import { isObject } from '#api/client/wire.ts';
import { timeFormat, timeFormats } from './time.ts';

export const densities = ['comfortable', 'compact'] as const;

/** Parses a stored record and keeps its valid values; any other content counts as empty. */
export function readRecord<Value>(
  text: string,
  isValid: (value: unknown) => value is Value,
): Readonly<Record<string, Value>> {
  try {
    const value: unknown = JSON.parse(text);
    const entries = isObject(value) ? Object.entries(value) : [];
    return Object.fromEntries(
      entries.filter((entry): entry is [string, Value & (typeof entry)[1]] => isValid(entry[1])),
    );
  } catch {
    return {};
  }
}

/** A stored choice; an unknown value counts as the first. */
function useStoredChoice<Choice extends string>(
  key: string,
  choices: readonly [Choice, ...Choice[]],
): RemovableRef<Choice> {
  const read = (text: string): Choice => choices.find((candidate) => candidate === text) ?? choices[0];
  return useLocalStorage<Choice>(key, choices[0], { serializer: { read, write: (value) => value } });
}

/** The preferences, for the page's state. Created once. */
export function useDisplayChoices() {
  const density = useStoredChoice('lab-manager.density', densities);
  const times = useStoredChoice('lab-manager.times', timeFormats);
  /** The path of the start page; empty: the Overview. */
  const startPage = useLocalStorage('lab-manager.start-page', '');
  watch(density, (value) => (document.documentElement.dataset['density'] = value), { immediate: true });
  watch(times, (value) => (timeFormat.value = value), { immediate: true });
  return { density, times, startPage };
}

/** The prefixes of the storage keys of customised tables, plate maps and views. */
const viewKeys = ['columns.', 'widths.', 'plate-color.', 'nodes-view'].map((key) => `lab-manager.${key}`);

function storedViewKeys(): string[] {
  return Object.keys(localStorage).filter((key) => viewKeys.some((prefix) => key.startsWith(prefix)));
}

/** Returns the number of customised tables and views. */
export function countViews(): number {
  // The columns and widths of a table are two keys but count as one.
  const names = storedViewKeys()
    .filter((key) => !['{}', ''].includes(localStorage.getItem(key) ?? ''))
    .map((key) => key.replace(/^lab-manager\.(?:columns|widths)\./, 'table '));
  return new Set(names).size;
}

/** Resets all views to their defaults; a page that is already open shows them only after it is opened again. */
export function resetViews(): void {
  for (const key of storedViewKeys()) localStorage.removeItem(key);
}
