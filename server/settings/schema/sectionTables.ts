/**
 * The rows of the table of settings for other labs, notifications, remote access, OpenTelemetry, the rate limit, two
 * servers, and the time zones of the managers' hosts. Source: the settings of MADSci 0.8.1's lab manager, and our own.
 */
import * as z from 'zod';
import { remoteAccessModes, remoteStopModes } from '#api/lab/relay.ts';
import { notificationKinds } from '../../channels/channel.ts';
import { webhookFormats } from '../../channels/webhookFormats.ts';
import { defineIn } from './definition.ts';
import { isTimeZone } from '#api/time/time.ts';

const lab = defineIn('Lab');
const notifications = defineIn('Notifications');
const remoteAccess = defineIn('Remote access');
const openTelemetry = defineIn('OpenTelemetry');
const rateLimit = defineIn('Rate limit');
const twoServers = defineIn('Two servers');
const timeZones = defineIn('Time zones');
const otelExporters = ['console', 'otlp', 'none'] as const;
const otelProtocols = ['grpc', 'http'] as const;

export const otherLabsTable = {
  fleet: lab({
    kind: 'labs',
    schema: z.array(z.string()).readonly(),
    default: [],
    help: 'Lab managers whose labs the page /fleet shows on one screen, each read every 15 s; the page is not offered when empty',
    example: '["http://bench4:8000", "Cell culture=http://lab-pc:8000"]',
  }),
  mdns: lab({
    kind: 'boolean',
    schema: z.boolean(),
    default: true,
    help: 'Whether other lab managers in the network find this one by mDNS, where it listens on more than loopback, and the app searches for them',
    example: 'true',
  }),
} as const;

export const notificationTable = {
  notify_webhook_url: notifications({
    kind: 'webhooks',
    schema: z.array(z.string()).max(10).readonly(),
    default: [],
    help: 'Addresses that notifications are sent to: webhooks (http, https), and mail servers with sender and recipients (smtp://user:password@mail.example.com:587/?from=lab@example.com&to=ann@example.com); anybody who knows such an address can use it, so it is shown shortened',
    example: 'https://hooks.example.com/services/T000/B000/XXXX',
    isSecret: true,
  }),
  notify_events: notifications({
    kind: 'words',
    schema: z.array(z.enum(notificationKinds)).readonly(),
    default: ['lab', 'manager', 'node', 'workflow_failed', 'step_overdue'],
    help: 'The events that cause a notification',
    example: '["lab", "node", "workflow_failed", "workflow_finished"]',
  }),
  notify_format: notifications({
    kind: 'word',
    schema: z.enum(webhookFormats),
    default: 'json',
    help: 'Format of webhook messages: our own JSON; that of Slack, Mattermost and Discord (with /slack at the end of its address); that of Teams; or that of ntfy',
    example: 'slack',
  }),
  notify_reminder_hours: notifications({
    kind: 'number',
    schema: z.number().min(0).max(720),
    default: 4,
    help: 'Hours between the reminders of a reported outage that lasts; 0 sends no reminder',
    example: '24',
  }),
  notify_idempotent_receivers: notifications({
    kind: 'boolean',
    schema: z.boolean(),
    default: false,
    help: 'Whether every receiver discards a message with a known Idempotency-Key header; only then is a message without a response sent again after it was sent completely',
    example: 'true',
  }),
} as const;

export const remoteAccessTable = {
  remote_access: remoteAccess({
    kind: 'word',
    schema: z.enum(remoteAccessModes),
    default: 'off',
    help: 'What other machines may do with the managers through the lab manager: nothing, read them, or command them too',
    example: 'view',
  }),
  remote_stop: remoteAccess({
    kind: 'word',
    schema: z.enum(remoteStopModes),
    default: 'users',
    help: 'Who may send the safety stop from other machines: signed-in operators (with remote access), or everyone who can open a page of the lab manager',
    example: 'everyone',
  }),
  tls_cert_file: remoteAccess({
    isMachineSpecific: true,
    kind: 'file',
    schema: z.string().nullable(),
    default: null,
    help: 'PEM file with the TLS certificate of this machine and its chain; with it the port accepts https besides http, and it is read again when it is renewed',
    example: '/etc/lab-manager/tls/fullchain.pem',
  }),
  tls_key_file: remoteAccess({
    isMachineSpecific: true,
    kind: 'file',
    schema: z.string().nullable(),
    default: null,
    help: 'PEM file with the private key of LAB_TLS_CERT_FILE, where that file does not contain it',
    example: '/etc/lab-manager/tls/privkey.pem',
  }),
  proxy_roles: remoteAccess({
    kind: 'groupRoles',
    schema: z.array(z.string()).max(100).readonly(),
    default: [],
    help: 'Roles of the groups in the Remote-Groups header of a proxy in LAB_TRUSTED_PROXY that signs users in; * is every user, and without it the proxy’s Remote-User counts for nothing',
    example: '["lab-admins=administrator", "lab-staff=operator", "*=viewer"]',
  }),
} as const;

