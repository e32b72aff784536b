/** Command palette entries for locations; all locations are loaded. */
import { computed } from 'vue';
import { locationPage } from '../../base/objectPages.ts';
import { useBackgroundLocations } from '../../managers/location/useLocations.ts';
import type { PaletteEntry, PanelPalette } from '../panel.ts';
import { locationTitles } from '../titles.ts';

export const palette: PanelPalette = {
  useEntries: () => {
    const locations = useBackgroundLocations(() => true);
    return computed(() =>
      locations.value.map((location): PaletteEntry => ({
        key: `location ${location.location_id}`,
        kind: locationTitles.location,
        title: location.location_name,
        alternativeNames: [location.location_id, location.description ?? ''],
        choose: locationPage(location.location_id),
      })),
    );
  },
};
