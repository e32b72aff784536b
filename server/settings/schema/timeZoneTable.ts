/** The part of the table of settings about the time zones of the managers' hosts. */
import * as z from 'zod';
import { isTimeZone } from '../../../api/time.ts';
import { define } from './definition.ts';

const schema = z.string().refine(isTimeZone).nullable();

/** Of one manager. Times of the resource manager without a zone are UTC, so that it has none. */
function timeZone<Name extends string>(name: Name, title: string) {
  return define({
    field: `${name}TimeZone`,
    kind: 'timeZone',
    section: 'Time zones',
    schema,
    default: null,
    help: `Time zone of the ${title} manager’s host, where it is not LAB_TIME_ZONE`,
    example: 'America/Chicago',
  });
}

export const timeZoneTable = {
  time_zone: define({
    field: 'timeZone',
    kind: 'timeZone',
    section: 'Time zones',
    schema,
    default: null,
    help: 'Time zone of the managers’ hosts, whose times have none; when not set, it is measured by their records',
    example: 'Europe/Berlin',
  }),
  event_time_zone: timeZone('event', 'event'),
  experiment_time_zone: timeZone('experiment', 'experiment'),
  data_time_zone: timeZone('data', 'data'),
  workcell_time_zone: timeZone('workcell', 'workcell'),
  location_time_zone: timeZone('location', 'location'),
} as const;
