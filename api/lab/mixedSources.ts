/** Whether `/context` may mix the addresses of two labs. Pure. */
import { contextKey, managerKeys } from '../managers.ts';
import type { SettingOrigin } from './lab.ts';

export interface MixedSources {
  /** Addresses from the user configuration: entered, perhaps for another lab. */
  readonly entered: readonly string[];
  /** What the lab's own files say of it. */
  readonly own: readonly string[];
}

const addressNames = managerKeys.map(contextKey);

/**
 * Addresses from the user configuration beside settings that the lab's own files give: they may be of another lab.
 * @param sources where each setting is from, by its unprefixed name
 * @returns `null` where they are not mixed
 */
export function mixedSources(sources: Readonly<Record<string, Pick<SettingOrigin, 'place'>>>): MixedSources | null {
  const from = (names: readonly string[], place: SettingOrigin['place']) =>
    names.filter((name) => sources[name]?.place === place);
  const entered = from(addressNames, 'user');
  const own = from([...addressNames, 'server_url', 'manager_name'], 'lab');
  return entered.length > 0 && own.length > 0 ? { entered, own } : null;
}

/** Both lists in a sentence without a full stop. */
export function mixedText({ entered, own }: MixedSources): string {
  const verb = (names: readonly string[]): string => (names.length === 1 ? 'comes' : 'come');
  return (
    `${entered.join(', ')} ${verb(entered)} from the user configuration, but ${own.join(', ')} ${verb(own)} from the ` +
    `lab’s own files: the addresses may be those of two labs`
  );
}
