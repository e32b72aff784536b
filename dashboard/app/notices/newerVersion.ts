/** Whether the service is another one than the one that this page came from. */
import { readonly, ref, watch, type Ref } from 'vue';

/**
 * @param version what the service says it is, where it is known
 * @returns that version, once it is another one than at first; `null` while the page is of it
 */
export function useNewerVersion(version: () => string | undefined): Readonly<Ref<string | null>> {
  const newer = ref<string | null>(null);
  let own: string | null = null;
  watch(
    version,
    (now) => {
      if (now === undefined) return;
      own ??= now;
      newer.value = now === own ? null : now;
    },
    { immediate: true },
  );
  return readonly(newer);
}
