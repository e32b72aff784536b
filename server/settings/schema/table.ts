/**
 * The single table of settings. Parsing, `--help`, the documentation, the template file and the JSON schema derive from
 * it (`names.ts`, `values.ts`, `report.ts`); no setting is defined outside it. Source: the settings of MADSci 0.8.1's lab
 * manager, and our own.
 */
import * as z from 'zod';
import {
  createManagerAddressRecord,
  defaultManagerUrl,
  defaultPorts,
  managerName,
  type ManagerKey,
} from '#api/managers.ts';
import { logLevels } from '../../logging/log.ts';
import { defineIn, type Definition } from './definition.ts';
import {
  notificationTable,
  openTelemetryTable,
  otherLabsTable,
  rateLimitTable,
  remoteAccessTable,
  timeZoneTable,
  twoServersTable,
} from './sectionTables.ts';

const serviceAddresses = defineIn('Service addresses');
const lab = defineIn('Lab');
const listening = defineIn('Listening');
const dashboard = defineIn('Dashboard');
const logging = defineIn('Logging');
const updates = defineIn('Updates');
const url = z.string().meta({ format: 'uri' });

function defineAddress(key: ManagerKey) {
  const defaultUrl = defaultManagerUrl(key);
  return serviceAddresses({
    scope: 'address',
    kind: 'url',
    schema: url.nullable(),
    default: defaultUrl,
    help: `Address of the ${managerName(key).toLowerCase()} manager; None when the lab has none`,
    example: defaultUrl,
  });
}

