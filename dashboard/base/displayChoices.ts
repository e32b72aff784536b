/** How this browser's user wants the pages to look: kept here, told to nobody. */
import { useLocalStorage, type RemovableRef } from '@vueuse/core';
import { watch } from 'vue';
import { timeFormat, timeFormats } from './time.ts';

export const densities = ['comfortable', 'compact'] as const;

/** One of a few words; anything else that was kept counts as the first. */
function choice<Word extends string>(key: string, choices: readonly [Word, ...Word[]]): RemovableRef<Word> {
  const read = (text: string): Word => choices.find((word) => word === text) ?? choices[0];
  return useLocalStorage<Word>(key, choices[0], { serializer: { read, write: (word) => word } });
}

/** For the page's store: chosen once, used by all. */
export function displayChoices() {
  const density = choice('lab-manager.density', densities);
  const times = choice('lab-manager.times', timeFormats);
  /** The path of the page that is opened first; empty: the Overview. */
  const startPage = useLocalStorage('lab-manager.start-page', '');
  watch(density, (value) => (document.documentElement.dataset['density'] = value), { immediate: true });
  watch(times, (value) => (timeFormat.value = value), { immediate: true });
  return { density, times, startPage };
}

/** What tables, plate maps and views were made to look like, by what their keys begin with. */
const viewKeys = ['columns.', 'widths.', 'plate-color.', 'nodes-view'].map((key) => `lab-manager.${key}`);

function storedViews(): string[] {
  return Object.keys(localStorage).filter((key) => viewKeys.some((start) => key.startsWith(start)));
}

/** How many tables and views look as somebody chose. */
export function countViews(): number {
  // Columns and widths of a table are two keys of one name.
  const names = storedViews()
    .filter((key) => !['{}', ''].includes(localStorage.getItem(key) ?? ''))
    .map((key) => key.replace(/^lab-manager\.(?:columns|widths)\./, 'table '));
  return new Set(names).size;
}

/** All as it comes; what is on the page now follows when it is opened again. */
export function resetViews(): void {
  for (const key of storedViews()) localStorage.removeItem(key);
}
