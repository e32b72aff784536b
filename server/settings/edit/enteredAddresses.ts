/** Addresses in the user configuration: they belong to the lab they were entered for, and can be set aside for another one. */
import { managerKeys, contextKey } from '../../../api/managers.ts';
import { readSources } from '../load/sources.ts';
import { plainValue } from '../parse/values.ts';
import { settingTitle } from '../schema/names.ts';
import { settingOf } from '../schema/table.ts';
import type { SettingsInputs } from '../schema/types.ts';
import { applyPlan, type Undo } from './save.ts';
import type { EnteredAddresses } from './messages.ts';
import { whyUnwritable } from '../load/settingsFile.ts';
import { backupOf, editedFiles, removals } from './plan.ts';

/** @returns the addresses that the user configuration holds, also those that a file of the lab hides */
export async function enteredAddresses(inputs: SettingsInputs): Promise<EnteredAddresses> {
  const { layers, found } = await readSources(inputs);
  const own = new Set(found.filter(({ place }) => place === 'user').map(({ path }) => path));
  const addresses = layers.flat().flatMap(({ name, raw, origin }) => {
    const isAddress = managerKeys.some((key) => contextKey(key) === name);
    const isEntered = isAddress && origin.path !== null && own.has(origin.path);
    return isEntered ? [{ title: settingTitle(name), value: String(plainValue(raw)), file: origin.path ?? '' }] : [];
  });
  return { addresses };
}

/**
 * Removes them there; the previous version of each file is kept beside it.
 * @throws Error in words, with nothing changed
 */
export async function setAsideAddresses(inputs: SettingsInputs): Promise<{ undo: Undo; backups: readonly string[] }> {
  const sources = await readSources(inputs);
  const user = { ...sources, found: sources.found.filter(({ place }) => place === 'user') };
  const changes = managerKeys.map((key) => {
    const setting = settingOf(contextKey(key));
    return { setting, meaning: { kind: 'default' } as const, edits: removals(setting, user) };
  });
  const { files, refused } = await editedFiles(changes, whyUnwritable);
  const [first] = refused;
  if (first !== undefined) throw new Error(`The addresses were not set aside. ${first.why} ${first.whatWorks}`);
  const undo = await applyPlan(inputs, { files, wanted: new Map(), refused: [], notes: [] });
  return { undo, backups: files.map(({ path }) => backupOf(path)) };
}
