/** The initial selection of a list of choices. */
import { ref, watch, type Ref } from 'vue';

/**
 * Returns the key of the selected choice: the first choice, or an empty string until there is one. The selection stays
 * when later data puts another choice first.
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
