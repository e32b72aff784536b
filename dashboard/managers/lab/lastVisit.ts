/** The time of the last visit to the Overview in this browser. */
import { currentTime } from '../../base/clock.ts';
import { useDocumentVisibility, useEventListener } from '@vueuse/core';
import { onScopeDispose, ref, watch, type Ref } from 'vue';

const lastVisitKey = 'lab-manager.last-look';
/** The time of the visit before this one. */
const previousVisitKey = `${lastVisitKey}-before`;
/** Views that are closer together belong to one visit, in ms. */
const visitGapMs = 30 * 60_000;
/** Shorter absences don't count, in ms. */
const minAbsenceMs = 60_000;

/** Returns a stored time, in ms since the epoch; `null` if none is stored. */
function loadTime(storageKey = lastVisitKey): number | null {
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
    const last = loadTime() ?? currentTime();
    if (currentTime() - last > visitGapMs) localStorage.setItem(previousVisitKey, String(last));
    localStorage.setItem(lastVisitKey, String(currentTime()));
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
  const time = ref(loadTime());
  const visibility = useDocumentVisibility();
  let leftAt: number | null = null;

  const leave = (): void => {
    leftAt = currentTime();
    storeTime();
  };
  watch(visibility, (state) => {
    if (state === 'hidden') leave();
    else if (leftAt !== null && currentTime() - leftAt > minAbsenceMs) time.value ??= leftAt;
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

/** Returns the time of the previous visit, in ms since the epoch; `null` at the first visit. */
export function previousVisit(): number | null {
  const last = loadTime();
  return last !== null && currentTime() - last > visitGapMs ? last : loadTime(previousVisitKey);
}
