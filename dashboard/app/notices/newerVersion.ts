/** Detects that the service's version differs from the one that served this page. */
import { readonly, ref, watch, type Ref } from 'vue';

/**
 * @param version the version that the service reports, if known
 * @returns the new version, once it differs from the first; `null` while they are equal
 */
export function useNewVersion(version: () => string | undefined): Readonly<Ref<string | null>> {
  const newVersion = ref<string | null>(null);
  let loadedVersion: string | null = null;
  watch(
    version,
    (now) => {
      if (now === undefined) return;
      loadedVersion ??= now;
      newVersion.value = now === loadedVersion ? null : now;
    },
    { immediate: true },
  );
  return readonly(newVersion);
}