/** As MADSci's managers have them, each with its own prefix. */
export const openTelemetryTable = {
  otel_enabled: openTelemetry({
    kind: 'boolean',
    schema: z.boolean(),
    default: false,
    help: 'Whether requests that are relayed to the managers are traced with OpenTelemetry',
    example: 'true',
    hasBareOption: true,
  }),
  otel_service_name: openTelemetry({
    kind: 'text',
    schema: z.string().nullable(),
    default: null,
    help: 'Name of this service in traces and logs; when not set, OTEL_SERVICE_NAME or madsci.labmanager',
    example: 'bench4.labmanager',
    hasBareOption: true,
  }),
  otel_exporter: openTelemetry({
    kind: 'word',
    schema: z.enum(otelExporters),
    default: 'console',
    help: 'Where traces go: to the log of the lab manager, together with its log records to an OTLP collector, or nowhere; the managers receive the IDs of the traces in each case',
    example: 'otlp',
    hasBareOption: true,
  }),
  otel_endpoint: openTelemetry({
    kind: 'url',
    schema: z.string().meta({ format: 'uri' }).nullable(),
    default: null,
    help: 'Address of the OTLP collector; when not set, OTEL_EXPORTER_OTLP_ENDPOINT',
    example: 'http://collector:4317/',
    hasBareOption: true,
  }),
  otel_protocol: openTelemetry({
    kind: 'word',
    schema: z.enum(otelProtocols),
    default: 'grpc',
    help: 'Protocol of the OTLP collector: gRPC, usually at port 4317, or HTTP with protobuf, usually at port 4318',
    example: 'http',
    hasBareOption: true,
  }),
} as const;

const count = z.int().min(1);

export const rateLimitTable = {
  rate_limit_enabled: rateLimit({
    kind: 'boolean',
    schema: z.boolean(),
    default: true,
    help: 'Whether API requests are limited for each address; static files never are',
    example: 'true',
    hasBareOption: true,
  }),
  rate_limit_requests: rateLimit({
    kind: 'integer',
    schema: count,
    default: 300,
    help: 'API requests an address may send in each window',
    example: '300',
    hasBareOption: true,
  }),
  rate_limit_window: rateLimit({
    kind: 'integer',
    schema: count,
    default: 60,
    help: 'Length of the window in seconds',
    example: '60',
    hasBareOption: true,
  }),
  rate_limit_short_requests: rateLimit({
    kind: 'integer',
    schema: count.nullable(),
    default: 50,
    help: 'API requests an address may send in each short window; None is no burst limit',
    example: '50',
    hasBareOption: true,
  }),
  rate_limit_short_window: rateLimit({
    kind: 'integer',
    schema: count.nullable(),
    default: 1,
    help: 'Length of the short window in seconds; None is no burst limit',
    example: '1',
    hasBareOption: true,
  }),
  rate_limit_exempt_ips: rateLimit({
    kind: 'networks',
    schema: z.array(z.string()).readonly().nullable(),
    default: null,
    help: 'Addresses and networks that are never limited; loopback when not set, and a list replaces it',
    example: '["127.0.0.0/8", "::1"]',
    hasBareOption: true,
  }),
} as const;

export const twoServersTable = {
  shared_address: twoServers({
    kind: 'ipAddress',
    schema: z.string().nullable(),
    default: null,
    help: 'IP address that two servers share (keepalived moves it): while this machine does not have it, the lab manager is on standby and sends no notifications',
    example: '10.0.0.10',
  }),
  database_url: twoServers({
    kind: 'database',
    schema: z.string().nullable(),
    default: null,
    help: 'PostgreSQL database (14 or later) that two servers share: it has their history, and makes one of them the leader, which sends the notifications; without it each server has its own history in a file',
    example: 'postgresql://lab:password@db.example.com:5432/lab',
    isSecret: true,
    needsRestart: true,
  }),
  database_retention_days: twoServers({
    kind: 'integer',
    schema: z.int().min(90).max(36_500).nullable(),
    default: 365,
    help: 'Days for which the database keeps the records of the history, at least the 90 days that the pages show; None deletes none',
    example: '730',
  }),
} as const;

const schema = z.string().refine(isTimeZone).nullable();

/** The time zone of one manager. The resource manager has none, because its naive times are UTC. */
function timeZone(title: string) {
  return timeZones({
    kind: 'timeZone',
    schema,
    default: null,
    help: `Time zone of the ${title} manager’s host, where it is not LAB_TIME_ZONE`,
    example: 'America/Chicago',
  });
}

export const timeZoneTable = {
  time_zone: timeZones({
    kind: 'timeZone',
    schema,
    default: null,
    help: 'Time zone of the managers’ hosts, whose times have none; when not set, it is measured by their records',
    example: 'Europe/Berlin',
  }),
  event_time_zone: timeZone('event'),
  experiment_time_zone: timeZone('experiment'),
  data_time_zone: timeZone('data'),
  workcell_time_zone: timeZone('workcell'),
  location_time_zone: timeZone('location'),
} as const;
