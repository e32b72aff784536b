/** The initial selection of a list of choices. */
import { ref, watch, type Ref } from 'vue';

/**
 * Returns the key of the selected choice; initially the first one, empty until there is a choice. Later reads may put
 * another one first; the displayed selection stays.
 */
export function useFirstChoice(choices: () => readonly { readonly key: string }[]): Ref<string> {
  const selectedKey = ref('');
  watch(
    () => choices()[0]?.key,
    (first) => {
      if (selectedKey.value === '' && first !== undefined) selectedKey.value = first;
    },
    // Synchronous, so that code in the same tick doesn't read an empty key.
    { immediate: true, flush: 'sync' },
  );
  return selectedKey;
}
