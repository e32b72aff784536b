/**
 * The spellings of a setting in each source, all derived from the table: file keys, environment variables, options.
 */
import { allSettings, type Setting, type SettingName } from './table.ts';

/** Which settings a file may hold: `settings.*` and `.env` are shared with other managers. */
export type FileGroup = 'shared' | 'lab' | 'context';

/** A key that was recognised, and whether it carried the `lab_` prefix (which wins within one file). */
export interface KnownKey {
  readonly name: SettingName;
  readonly prefixed: boolean;
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

/** Environment variable of a setting; `null` when it has none. */
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
      return [`--lab-${kebab}`, `--lab_${setting.name}`, ...(setting.bareOption ? [`--${setting.name}`] : [])];
    case 'address':
      return [`--${kebab}`, `--${setting.name}`];
    case 'contextOnly':
      return [];
  }
}

const indexes: Readonly<Record<FileGroup, ReadonlyMap<string, KnownKey>>> = {
  shared: fileIndex('shared'),
  lab: fileIndex('lab'),
  context: fileIndex('context'),
};

function fileIndex(group: FileGroup): ReadonlyMap<string, KnownKey> {
  return new Map(
    allSettings.flatMap((setting) =>
      fileKeys(setting, group).map((key) => [key, { name: setting.name, prefixed: key !== setting.name }] as const),
    ),
  );
}

/** Keys that mean something in a group of files. */
export function knownFileKeys(group: FileGroup): readonly string[] {
  return [...indexes[group].keys()];
}

/** The setting that a key of a file stands for; keys are case-sensitive, as the real service takes them. */
export function findFileKey(key: string, group: FileGroup): KnownKey | null {
  return indexes[group].get(key) ?? null;
}

const environment: ReadonlyMap<string, SettingName> = new Map(
  allSettings.flatMap((setting) => {
    const variable = envName(setting);
    return variable === null ? [] : [[variable, setting.name] as const];
  }),
);

/** Every environment variable that is a setting. */
export const envNames: readonly string[] = [...environment.keys()];

/** The setting of an environment variable, in any case. */
export function findEnvName(variable: string): SettingName | null {
  return environment.get(variable.toUpperCase()) ?? null;
}

const options: ReadonlyMap<string, SettingName> = new Map(
  allSettings.flatMap((setting) => optionNames(setting).map((option) => [option, setting.name] as const)),
);

/** Every option that is a setting. */
export const settingOptions: readonly string[] = [...options.keys()];

/** The setting of an option. */
export function findOption(option: string): SettingName | null {
  return options.get(option) ?? null;
}

/** Whether a file key, with or without prefix and in any case, belongs to the real service alone. */
export function isSilentKey(key: string): boolean {
  const name = key.toLowerCase();
  return isSilentName(name) || (name.startsWith('lab_') && isSilentName(name.slice('lab_'.length)));
}

const spelled: Readonly<Record<string, string>> = { url: 'URL', cors: 'CORS', id: 'ID', ips: 'IPs' };

/** A name as a person reads it: `event_server_url` → `Event server URL`. */
export function settingTitle(name: SettingName): string {
  const words = name.split('_').map((word) => spelled[word] ?? word);
  return words.join(' ').replace(/^./, (letter) => letter.toUpperCase());
}

/**
 * Settings of the real service that mean nothing to ours; a lab's files may have them, so nobody is warned. `*` at the
 * end stands for any rest.
 */
const ignoredSettings = ['manager_type', 'lab_url', 'rate_limit_cleanup_interval', 'uvicorn_*', 'otel_*'] as const;

/** Whether an unprefixed name belongs to the real service alone. */
function isSilentName(name: string): boolean {
  return ignoredSettings.some((silent) =>
    silent.endsWith('*') ? name.startsWith(silent.slice(0, -1)) : name === silent,
  );
}
