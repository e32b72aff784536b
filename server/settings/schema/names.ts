/**
 * The external names of settings, all derived from the table: file keys, environment variables, options, and allowed
 * values.
 */
import { allSettings, type Setting, type SettingName, isOptional } from './table.ts';
import type { SettingKind } from './definition.ts';
import { roles } from '#api/lab/access.ts';
import * as z from 'zod';

/** The group of a file, which decides its possible settings: `settings.*` and `.env` are shared with other managers. */
export type FileGroup = 'shared' | 'lab' | 'context';

/** A recognised key. A key with the `lab_` prefix overrides one without it in the same file. */
interface KnownKey {
  readonly name: SettingName;
  readonly isPrefixed: boolean;
}

/** Keys of a setting in a group of files, the recommended one first. */
export function fileKeys(setting: Setting, group: FileGroup): readonly string[] {
  switch (setting.scope) {
    case 'lab':
      return group === 'context' ? [] : [`lab_${setting.name}`, setting.name];
    case 'address':
      return [setting.name];
    case 'contextOnly':
      return group === 'context' ? [setting.name] : [];
  }
}

/** Environment variable of a setting; `null` if it has none. */
export function envName(setting: Setting): string | null {
  switch (setting.scope) {
    case 'lab':
      return `LAB_${setting.name.toUpperCase()}`;
    case 'address':
      return setting.name.toUpperCase();
    case 'contextOnly':
      return null;
  }
}

/** Options of a setting, the recommended one first. */
export function optionNames(setting: Setting): readonly string[] {
  const kebab = setting.name.replaceAll('_', '-');
  switch (setting.scope) {
    case 'lab':
      return [`--lab-${kebab}`, `--lab_${setting.name}`, ...(setting.hasBareOption ? [`--${setting.name}`] : [])];
    case 'address':
      return [`--${kebab}`, `--${setting.name}`];
    case 'contextOnly':
      return [];
  }
}

const keysByGroup: Readonly<Record<FileGroup, ReadonlyMap<string, KnownKey>>> = {
  shared: createFileIndex('shared'),
  lab: createFileIndex('lab'),
  context: createFileIndex('context'),
};

function createFileIndex(group: FileGroup): ReadonlyMap<string, KnownKey> {
  return new Map(
    allSettings.flatMap((setting) =>
      fileKeys(setting, group).map((key) => [key, { name: setting.name, isPrefixed: key !== setting.name }] as const),
    ),
  );
}

/** The known keys in a group of files. */
export function knownFileKeys(group: FileGroup): readonly string[] {
  return [...keysByGroup[group].keys()];
}

/** The setting of a file's key; keys are case-sensitive, as in MADSci's lab manager. */
export function findByFileKey(key: string, group: FileGroup): KnownKey | null {
  return keysByGroup[group].get(key) ?? null;
}

const settingsByEnvName: ReadonlyMap<string, SettingName> = new Map(
  allSettings.flatMap((setting) => {
    const variable = envName(setting);
    return variable === null ? [] : [[variable, setting.name] as const];
  }),
);

/** The environment variables of all settings. */
export const envNames: readonly string[] = [...settingsByEnvName.keys()];

/** The setting of an environment variable, in any case. */
export function findByEnvName(variable: string): SettingName | null {
  return settingsByEnvName.get(variable.toUpperCase()) ?? null;
}

const settingsByOption: ReadonlyMap<string, SettingName> = new Map(
  allSettings.flatMap((setting) => optionNames(setting).map((option) => [option, setting.name] as const)),
);

/** The options of all settings. */
export const settingOptions: readonly string[] = [...settingsByOption.keys()];

/** The setting of an option. */
export function findByOption(option: string): SettingName | null {
  return settingsByOption.get(option) ?? null;
}

/**
 * Whether a file key, with or without prefix and in any case, has an effect only in MADSci's lab manager. A lab's files may
 * contain such keys, so they cause no warning.
 */
export function isIgnoredKey(key: string): boolean {
  return /^(?:lab_)?(?:(?:manager_type|lab_url|rate_limit_cleanup_interval)$|uvicorn_)/i.test(key);
}

