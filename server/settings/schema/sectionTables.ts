/**
 * The rows of the table of settings for other labs, remote access, OpenTelemetry, the rate limit, two servers, and the
 * time zones of the managers' hosts. Source: the settings of MADSci 0.8.1's lab manager, and our own.
 */
import * as z from 'zod';
import { remoteAccessModes, remoteStopModes } from '#api/lab/relay.ts';
import { define } from './definition.ts';
import { isTimeZone } from '#api/time/time.ts';

const otelExporters = ['console', 'otlp', 'none'] as const;
const otelProtocols = ['grpc', 'http'] as const;

export const otherLabsTable = {
  fleet: define({
    field: 'fleet',
    kind: 'labs',
    section: 'Lab',
    schema: z.array(z.string()).readonly(),
    default: [],
    help: 'Lab managers whose labs the page /fleet shows on one screen, each read every 15 s; the page is not offered when empty',
    example: '["http://bench4:8000", "Cell culture=http://lab-pc:8000"]',
  }),
  mdns: define({
    field: 'mdns',
    kind: 'boolean',
    section: 'Lab',
    schema: z.boolean(),
    default: true,
    help: 'Whether other lab managers in the network find this one by mDNS, where it listens on more than loopback, and the app searches for them',
    example: 'true',
  }),
} as const;

export const remoteAccessTable = {
  remote_access: define({
    field: 'remoteAccess',
    kind: 'word',
    section: 'Remote access',
    schema: z.enum(remoteAccessModes),
    default: 'off',
    help: 'What other machines may do with the managers through the lab manager: nothing, read them, or command them too',
    example: 'view',
  }),
  remote_stop: define({
    field: 'remoteStop',
    kind: 'word',
    section: 'Remote access',
    schema: z.enum(remoteStopModes),
    default: 'users',
    help: 'Who may send the safety stop from other machines: signed-in operators (with remote access), or everyone who can open a page of the lab manager',
    example: 'everyone',
  }),
  tls_cert_file: define({
    field: 'tlsCertFile',
    isMachineSpecific: true,
    kind: 'file',
    section: 'Remote access',
    schema: z.string().nullable(),
    default: null,
    help: 'PEM file with the TLS certificate of this machine and its chain; with it the port accepts https besides http, and it is read again when it is renewed',
    example: '/etc/lab-manager/tls/fullchain.pem',
  }),
  tls_key_file: define({
    field: 'tlsKeyFile',
    isMachineSpecific: true,
    kind: 'file',
    section: 'Remote access',
    schema: z.string().nullable(),
    default: null,
    help: 'PEM file with the private key of LAB_TLS_CERT_FILE, where that file does not contain it',
    example: '/etc/lab-manager/tls/privkey.pem',
  }),
  proxy_roles: define({
    field: 'proxyRoles',
    kind: 'groupRoles',
    section: 'Remote access',
    schema: z.array(z.string()).max(100).readonly(),
    default: [],
    help: 'Roles of the groups in the Remote-Groups header of a proxy in LAB_TRUSTED_PROXY that signs users in; * is every user, and without it the proxy’s Remote-User counts for nothing',
    example: '["lab-admins=administrator", "lab-staff=operator", "*=viewer"]',
  }),
} as const;

