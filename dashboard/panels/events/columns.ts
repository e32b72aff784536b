/** The columns of the log. Pure. */
import { momentSeconds } from '../../base/time.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import type { EventRow } from '../../managers/event/eventRow.ts';
import { levelWord } from '../../managers/event/texts.ts';
import { eventsTexts } from './texts.ts';

const texts = eventsTexts.columns;

/** @param now of which today is written without its date, ms since the epoch */
export function eventColumns(now: number): readonly Column<EventRow>[] {
  return [
    {
      key: 'time',
      title: texts.time,
      value: ({ stamp }) => stamp,
      text: ({ at, stamp }) => (at === null ? stamp : momentSeconds(at, now)),
      csv: ({ at, stamp }) => (at === null ? stamp : new Date(at).toISOString()),
      width: 5.5,
      fits: true,
    },
    {
      key: 'level',
      title: texts.level,
      value: ({ level }) => level,
      text: ({ level }) => levelWord(level),
      width: 4,
    },
    { key: 'source', title: texts.source, value: ({ source }) => source, filter: 'choice', width: 7.5 },
    { key: 'type', title: texts.type, value: ({ type }) => type, filter: 'choice', width: 9 },
    { key: 'message', title: texts.message, value: ({ message }) => message, width: 15 },
    {
      key: 'about',
      title: texts.about,
      value: ({ subjects }) => subjects.map(({ kind, id }) => `${eventsTexts.page.about[kind]} ${id}`).join(', '),
      width: 13,
      foldsEmpty: true,
    },
    { key: 'id', title: texts.id, value: ({ id }) => id, width: 8, hidden: true },
  ];
}