const spellings: Readonly<Record<string, string>> = {
  url: 'URL',
  cors: 'CORS',
  tls: 'TLS',
  id: 'ID',
  ips: 'IPs',
  otel: 'OpenTelemetry',
};

/** The titles of settings whose names don't describe their values. */
const titles: Partial<Record<SettingName, string>> = {
  notify_webhook_url: 'Webhook and e-mail addresses',
  mdns: 'Discovery by mDNS',
  name: 'Name of madsci init',
};

/** A readable name: `event_server_url` → `Event server URL`. */
export function settingTitle(name: SettingName): string {
  const title = titles[name];
  if (title !== undefined) return title;
  const parts = name.split('_').map((word) => spellings[word] ?? word);
  return parts.join(' ').replace(/^./, (letter) => letter.toUpperCase());
}

function rangeText(setting: Setting): string {
  const schema = z.toJSONSchema(setting.schema) as {
    minimum?: number;
    maximum?: number;
    anyOf?: readonly { type?: string; minimum?: number; maximum?: number }[];
  };
  const { minimum, maximum } = schema.anyOf?.find((part) => part.type !== 'null') ?? schema;
  // Without a limit, zod emits the range of safe integers.
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return ` from ${minimum} to ${maximum}`;
  }
  return minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : ` of at least ${minimum}`;
}

const expectedByKind: Readonly<Record<SettingKind, string | ((setting: Setting) => string)>> = {
  url: 'an http or https address without user, password, query or fragment, such as http://localhost:8000',
  host: 'a host name or IP address, without scheme and port',
  hosts: 'a list (in the environment as JSON, or separated by commas) of host names, without scheme and port',
  boolean: 'true or false (also 1/0, yes/no, on/off)',
  integer: (setting) => `a whole number${rangeText(setting)}`,
  number: (setting) => `a number${rangeText(setting)}`,
  text: 'text in one line',
  lines: 'text',
  level: 'DEBUG, INFO, WARNING, ERROR, CRITICAL, or a number from 10 to 50',
  path: 'a directory',
  file: 'a file',
  networks: ({ example }) => `a list (in the environment as JSON) of IP addresses or networks, such as ${example}`,
  ipAddress: ({ example }) => `an IP address, such as ${example}`,
  database:
    'a postgresql address with the name of a database, such as postgresql://lab:password@db.example.com:5432/lab',
  webhooks: 'an http, https, smtp or smtps address, or a list of them (in the environment as JSON)',
  publicKey: 'an Ed25519 public key in one line, as `openssl pkey -pubout` writes it between its first and its last',
  timeZone: 'an IANA time zone such as Europe/Berlin, UTC, or an offset such as +05:30',
  groupRoles: ({ example }) =>
    `a list (in the environment as JSON, or separated by commas) of group=role, with the roles ${roles.join(', ')}, such as ${example}`,
  labs: ({ example }) =>
    `a list (in the environment as JSON, or separated by commas) of addresses of lab managers, each with a name before = if it needs another one, such as ${example}`,
  word: (setting) => `one of ${allowedValues(setting).join(', ')}`,
  words: (setting) =>
    `a list (in the environment as JSON, or separated by commas) of ${allowedValues(setting).join(', ')}`,
  origins: 'a list (in the environment as JSON) of origins, such as ["http://bench4:8000"], or ["*"]',
};

/** The allowed values of a setting: `a whole number from 0 to 65535, or None`. */
export function expectedText(setting: Setting): string {
  const expected = expectedByKind[setting.kind];
  return `${typeof expected === 'string' ? expected : expected(setting)}${isOptional(setting) ? ', or None' : ''}`;
}

/** The fixed values of a setting, from its schema; empty if others are allowed too. */
export function allowedValues({ schema }: Setting): readonly string[] {
  const { enum: enumValues, items } = z.toJSONSchema(schema, { io: 'input' });
  const values = enumValues ?? (typeof items === 'object' && !Array.isArray(items) ? items.enum : undefined);
  return (values ?? []).map(String);
}
