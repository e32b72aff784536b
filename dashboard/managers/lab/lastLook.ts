/** When somebody last looked at the Overview in this browser. */
import { currentTime } from '../../base/clock.ts';
import { useDocumentVisibility, useEventListener } from '@vueuse/core';
import { onScopeDispose, ref, watch, type Ref } from 'vue';

const key = 'lab-manager.last-look';
/** When somebody looked last before this visit. */
const beforeKey = `${key}-before`;
/** Looks that are closer belong to one visit, in ms. */
const visitGap = 30 * 60_000;
/** Shorter absences are no absence, in ms. */
const absence = 60_000;

/** ms since the epoch; `null` where nothing is kept. */
function kept(of = key): number | null {
  try {
    const time = Number(localStorage.getItem(of));
    return Number.isFinite(time) && time > 0 ? time : null;
  } catch {
    // Without storage every visit is the first one.
    return null;
  }
}

function keep(): void {
  try {
    const last = kept() ?? currentTime();
    if (currentTime() - last > visitGap) localStorage.setItem(beforeKey, String(last));
    localStorage.setItem(key, String(currentTime()));
  } catch {
    // Full or switched off: the next visit tells more than is new.
  }
}

interface LastLook {
  /** ms since the epoch; `null` at the first visit, and once what was new has been seen. */
  readonly time: Ref<number | null>;
  readonly seen: () => void;
}

export function useLastLook(): LastLook {
  const time = ref(kept());
  const visibility = useDocumentVisibility();
  let leftAt: number | null = null;

  const leave = (): void => {
    leftAt = currentTime();
    keep();
  };
  watch(visibility, (state) => {
    if (state === 'hidden') leave();
    else if (leftAt !== null && currentTime() - leftAt > absence) time.value ??= leftAt;
  });
  useEventListener(window, 'pagehide', keep);
  onScopeDispose(keep);

  return {
    time,
    seen: () => {
      time.value = null;
      keep();
    },
  };
}

/** ms since the epoch; `null` at the first visit. */
export function lookBefore(): number | null {
  const last = kept();
  return last !== null && currentTime() - last > visitGap ? last : kept(beforeKey);
}
