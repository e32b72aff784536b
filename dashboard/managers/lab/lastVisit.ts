/** The time of the last visit to the Overview in this browser. */
import { currentTime } from '../../base/clock.ts';
import { useDocumentVisibility, useEventListener } from '@vueuse/core';
import { onScopeDispose, ref, watch, type Ref } from 'vue';

const key = 'lab-manager.last-look';
/** The time of the visit before this one. */
const beforeKey = `${key}-before`;
/** Views that are closer together belong to one visit, in ms. */
const visitGap = 30 * 60_000;
/** Shorter absences don't count, in ms. */
const absence = 60_000;

/** ms since the epoch; `null` if none is stored. */
function storedTime(storageKey = key): number | null {
  try {
    const time = Number(localStorage.getItem(storageKey));
    return Number.isFinite(time) && time > 0 ? time : null;
  } catch {
    // Without storage every visit is the first one.
    return null;
  }
}

function storeTime(): void {
  try {
    const last = storedTime() ?? currentTime();
    if (currentTime() - last > visitGap) localStorage.setItem(beforeKey, String(last));
    localStorage.setItem(key, String(currentTime()));
  } catch {
    // Storage is full or turned off: the next visit shows more than the new changes.
  }
}

interface LastVisit {
  /** ms since the epoch; `null` at the first visit, and once the changes have been seen. */
  readonly time: Ref<number | null>;
  readonly markSeen: () => void;
}

export function useLastVisit(): LastVisit {
  const time = ref(storedTime());
  const visibility = useDocumentVisibility();
  let leftAt: number | null = null;

  const leave = (): void => {
    leftAt = currentTime();
    storeTime();
  };
  watch(visibility, (state) => {
    if (state === 'hidden') leave();
    else if (leftAt !== null && currentTime() - leftAt > absence) time.value ??= leftAt;
  });
  useEventListener(window, 'pagehide', storeTime);
  onScopeDispose(storeTime);

  return {
    time,
    markSeen: () => {
      time.value = null;
      storeTime();
    },
  };
}

/** ms since the epoch; `null` at the first visit. */
export function previousVisit(): number | null {
  const last = storedTime();
  return last !== null && currentTime() - last > visitGap ? last : storedTime(beforeKey);
}
