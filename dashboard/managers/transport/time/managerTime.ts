/**
 * Interprets the times of each manager by the clock of its host. The service measures these clocks and publishes them
 * with the lab's status, so that all pages use the same.
 */
import { createSharedComposable } from '@vueuse/core';
import { computed, onScopeDispose, shallowReactive, type ComputedRef } from 'vue';
import { managerKeys, type ManagerKey } from '#api/managers.ts';
import {
  hasZone,
  hostStamp,
  hostTime,
  isTimeZone,
  ownTimeZone,
  type HostClock,
  type ReadStamp,
} from '#api/time/time.ts';
import { useLabHistory } from '../../lab/labQueries.ts';

interface ManagerTime {
  /** The clock of the manager's host; with this computer's time zone while the host's is unknown. */
  readonly clock: ComputedRef<HostClock>;
  /** Whether the host's time zone is known. */
  readonly isZoneKnown: ComputedRef<boolean>;
  /**
   * Converts a manager's timestamp to ms since the epoch, by the service's clock; `null` for an invalid one.
   * @param id ID of the record created at that time, if any: it determines the zone
   */
  readonly parseStamp: ReadStamp;
  /** The lower bound of a query, in the host's format. 26 h earlier while its time zone is unknown. */
  readonly queryStart: (from: number) => string;
  /** The upper bound of a query, including its last second; 26 h later while the time zone is unknown. */
  readonly queryEnd: (to: number) => string;
}

/** The difference between the most distant zones, in ms. */
const maxZoneDifferenceMs = 26 * 3_600_000;
const pageZone = ownTimeZone();

/** Managers whose times are displayed while their time zone is unknown, with the number of displaying components. */
const useUnzonedManagers = createSharedComposable(() => shallowReactive(new Map<ManagerKey, number>()));

/** Returns the managers whose times are shown in their own local time. */
export function useManagersWithoutZone(): ComputedRef<readonly ManagerKey[]> {
  const unzoned = useUnzonedManagers();
  const clocks = new Map(managerKeys.map((manager) => [manager, useHostClock(manager)]));
  return computed(() =>
    managerKeys.filter((manager) => unzoned.has(manager) && clocks.get(manager)?.isZoneKnown.value === false),
  );
}

function useHostClock(manager: ManagerKey): Pick<ManagerTime, 'clock' | 'isZoneKnown'> {
  const history = useLabHistory();
  const published = computed(() => history.data.value?.managers.find((status) => status.manager === manager)?.clock);
  // Each status is a new object, so only changed values trigger updates.
  const zone = computed(() => {
    // This browser may not support a zone that the service uses.
    const name = published.value?.time_zone ?? null;
    return name !== null && isTimeZone(name) ? name : null;
  });
  const aheadSeconds = computed(() => published.value?.ahead_seconds ?? 0);
  return {
    clock: computed(() => ({ zone: zone.value ?? pageZone, aheadMs: aheadSeconds.value * 1000 })),
    isZoneKnown: computed(() => zone.value !== null),
  };
}

export function useManagerTime(manager: ManagerKey): ManagerTime {
  const { clock, isZoneKnown } = useHostClock(manager);
  const unzoned = useUnzonedManagers();
  let isCounted = false;
  /** Runs after rendering, which a change of displayed state would interrupt. */
  function countUnzoned(): void {
    isCounted = true;
    queueMicrotask(() => unzoned.set(manager, (unzoned.get(manager) ?? 0) + 1));
  }
  onScopeDispose(() => {
    const count = unzoned.get(manager) ?? 0;
    if (!isCounted) return;
    if (count > 1) unzoned.set(manager, count - 1);
    else unzoned.delete(manager);
  }, true);
  return {
    clock,
    isZoneKnown,
    parseStamp: (stamp, id) => {
      const at = hostTime(stamp, clock.value, id);
      if (at !== null && !isCounted && !isZoneKnown.value && !hasZone(stamp ?? '')) countUnzoned();
      return at;
    },
    queryStart: (from) => hostStamp(isZoneKnown.value ? from : from - maxZoneDifferenceMs, clock.value),
    queryEnd: (to) => hostStamp((isZoneKnown.value ? to : to + maxZoneDifferenceMs) + 999, clock.value),
  };
}