export const settingsTable = {
  server_url: lab({
    isMachineSpecific: true,
    kind: 'url',
    schema: url,
    default: `http://localhost:${defaultPorts.lab}/`,
    help: 'Address of the lab manager; the service listens on its port, and /context returns it as lab_server_url',
    example: 'http://localhost:8000/',
    hasBareOption: true,
    needsRestart: true,
  }),
  manager_name: lab({
    kind: 'text',
    schema: z.string().nullable(),
    default: null,
    help: 'Name of the lab, shown in titles',
    example: 'Bench 4',
    hasBareOption: true,
  }),
  name: lab({
    kind: 'text',
    schema: z.string().nullable(),
    default: null,
    help: 'Name of the lab as `madsci init` writes it, shown in titles when LAB_MANAGER_NAME is not set',
    example: 'bench_4',
  }),
  manager_description: lab({
    kind: 'lines',
    schema: z.string().nullable(),
    default: null,
    help: 'A sentence about the lab',
    example: 'Liquid handling, building 12',
    hasBareOption: true,
  }),
  manager_id: lab({
    kind: 'text',
    schema: z.string().nullable(),
    default: null,
    help: 'Identifier of this lab manager; when not set, the one that MADSci’s ID registry keeps for its name',
    example: '01JAR5ZV1XJ6W3C1V5T0F2N8QY',
    hasBareOption: true,
  }),
  enable_registry_resolution: lab({
    kind: 'boolean',
    schema: z.boolean(),
    default: true,
    help: 'Whether the identifier is stored in MADSci’s ID registry (registry.json in the .madsci folder, or the file of MADSCI_REGISTRY_PATH); if false, each start uses a new one',
    example: 'true',
    hasBareOption: true,
  }),
  registry_lock_timeout: lab({
    kind: 'number',
    schema: z.number().min(0).max(86_400),
    default: 60,
    help: 'Seconds for which an identifier that another process uses, or used before it was killed, is requested every 2 s, after that every 10 s; meanwhile the lab manager reports that its identity is not settled, and uses a temporary identifier',
    example: '60',
    hasBareOption: true,
  }),
  watch_interval: lab({
    kind: 'number',
    schema: z.number().min(1).max(3600),
    default: 5,
    help: 'Seconds between two checks of the same manager',
    example: '5',
  }),
  metrics: lab({
    kind: 'boolean',
    schema: z.boolean(),
    default: true,
    help: 'Whether /metrics serves the state of the lab and of this service for Prometheus',
    example: 'true',
  }),
  ...otherLabsTable,
  advertised_host: lab({
    kind: 'host',
    schema: z.string().nullable(),
    default: null,
    help: 'Host name that replaces loopback hosts in the responses of /context to other machines; auto is the address at which they reached the service',
    example: 'auto',
  }),
  listen_host: listening({
    isMachineSpecific: true,
    kind: 'host',
    schema: z.string().nullable(),
    default: null,
    help: 'Interface to listen on, besides loopback; all interfaces when not set',
    example: '127.0.0.1',
    needsRestart: true,
  }),
  listen_port: listening({
    isMachineSpecific: true,
    kind: 'integer',
    schema: z.int().min(0).max(65535).nullable(),
    default: null,
    help: 'Port to listen on when it is not the one of LAB_SERVER_URL (behind a proxy); 0 is any free port',
    example: '8000',
    needsRestart: true,
  }),
  cors_allowed_origins: listening({
    kind: 'origins',
    schema: z.array(z.string()).readonly(),
    default: ['*'],
    help: 'Origins whose pages may read the API, as browsers send them (scheme://host[:port]); * allows all',
    example: '["*"]',
  }),
  allowed_hosts: listening({
    kind: 'hosts',
    schema: z.array(z.string()).readonly(),
    default: [],
    help: 'Additional names under which the service is reached, besides those of this machine, LAB_SERVER_URL and LAB_ADVERTISED_HOST; used if LAB_CORS_ALLOWED_ORIGINS restricts the origins',
    example: '["lab.example.org"]',
  }),
  trusted_proxy: listening({
    kind: 'networks',
    schema: z.array(z.string()).readonly(),
    default: [],
    help: 'Addresses and networks of proxies in front of this service, whose headers X-Forwarded-For and X-Forwarded-Proto identify the client; without this setting, all clients behind a proxy count as the proxy',
    example: '["127.0.0.1", "::1"]',
  }),
  dashboard_files_path: dashboard({
    kind: 'path',
    schema: z.string().nullable(),
    default: null,
    help: "Directory of built dashboard files; not set is the bundled dashboard, None is no dashboard. ~ is the home directory, .madsci/ the lab's own; otherwise a relative path starts at the directory of the file that has it, and at the current directory on the command line and in the environment",
    example: './ui/dist',
    hasBareOption: true,
  }),
  ...notificationTable,
  verbose: logging({
    kind: 'boolean',
    schema: z.boolean(),
    default: false,
    help: 'Whether everything is also logged on the console, as with log level DEBUG',
    example: 'true',
  }),
  log_level: logging({
    kind: 'level',
    schema: z.enum(logLevels),
    default: 'INFO',
    help: 'Minimum level that is logged: DEBUG, INFO, WARNING, ERROR, CRITICAL, or 10 to 50',
    example: 'INFO',
  }),
  update_feed: updates({
    kind: 'url',
    schema: url.nullable(),
    default: null,
    help: 'Address of a folder with packages of this app and the list of them (latest.yml, latest-mac.yml, latest-linux.yml); the desktop app checks it for newer versions; no checks when not set',
    example: 'https://files.example.org/lab-manager/',
  }),
  update_public_key: updates({
    kind: 'publicKey',
    schema: z.string().nullable(),
    default: null,
    help: 'Key that the list of packages must be signed with; the signature is next to it (latest-linux.yml.sig); without this setting no signature is required',
    example: 'MCowBQYDK2VwAyEAVBuZPaCYXtLmVfNnVvaqgsgvWWQqUyGGX7fzx2DEg0E=',
  }),
  ...remoteAccessTable,
  ...openTelemetryTable,
  ...twoServersTable,
  ...rateLimitTable,
  ...timeZoneTable,
  ...createManagerAddressRecord(defineAddress),
  lab_server_url: serviceAddresses({
    scope: 'contextOnly',
    kind: 'url',
    schema: url.nullable(),
    default: null,
    help: 'In a context.* file only: the address that /context returns for the lab manager, if it is not LAB_SERVER_URL',
    example: 'http://lab.example:8000/',
  }),
} as const;

/** Unprefixed name of a setting, as in MADSci's lab manager: `server_url`; `event_server_url` for addresses. */
export type SettingName = keyof typeof settingsTable;

/** The type of a setting's parsed value. */
type SettingValue<Name extends SettingName> = z.output<(typeof settingsTable)[Name]['schema']>;
export type SettingValues = { [Name in SettingName]: SettingValue<Name> };

/** A row of the table, for code that handles any setting. */
export interface Setting extends Definition<z.ZodType> {
  readonly name: SettingName;
}

export const settingNames = Object.keys(settingsTable) as readonly SettingName[];

/** The rows in the table's order. */
export const allSettings: readonly Setting[] = settingNames.map((name) => getSetting(name));

/** The row of a name. */
export function getSetting(name: SettingName): Setting {
  return { name, ...settingsTable[name] };
}

/** Whether "none" is a valid value of this setting. */
export function isOptional(setting: Setting): boolean {
  return setting.schema.safeParse(null).success;
}
