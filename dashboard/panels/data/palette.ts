/** Command palette entries for datapoints: any datapoint by ID, and the page that searches all of them. */
import { computed } from 'vue';
import { dataApi } from '#api/managers/data.ts';
import { datapointPage } from '../../base/objectPages.ts';
import { getDatapointId } from '../../managers/data/datapoint.ts';
import { useEntryById } from '../useEntryById.ts';
import type { PanelPalette } from '../panel.ts';
import { dataTitles } from '../titles.ts';

const texts = {
  search: (typed: string) => `Search all data for “${typed}”`,
  searchHint: 'searches everything in the data manager',
} as const;

export const palette: PanelPalette = {
  useEntries: () => computed(() => []),
  useById: () =>
    useEntryById(
      dataApi,
      (client, id, options) => client.getDatapoint({ datapoint_id: id }, options),
      (datapoint) => ({
        key: `datapoint ${getDatapointId(datapoint)}`,
        kind: dataTitles.datapoint,
        title: datapoint.label || getDatapointId(datapoint),
        choose: datapointPage(getDatapointId(datapoint)),
      }),
    ),
  search: (typed) => ({
    key: 'search data',
    kind: dataTitles.datapoint,
    title: texts.search(typed),
    subtitle: texts.searchHint,
    choose: { name: 'data', query: { read: 'all', q: typed } },
  }),
};
