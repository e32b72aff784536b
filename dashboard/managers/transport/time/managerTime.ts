/** Reads the times of each manager by the clock of its host, which is learnt from whatever the page reads of it. */
import { createSharedComposable } from '@vueuse/core';
import { computed, shallowReactive, watch, type ComputedRef } from 'vue';
import type { ManagerKey } from '../../../../api/managers.ts';
import type { OffsetMinutes } from '../../../../api/time.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { useAddress } from '../clients.ts';
import {
  isOffsetSure,
  learnClock,
  offsetOf,
  unknownClock,
  type HostClock,
  type LastReading,
  type StampedObject,
} from './hostClock.ts';
import { hostTime } from './hostTime.ts';

export interface ManagerTime {
  /** Minutes east of UTC of the manager's host, as far as it is known. */
  readonly offset: ComputedRef<OffsetMinutes>;
  /** Whether that is certain. */
  readonly sure: ComputedRef<boolean>;
  /** A stamp of the manager in ms since the epoch; `null` for what is none. */
  readonly at: (stamp: string | null | undefined) => number | null;
  /** Notes an offset that is known for certain. */
  readonly setOffset: (offset: OffsetMinutes) => void;
  /** Learns from the objects that were read at `now`, ms since the epoch; `before`: what the reading before it had. */
  readonly learnFrom: (objects: readonly StampedObject[], before: LastReading | null, now: number) => void;
}

/** One for the page: what one manager's stamps say may hold for another one on its host. */
const useClocks = createSharedComposable(() => shallowReactive<Partial<Record<ManagerKey, HostClock>>>({}));

export function useManagerTime(manager: ManagerKey): ManagerTime {
  const clocks = useClocks();
  const address = useAddress(manager);
  watch(
    address,
    (now, before) => {
      // Another machine may have another clock.
      const known = before === undefined || before === null ? (clocks[manager] ?? unknownClock) : unknownClock;
      if (now !== null) clocks[manager] = { ...known, address: now };
    },
    { immediate: true, flush: 'sync' },
  );
  const offset = computed(() => offsetOf(manager, clocks, 0 - new Date().getTimezoneOffset()));
  return {
    offset,
    sure: computed(() => isOffsetSure(manager, clocks)),
    at: (stamp) => hostTime(stamp, offset.value),
    setOffset: (exact) => {
      const known = clocks[manager] ?? unknownClock;
      if (known.exact !== exact) clocks[manager] = { ...known, exact };
    },
    learnFrom: (objects, before, now) => {
      clocks[manager] = learnClock(clocks[manager] ?? unknownClock, objects, before, now);
    },
  };
}

/**
 * Learns the manager's clock from each new answer; `objects` says which of its times the manager itself gave.
 * @param question what is asked for, where that changes: what another question brings to light hasn't just come
 */
export function useClockFrom<Body>(
  time: ManagerTime,
  live: Live<Body>,
  objects: (body: Body) => readonly StampedObject[],
  question: () => string = () => '',
): void {
  let before: LastReading | null = null;
  watch(question, () => (before = null), { flush: 'sync' });
  watch(
    [live.data, live.receivedAt],
    ([body, at]) => {
      if (body === undefined || at === null) return;
      const now = objects(body);
      const last = before;
      before = { ids: new Set(now.map(({ id }) => id)), at };
      // What is learnt may change the question, which forgets this reading.
      time.learnFrom(now, last, at);
    },
    { immediate: true },
  );
}
