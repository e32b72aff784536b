/** Command palette entries for resources, by name, ID, class and barcode. */
import { computed, type ComputedRef } from 'vue';
import { resourceApi } from '#api/managers/resource.ts';
import { stockAppearances } from '#api/states.ts';
import { resourcePage } from '../../base/objectPages.ts';
import { getAmount } from '../../managers/resource/amount.ts';
import { formatContainers } from '../../managers/resource/resourceIndex.ts';
import { useBackgroundResources } from '../../managers/resource/useResources.ts';
import { useEntryById } from '../useEntryById.ts';
import type { PaletteEntry, PanelPalette } from '../panel.ts';
import { listCodes } from './codes.ts';

const kind = 'Resource';

function useEntries(): ComputedRef<readonly PaletteEntry[]> {
  const { index } = useBackgroundResources(() => true);
  return computed(() =>
    index.value.all.map((row): PaletteEntry => {
      const state = getAmount(row)?.state;
      const containers = formatContainers(row, index.value);
      return {
        key: `resource ${row.id}`,
        kind,
        title: row.name,
        alternativeNames: [row.id, row.cls, ...listCodes(row)],
        ...(containers === '' ? {} : { subtitle: containers }),
        ...(state === 'low' || state === 'out' ? { appearance: stockAppearances[state] } : {}),
        // A plate ranks above its wells.
        weight: 0 - index.value.findPath(row).length,
        choose: resourcePage(row.id),
      };
    }),
  );
}

export const palette: PanelPalette = {
  useEntries,
  useById: () =>
    useEntryById(
      resourceApi,
      (client, id, options) => client.getResource({ resource_id: id }, options),
      ({ resource_id: id, resource_name: name }) => ({
        key: `resource ${id}`,
        kind,
        title: name ?? id,
        choose: resourcePage(id),
      }),
    ),
};
