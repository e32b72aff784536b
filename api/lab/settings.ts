/** The body of the lab manager's own `GET /settings`, and the detection of addresses that may be those of two labs. */
import * as z from 'zod/mini';
import { contextKey, managerKeys, type ManagerKey } from '../managers.ts';
import { delivery } from './lab.ts';

/** The origin of a setting's value: file name and line, never a full path. */
const settingOrigin = z.object({
  source: z.enum([
    'command line',
    'argument',
    'environment',
    'dotenv',
    'json',
    'toml',
    'yaml',
    'registry',
    'default',
    'generated',
  ]),
  /** The name in the source: an option, a variable, a key. */
  name: z.nullable(z.string()),
  file: z.nullable(z.string()),
  line: z.nullable(z.int()),
  /**
   * For a file: one of the lab's, found from its folder, or one of the user configuration. Missing from an older service.
   */
  place: z.optional(z.enum(['lab', 'user'])),
});
export type SettingOrigin = z.infer<typeof settingOrigin>;

/** `/lab/settings.yaml, line 3`, `the environment variable LAB_SERVER_URL`. @param origin with the full path of its file */
export function originText(
  origin: (Pick<SettingOrigin, 'source' | 'name' | 'line'> & { readonly path: string | null }) | undefined,
): string {
  const { source = 'default', name = null, path = null, line = null } = origin ?? {};
  if (path !== null) return line === null ? path : `${path}, line ${line}`;
  if (source === 'environment') return `the environment variable ${name}`;
  return source === 'command line' || source === 'argument' ? `the command line (${name})` : 'the default';
}

/**
 * Reports whether the lab manager's ID is the one that MADSci's ID registry stores for its name, and if not, why and since
 * when (ISO 8601 UTC). `holder` is the process that uses the ID instead.
 */
const identityReport = z.object({
  name: z.string(),
  settled: z.boolean(),
  problem: z.nullable(z.string()),
  holder: z.nullable(z.object({ host: z.string(), pid: z.number(), since: z.string() })),
  since: z.string(),
});
export type IdentityReport = z.infer<typeof identityReport>;

/** Body of `GET /settings`. `sources`, `identity` and `deliveries` are additions; the rest is as in MADSci's lab manager. */
export const settingsResponse = z.object({
  settings: z.record(z.string(), z.unknown()),
  sources: z.record(z.string(), settingOrigin),
  /** Missing if the settings contain the ID, or disable its resolution. */
  identity: z.optional(identityReport),
  /** The receivers of notifications; missing if the settings contain none. */
  deliveries: z.optional(z.array(delivery)),
  schema: z.optional(z.record(z.string(), z.unknown())),
  schema_title: z.optional(z.string()),
});
export type SettingsResponse = z.infer<typeof settingsResponse>;

export interface MixedSources {
  /** Addresses from the user configuration, possibly entered for another lab. */
  readonly userAddresses: readonly string[];
  /** The settings in the lab's own files. */
  readonly labSettings: readonly string[];
}

const addressNames = managerKeys.map(contextKey);

/**
 * Detects addresses from the user configuration together with settings from the lab's own files: they may belong to
 * another lab.
 * @param sources the source of each setting, by its unprefixed name
 * @returns `null` if they are not mixed
 */
export function findMixedSources(sources: Readonly<Record<string, Pick<SettingOrigin, 'place'>>>): MixedSources | null {
  const from = (names: readonly string[], place: SettingOrigin['place']) =>
    names.filter((name) => sources[name]?.place === place);
  const userAddresses = from(addressNames, 'user');
  const labSettings = from([...addressNames, 'server_url', 'manager_name'], 'lab');
  return userAddresses.length > 0 && labSettings.length > 0 ? { userAddresses, labSettings } : null;
}

/** Describes both lists in a sentence without a full stop. */
export function describeMixedSources({ userAddresses, labSettings: labNames }: MixedSources): string {
  const verb = (names: readonly string[]): string => (names.length === 1 ? 'comes' : 'come');
  return (
    `${userAddresses.join(', ')} ${verb(userAddresses)} from the user configuration, but ${labNames.join(', ')} ${verb(labNames)} from the ` +
    `lab’s own files: the addresses may be those of two labs`
  );
}

/**
 * The addresses that no source sets, in a lab that sets others: a default is an address of this machine, where another lab's
 * manager may respond.
 * @param sources the source of each setting, by its unprefixed name
 */
export function findUnsetAddresses(
  sources: Readonly<Record<string, Pick<SettingOrigin, 'source'>>>,
): readonly string[] {
  return findManagersWithUnsetAddress(sources).map(contextKey);
}

/** The managers of these addresses. */
export function findManagersWithUnsetAddress(
  sources: Readonly<Record<string, Pick<SettingOrigin, 'source'>>>,
): readonly ManagerKey[] {
  const known = managerKeys.filter((manager) => sources[contextKey(manager)] !== undefined);
  const unset = known.filter((manager) => sources[contextKey(manager)]?.source === 'default');
  return unset.length < known.length ? unset : [];
}

/** Describes unset addresses in a sentence without a full stop. */
export function describeUnsetAddresses(names: readonly string[]): string {
  return names.length === 1
    ? `${names.join()} is not set, so its default at localhost applies, which may be another lab’s`
    : `${names.join(', ')} are not set, so their defaults at localhost apply, which may be another lab’s`;
}
