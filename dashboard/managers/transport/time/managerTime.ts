/**
 * Interprets the times of each manager by the clock of its host. The service measures these clocks and publishes them
 * with the lab's status, so that all pages use the same.
 */
import { createSharedComposable } from '@vueuse/core';
import { computed, onScopeDispose, shallowReactive, type ComputedRef } from 'vue';
import { managerKeys, type ManagerKey } from '../../../../api/managers.ts';
import {
  hasZone,
  hostStamp,
  hostTime,
  isTimeZone,
  ownTimeZone,
  type HostClock,
  type ReadStamp,
} from '../../../../api/time/time.ts';
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
  readonly at: ReadStamp;
  /** The lower bound of a query, in the host's format. 26 h earlier while its time zone is unknown. */
  readonly queryStart: (from: number) => string;
  /** The upper bound of a query, including its last second; 26 h later while the time zone is unknown. */
  readonly queryEnd: (to: number) => string;
}

/** The difference between the most distant zones, in ms. */
const maxZoneDifference = 26 * 3_600_000;
const pageZone = ownTimeZone();

/** Managers whose times are displayed while their time zone is unknown, with the number of displaying components. */
const useUnplaced = createSharedComposable(() => shallowReactive(new Map<ManagerKey, number>()));

/** Returns the managers whose times are shown in their own local time. */
export function useUnplacedManagers(): ComputedRef<readonly ManagerKey[]> {
  const unplaced = useUnplaced();
  const times = new Map(managerKeys.map((manager) => [manager, useHostClock(manager)]));
  return computed(() =>
    managerKeys.filter((manager) => unplaced.has(manager) && times.get(manager)?.isZoneKnown.value === false),
  );
}

function useHostClock(manager: ManagerKey): Pick<ManagerTime, 'clock' | 'isZoneKnown'> {
  const history = useLabHistory();
  const published = computed(() => history.data.value?.managers.find((each) => each.manager === manager)?.clock);
  // Each status is a new object, so only changed values trigger updates.
  const zone = computed(() => {
    // This browser may not support a zone that the service uses.
    const name = published.value?.time_zone ?? null;
    return name !== null && isTimeZone(name) ? name : null;
  });
  const ahead = computed(() => published.value?.ahead_seconds ?? 0);
  return {
    clock: computed(() => ({ zone: zone.value ?? pageZone, aheadMs: ahead.value * 1000 })),
    isZoneKnown: computed(() => zone.value !== null),
  };
}

export function useManagerTime(manager: ManagerKey): ManagerTime {
  const { clock, isZoneKnown: known } = useHostClock(manager);
  const unplaced = useUnplaced();
  let isNoted = false;
  /** Runs after rendering, which a change of displayed state would interrupt. */
  function noteUnplaced(): void {
    isNoted = true;
    queueMicrotask(() => unplaced.set(manager, (unplaced.get(manager) ?? 0) + 1));
  }
  onScopeDispose(() => {
    const count = unplaced.get(manager) ?? 0;
    if (!isNoted) return;
    if (count > 1) unplaced.set(manager, count - 1);
    else unplaced.delete(manager);
  }, true);
  return {
    clock,
    isZoneKnown: known,
    at: (stamp, id) => {
      const at = hostTime(stamp, clock.value, id);
      if (at !== null && !isNoted && !known.value && !hasZone(stamp ?? '')) noteUnplaced();
      return at;
    },
    queryStart: (from) => hostStamp(known.value ? from : from - maxZoneDifference, clock.value),
    queryEnd: (to) => hostStamp((known.value ? to : to + maxZoneDifference) + 999, clock.value),
  };
}
