/**
 * Saving settings from the app where they have effect (`saveTarget`). What is saved is read back; where something else outranks it, nothing stays written and it says what does.
 */
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { loadSettings } from '../load/load.ts';
import { readSources, saveTarget } from '../load/sources.ts';
import { settingNames } from '../schema/table.ts';
import type { EffectiveSetting, Origin, SettingsInputs } from '../schema/types.ts';
import { existingText, refused, replaceSettingsFile, SettingsWriteError } from '../load/settingsFile.ts';
import { inTurn } from './writeQueue.ts';
import { writeSetting, type SettingChange } from './write.ts';

/**
 * Writes the settings and reads them back.
 *
 * @returns the whole path of the file they are in
 * @throws {SettingsWriteError} with nothing changed: the file can't be written, or something that ranks before it sets
 *   the same. When that couldn't be put back, it says so
 */
export function saveSettings(
  inputs: SettingsInputs,
  changes: Readonly<Record<string, SettingChange>>,
): Promise<string> {
  return inTurn(() => save(inputs, changes));
}

async function save(inputs: SettingsInputs, changes: Readonly<Record<string, SettingChange>>): Promise<string> {
  const target = await targetOf(inputs, Object.keys(changes));
  const before = await existingText(target);
  const path = await writeSetting(dirname(target), changes);
  const after = await loadSettings(inputs);
  const winner = after.ok ? after.effective.find((setting) => isOutranked(setting, changes, target)) : undefined;
  if (winner === undefined) return path;
  try {
    if (before === null) await rm(path, { force: true });
    else await replaceSettingsFile(path, before);
  } catch (error) {
    const { reason, message } = error instanceof SettingsWriteError ? error : refused(error, path);
    const words = `${winner.name} is set by ${originWords(winner.origin)}. ${path} has the new value, and could not be put back (${message})`;
    throw new SettingsWriteError(reason, path, words);
  }
  throw new SettingsWriteError(
    'outranked',
    target,
    `Not saved: ${winner.name} is set by ${originWords(winner.origin)}, which ranks before ${target}. Change it there`,
  );
}

/** The one file of all changes: where one of them is the lab's, the lab's. */
async function targetOf(inputs: SettingsInputs, keys: readonly string[]): Promise<string> {
  const sources = await readSources(inputs);
  const targets = settingNames.filter((name) => keys.includes(name)).map((name) => saveTarget(name, sources));
  return (
    targets.find((target) => target !== sources.targets.machine) ??
    sources.targets[targets.length > 0 ? 'machine' : 'lab']
  );
}

/** Whether somebody else than `target` decides on a setting that was just given a value in it. */
function isOutranked(
  { name, origin }: EffectiveSetting,
  changes: Readonly<Record<string, SettingChange>>,
  target: string,
): boolean {
  const change = changes[name];
  return change !== undefined && change !== null && origin.path !== target;
}

/** `the environment variable LAB_SERVER_URL`, `/lab/.env (line 3)`. */
export function originWords({ source, name, path, line }: Origin): string {
  switch (source) {
    case 'environment':
      return `the environment variable ${name ?? ''}`.trim();
    case 'command line':
    case 'argument':
      return `the command line (${name ?? ''})`;
    case 'dotenv':
    case 'json':
    case 'toml':
    case 'yaml':
      return `${path ?? 'another file'}${line === null ? '' : ` (line ${line})`}`;
    case 'default':
    case 'generated':
    case 'registry':
      return 'the default';
  }
}
