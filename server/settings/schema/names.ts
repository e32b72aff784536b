/**
 * The external names of settings, all derived from the table: file keys, environment variables, options, and allowed
 * values.
 */
import { allSettings, type Setting, type SettingName, isOptional } from './table.ts';
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

/** Whether a file key, with or without prefix and in any case, belongs only to MADSci's lab manager. */
export function isIgnoredKey(key: string): boolean {
  const name = key.toLowerCase();
  return isIgnoredName(name) || (name.startsWith('lab_') && isIgnoredName(name.slice('lab_'.length)));
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

/**
 * Settings of MADSci's lab manager that have no effect here. A lab's files may contain them, so they cause no warning. `*`
 * at the end matches any suffix.
 */
const ignoredSettings = ['manager_type', 'lab_url', 'rate_limit_cleanup_interval', 'uvicorn_*'] as const;

/** Whether an unprefixed name belongs only to MADSci's lab manager. */
function isIgnoredName(name: string): boolean {
  return ignoredSettings.some((ignored) =>
    ignored.endsWith('*') ? name.startsWith(ignored.slice(0, -1)) : name === ignored,
  );
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

function expectedForKind(setting: Setting): string {
  switch (setting.kind) {
    case 'url':
      return 'an http or https address without user, password, query or fragment, such as http://localhost:8000';
    case 'host':
      return 'a host name or IP address, without scheme and port';
    case 'hosts':
      return 'a list (in the environment as JSON, or separated by commas) of host names, without scheme and port';
    case 'boolean':
      return 'true or false (also 1/0, yes/no, on/off)';
    case 'integer':
      return `a whole number${rangeText(setting)}`;
    case 'number':
      return `a number${rangeText(setting)}`;
    case 'text':
      return 'text in one line';
    case 'lines':
      return 'text';
    case 'level':
      return 'DEBUG, INFO, WARNING, ERROR, CRITICAL, or a number from 10 to 50';
    case 'path':
      return 'a directory';
    case 'file':
      return 'a file';
    case 'networks':
      return `a list (in the environment as JSON) of IP addresses or networks, such as ${setting.example}`;
    case 'ipAddress':
      return `an IP address, such as ${setting.example}`;
    case 'database':
      return 'a postgresql address with the name of a database, such as postgresql://lab:password@db.example.com:5432/lab';
    case 'webhooks':
      return 'an http, https, smtp or smtps address, or a list of them (in the environment as JSON)';
    case 'publicKey':
      return 'an Ed25519 public key in one line, as `openssl pkey -pubout` writes it between its first and its last';
    case 'timeZone':
      return 'an IANA time zone such as Europe/Berlin, UTC, or an offset such as +05:30';
    case 'groupRoles':
      return `a list (in the environment as JSON, or separated by commas) of group=role, with the roles ${roles.join(', ')}, such as ${setting.example}`;
    case 'labs':
      return `a list (in the environment as JSON, or separated by commas) of addresses of lab managers, each with a name before = if it needs another one, such as ${setting.example}`;
    case 'word':
      return `one of ${allowedValues(setting).join(', ')}`;
    case 'words':
      return `a list (in the environment as JSON, or separated by commas) of ${allowedValues(setting).join(', ')}`;
    case 'origins':
      return 'a list (in the environment as JSON) of origins, such as ["http://bench4:8000"], or ["*"]';
  }
}

/** The allowed values of a setting: `a whole number from 0 to 65535, or None`. */
export function expectedText(setting: Setting): string {
  return `${expectedForKind(setting)}${isOptional(setting) ? ', or None' : ''}`;
}

/** The fixed values of a setting, from its schema; empty if others are allowed too. */
export function allowedValues({ schema }: Setting): readonly string[] {
  const { enum: enumValues, items } = z.toJSONSchema(schema, { io: 'input' });
  const values = enumValues ?? (typeof items === 'object' && !Array.isArray(items) ? items.enum : undefined);
  return (values ?? []).map(String);
}
