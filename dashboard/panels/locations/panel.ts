import { mdiMapMarkerOutline } from '@mdi/js';
import { computed } from 'vue';
import { useClock } from '../../base/clock.ts';
import { useLocationsBeside } from '../../managers/location/useLocations.ts';
import { useManagerTime } from '../../managers/transport/time/managerTime.ts';
import type { Panel } from '../panel.ts';
import { useWantedLater } from '../useWantedLater.ts';
import { locationItems } from './attention.ts';
import { locationTitles } from './titles.ts';

/** What needs a person, as the locations were read last. */
function useItems(wanted: () => boolean) {
  const locations = useLocationsBeside(wanted);
  const time = useManagerTime('location');
  const clock = useClock();
  // Made anew once a minute, not with each tick.
  const minute = computed(() => Math.floor(clock.value / 60_000) * 60_000);
  return computed(() => locationItems(locations.value, time.at, minute.value));
}

export const locationsPanel: Panel = {
  name: 'locations',
  path: '/locations',
  title: locationTitles.panel,
  icon: mdiMapMarkerOutline,
  key: 'p',
  group: 'things',
  kioskSeconds: 30,
  load: () => import('./LocationsPanel.vue'),
  pages: [
    {
      name: 'planner',
      path: '/locations/plan',
      title: locationTitles.planner,
      load: () => import('./PlannerPage.vue'),
    },
    {
      name: 'location-templates',
      path: '/locations/templates',
      title: locationTitles.templates,
      load: () => import('./templates/TemplatesPage.vue'),
    },
    {
      name: 'location',
      path: '/locations/:id',
      title: locationTitles.location,
      load: () => import('./page/LocationPage.vue'),
    },
  ],
  useBadge: () => {
    const wanted = useWantedLater();
    const items = useItems(() => wanted.value);
    return computed(() => items.value.length);
  },
  useAttention: () => useItems(() => true),
  palette: () => import('./palette.ts'),
};
