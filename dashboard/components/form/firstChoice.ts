/** What a list of choices begins with: its first one, as it was when the list was first known. */
import { ref, watch, type Ref } from 'vue';

/**
 * The key of the chosen one; empty until there is a choice. What is read again later may begin with another one: the
 * person has seen this one, so it stays.
 */
export function useFirstChoice(choices: () => readonly { readonly key: string }[]): Ref<string> {
  const chosen = ref('');
  watch(
    () => choices()[0]?.key,
    (first) => {
      if (chosen.value === '' && first !== undefined) chosen.value = first;
    },
    // What reads it in the same turn must not find it empty.
    { immediate: true, flush: 'sync' },
  );
  return chosen;
}