/** As MADSci's managers have them, each with its own prefix. */
export const openTelemetryTable = {
  otel_enabled: define({
    field: 'otelEnabled',
    kind: 'boolean',
    section: 'OpenTelemetry',
    schema: z.boolean(),
    default: false,
    help: 'Whether requests that are relayed to the managers are traced with OpenTelemetry',
    example: 'true',
    hasBareOption: true,
  }),
  otel_service_name: define({
    field: 'otelServiceName',
    kind: 'text',
    section: 'OpenTelemetry',
    schema: z.string().nullable(),
    default: null,
    help: 'Name of this service in traces and logs; when not set, OTEL_SERVICE_NAME or madsci.labmanager',
    example: 'bench4.labmanager',
    hasBareOption: true,
  }),
  otel_exporter: define({
    field: 'otelExporter',
    kind: 'word',
    section: 'OpenTelemetry',
    schema: z.enum(otelExporters),
    default: 'console',
    help: 'Where traces go: to the log of the lab manager, together with its log records to an OTLP collector, or nowhere; the managers receive the IDs of the traces in each case',
    example: 'otlp',
    hasBareOption: true,
  }),
  otel_endpoint: define({
    field: 'otelEndpoint',
    kind: 'url',
    section: 'OpenTelemetry',
    schema: z.string().meta({ format: 'uri' }).nullable(),
    default: null,
    help: 'Address of the OTLP collector; when not set, OTEL_EXPORTER_OTLP_ENDPOINT',
    example: 'http://collector:4317/',
    hasBareOption: true,
  }),
  otel_protocol: define({
    field: 'otelProtocol',
    kind: 'word',
    section: 'OpenTelemetry',
    schema: z.enum(otelProtocols),
    default: 'grpc',
    help: 'Protocol of the OTLP collector: gRPC, usually at port 4317, or HTTP with protobuf, usually at port 4318',
    example: 'http',
    hasBareOption: true,
  }),
} as const;

const count = z.int().min(1);

export const rateLimitTable = {
  rate_limit_enabled: define({
    field: 'rateLimitEnabled',
    kind: 'boolean',
    section: 'Rate limit',
    schema: z.boolean(),
    default: true,
    help: 'Whether API requests are limited for each address; static files never are',
    example: 'true',
    hasBareOption: true,
  }),
  rate_limit_requests: define({
    field: 'rateLimitRequests',
    kind: 'integer',
    section: 'Rate limit',
    schema: count,
    default: 300,
    help: 'API requests an address may send in each window',
    example: '300',
    hasBareOption: true,
  }),
  rate_limit_window: define({
    field: 'rateLimitWindow',
    kind: 'integer',
    section: 'Rate limit',
    schema: count,
    default: 60,
    help: 'Length of the window in seconds',
    example: '60',
    hasBareOption: true,
  }),
  rate_limit_short_requests: define({
    field: 'rateLimitShortRequests',
    kind: 'integer',
    section: 'Rate limit',
    schema: count.nullable(),
    default: 50,
    help: 'API requests an address may send in each short window; None is no burst limit',
    example: '50',
    hasBareOption: true,
  }),
  rate_limit_short_window: define({
    field: 'rateLimitShortWindow',
    kind: 'integer',
    section: 'Rate limit',
    schema: count.nullable(),
    default: 1,
    help: 'Length of the short window in seconds; None is no burst limit',
    example: '1',
    hasBareOption: true,
  }),
  rate_limit_exempt_ips: define({
    field: 'rateLimitExemptIps',
    kind: 'networks',
    section: 'Rate limit',
    schema: z.array(z.string()).readonly().nullable(),
    default: null,
    help: 'Addresses and networks that are never limited; loopback when not set, and a list replaces it',
    example: '["127.0.0.0/8", "::1"]',
    hasBareOption: true,
  }),
} as const;

export const twoServersTable = {
  shared_address: define({
    field: 'sharedAddress',
    kind: 'ipAddress',
    section: 'Two servers',
    schema: z.string().nullable(),
    default: null,
    help: 'IP address that two servers share (keepalived moves it): while this machine does not have it, the lab manager is on standby and sends no notifications',
    example: '10.0.0.10',
  }),
  database_url: define({
    field: 'databaseUrl',
    kind: 'database',
    section: 'Two servers',
    schema: z.string().nullable(),
    default: null,
    help: 'PostgreSQL database (14 or later) that two servers share: it has their history, and makes one of them the leader, which sends the notifications; without it each server has its own history in a file',
    example: 'postgresql://lab:password@db.example.com:5432/lab',
    isSecret: true,
    needsRestart: true,
  }),
  database_retention_days: define({
    field: 'databaseRetentionDays',
    kind: 'integer',
    section: 'Two servers',
    schema: z.int().min(90).max(36_500).nullable(),
    default: 365,
    help: 'Days for which the database keeps the records of the history, at least the 90 days that the pages show; None deletes none',
    example: '730',
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
