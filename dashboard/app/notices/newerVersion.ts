/** Detects that the service's version differs from the one that served this page. */
import { readonly, ref, watch, type Ref } from 'vue';

export interface VersionChange {
  readonly from: string;
  readonly to: string;
}

/**
 * @param version the version that the service reports, if known
 * @returns the change from the first version; `null` while there is none
 */
export function useNewVersion(version: () => string | undefined): Readonly<Ref<VersionChange | null>> {
  const change = ref<VersionChange | null>(null);
  let loadedVersion: string | null = null;
  watch(
    version,
    (now) => {
      if (now === undefined) return;
      loadedVersion ??= now;
      change.value = now === loadedVersion ? null : { from: loadedVersion, to: now };
    },
    { immediate: true },
  );
  return readonly(change);
}

const storageKey = 'lab-manager.reloads';

/**
 * Returns whether the page may reload by itself for this change, once in either direction: behind one address, servers of two
 * versions can take turns, and the page would reload without end.
 */
export function tryAcquireReload({ from, to }: VersionChange): boolean {
  const pair = [from, to].toSorted().join(' ');
  try {
    const pairs = sessionStorage.getItem(storageKey)?.split('\n') ?? [];
    if (pairs.includes(pair)) return false;
    sessionStorage.setItem(storageKey, [...pairs, pair].join('\n'));
    return true;
  } catch {
    // Without storage, the next page would not know of this reload.
    return false;
  }
}
