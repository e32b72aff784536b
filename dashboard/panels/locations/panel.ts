import { mdiMapMarkerOutline } from '@mdi/js';
import { computed, ref, watch } from 'vue';
import type { Location } from '../../../api/managers/locationList.ts';
import { locationLooks } from '../../../api/states.ts';
import { locationPage } from '../../base/objectPages.ts';
import { useLocationsBeside } from '../../managers/location/useLocations.ts';
import { whereabouts } from '../../managers/location/whereabouts.ts';
import type { Panel } from '../panel.ts';
import { useWantedLater } from '../useWantedLater.ts';
import { locationTitles } from './titles.ts';

const texts = {
  waitsFor: (template: string) => `waits for a resource from the template ${template}`,
  open: 'Open location',
} as const;

/** Whether the resource of a location is yet to be made. */
const waits = (location: Location): boolean => whereabouts(location, null).state === 'unresolved';

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
    const locations = useLocationsBeside(() => wanted.value);
    return computed(() => locations.value.filter(waits).length);
  },
  useAttention: () => {
    const locations = useLocationsBeside(() => true);
    return computed(() =>
      locations.value.filter(waits).map((location) => ({
        key: `location ${location.location_id}`,
        look: locationLooks.unresolved,
        name: location.location_name,
        reason: texts.waitsFor(location.resource_template_name ?? ''),
        since: null,
        action: { label: texts.open, to: locationPage(location.location_id) },
      })),
    );
  },
  usePaletteEntries: (asked) => {
    const wanted = ref(false);
    watch(asked, (now) => (wanted.value ||= now), { immediate: true });
    const locations = useLocationsBeside(() => wanted.value);
    return computed(() => [
      { key: 'planner', kind: 'Page', title: locationTitles.planner, choose: { name: 'planner' } },
      ...locations.value.map((location) => ({
        key: `location ${location.location_id}`,
        kind: locationTitles.location,
        title: location.location_name,
        also: [location.location_id, location.description ?? ''],
        choose: locationPage(location.location_id),
      })),
    ]);
  },
};
