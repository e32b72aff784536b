/**
 * The rows of the table of settings for remote access, for the rate limit and for the time zones of the managers' hosts.
 * Source: the settings of MADSci 0.8.1's lab manager, and our own.
 */
import * as z from 'zod';
import { remoteAccessModes } from '../../../api/lab/relay.ts';
import { define } from './definition.ts';
import { isTimeZone } from '../../../api/time/time.ts';

const count = z.int().min(1);

export const remoteAccessTable = {
  remote_access: define({
    field: 'remoteAccess',
    kind: 'word',
    section: 'Remote access',
    schema: z.enum(remoteAccessModes),
    default: 'off',
    help: 'Whether this service passes requests on to the managers, below /managers, so that other machines need only its own port: off; view, for reading; operate, for commands too',
    example: 'view',
  }),
} as const;

export const rateLimitTable = {
  rate_limit_enabled: define({
    field: 'rateLimitEnabled',
    kind: 'boolean',
    section: 'Rate limit',
    schema: z.boolean(),
    default: true,
    help: 'Whether API requests are limited for each address; static files never are',
    example: 'true',
    bareOption: true,
  }),
  rate_limit_requests: define({
    field: 'rateLimitRequests',
    kind: 'integer',
    section: 'Rate limit',
    schema: count,
    default: 300,
    help: 'API requests an address may send in each window',
    example: '300',
    bareOption: true,
  }),
  rate_limit_window: define({
    field: 'rateLimitWindow',
    kind: 'integer',
    section: 'Rate limit',
    schema: count,
    default: 60,
    help: 'Length of the window in seconds',
    example: '60',
    bareOption: true,
  }),
  rate_limit_short_requests: define({
    field: 'rateLimitShortRequests',
    kind: 'integer',
    section: 'Rate limit',
    schema: count.nullable(),
    default: 50,
    help: 'API requests an address may send in each short window; None is no burst limit',
    example: '50',
    bareOption: true,
  }),
  rate_limit_short_window: define({
    field: 'rateLimitShortWindow',
    kind: 'integer',
    section: 'Rate limit',
    schema: count.nullable(),
    default: 1,
    help: 'Length of the short window in seconds; None is no burst limit',
    example: '1',
    bareOption: true,
  }),
  rate_limit_exempt_ips: define({
    field: 'rateLimitExemptIps',
    kind: 'networks',
    section: 'Rate limit',
    schema: z.array(z.string()).readonly().nullable(),
    default: null,
    help: 'Addresses and networks that are never limited; loopback when not set, and a list replaces it',
    example: '["127.0.0.0/8", "::1"]',
    bareOption: true,
  }),
} as const;

const schema = z.string().refine(isTimeZone).nullable();

/** The time zone of one manager. The resource manager has none, because its naive times are UTC. */
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
