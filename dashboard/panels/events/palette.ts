/** Command palette entries for events: any event by ID, and the log with a search. */
import { computed } from 'vue';
import { eventApi } from '#api/managers/event.ts';
import { eventPage } from '../../base/objectPages.ts';
import { eventMessage } from '../../managers/event/eventText.ts';
import { useEntryById } from '../useEntryById.ts';
import type { PanelPalette } from '../panel.ts';
import { eventTitles } from '../titles.ts';

const texts = {
  search: (typed: string) => `Search the newest events for “${typed}”`,
} as const;

export const palette: PanelPalette = {
  useEntries: () => computed(() => []),
  useById: () =>
    useEntryById(
      eventApi,
      (client, id, options) => client.getEvent({ event_id: id }, options),
      (event) => {
        const { _id: id } = event;
        return { key: `event ${id}`, kind: eventTitles.event, title: eventMessage(event) || id, choose: eventPage(id) };
      },
    ),
  search: (typed) => ({
    key: 'search events',
    kind: eventTitles.event,
    title: texts.search(typed),
    choose: { name: 'events', query: { q: typed } },
  }),
};
