/**
 * Saves changes of settings, sets entered addresses aside, and undoes both: atomically, and never over a concurrent
 * change by another program.
 */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TaskQueue } from '../../concurrency/taskQueue.ts';
import { loadSettings, parseWinners } from '../load/load.ts';
import { formatProblem } from '../parse/problem.ts';
import { readSources, saveTarget } from '../load/sources.ts';
import {
  readExistingText,
  toWriteError,
  replaceSettingsFile,
  SettingsWriteError,
  findWriteProblem,
} from '../load/settingsFile.ts';
import { settingTitle } from '../schema/names.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';
import { backupPath, planChanges, type Plan, type PlannedFile, applyEdits, removalEdits } from './plan.ts';
import type { EnteredValue } from './fields.ts';
import { managerKeys, contextKey } from '#api/managers.ts';
import { sameJson } from '#api/sameJson.ts';
import { plainValue } from '../parse/values.ts';
import { getSetting } from '../schema/table.ts';
import type { EnteredAddresses } from './messages.ts';

/** The files that a save changed, with their previous content, for undoing it. */
export type Undo = readonly PlannedFile[];

/** Serialises all writes of settings in this process, including the reads that belong to them. */
export const writeQueue = new TaskQueue();

/**
 * Saves changes without a review, each in the file that sets it already or else in the default one (`saveTarget`).
 * @param changes by the unprefixed names; `null` removes the setting from the files, `'None'` writes that there is none
 * @returns full path of the file, the first of several
 * @throws {SettingsWriteError} with nothing changed: a value is invalid, a file cannot be written, or a source of higher
 * priority than all files sets the same
 */
export function saveSettings(inputs: SettingsInputs, changes: Readonly<Record<string, EnteredValue>>): Promise<string> {
  return writeQueue.run(async () => {
    const plan = await planChanges(inputs, changes);
    const reasons = plan.refusals.map(
      ({ name, reason, suggestion }) => `${settingTitle(name)}: ${reason} ${suggestion}`,
    );
    if (reasons.length > 0) throw new SettingsWriteError(`Not saved. ${reasons.join(' ')}`);
    await applyPlan(inputs, plan);
    const [name] = plan.requestedValues.keys();
    return plan.files[0]?.path ?? (name === undefined ? '' : saveTarget(name, await readSources(inputs)));
  });
}

/**
 * Writes the files of a plan, keeps each previous version as a backup, and reads the settings back.
 * @throws {SettingsWriteError} with every file restored: one was changed meanwhile, cannot be written, or the settings
 * differ from the plan. The message contains each file that could not be restored, with its backup
 */
export async function applyPlan(inputs: SettingsInputs, plan: Plan): Promise<Undo> {
  for (const { path, shownPath, before } of plan.files) {
    if ((await readExistingText(path)) !== before) {
      throw new SettingsWriteError(`Nothing was saved: ${shownPath} was changed meanwhile. Review again`);
    }
  }
  const errorsBefore = await readErrorKeys(inputs);
  const savedFiles: PlannedFile[] = [];
  try {
    for (const file of plan.files) {
      await saveBackup(file);
      savedFiles.push(file);
      // The file can contain secrets; one in the lab's folder is often shared with the managers.
      const isUsers = dirname(file.path) === inputs.userConfigDir;
      await replaceSettingsFile(file.path, file.after, file.path, isUsers ? 0o600 : null);
    }
    await checkEffect(inputs, plan, errorsBefore);
    return plan.files;
  } catch (error) {
    const unrestored = await restoreAll(savedFiles.toReversed());
    if (unrestored.length === 0) throw error;
    throw notRestoredError(error instanceof Error ? `${error.message}. ` : '', unrestored);
  }
}

/**
 * Restores the files from before a save. Files that are already restored are skipped, so that it can be retried.
 * @throws {SettingsWriteError} with nothing changed, if a file differs from the save's content; or listing each file that
 * could not be restored
 */
export async function undoSave(undo: Undo): Promise<void> {
  for (const { path, shownPath, after, before } of undo) {
    const now = await readExistingText(path);
    if (now === after || now === before) continue;
    const backupNote = before === null ? '' : ` The previous version is in ${backupPath(path)}`;
    throw new SettingsWriteError(`Nothing was undone: ${shownPath} was changed since it was saved.${backupNote}`);
  }
  const unrestored = await restoreAll(undo);
  if (unrestored.length > 0) throw notRestoredError('Not everything was undone. ', unrestored);
}

interface UnrestoredFile {
  readonly file: PlannedFile;
  readonly error: SettingsWriteError;
}

/** Tries every file. @returns those that could not be restored */
async function restoreAll(files: readonly PlannedFile[]): Promise<readonly UnrestoredFile[]> {
  const unrestored: UnrestoredFile[] = [];
  for (const file of files) {
    try {
      await restore(file);
    } catch (error) {
      unrestored.push({ file, error: error instanceof SettingsWriteError ? error : toWriteError(error, file.path) });
    }
  }
  return unrestored;
}

function notRestoredError(prefix: string, unrestored: readonly UnrestoredFile[]): SettingsWriteError {
  const entries = unrestored.map(({ file: { path, shownPath, before }, error: { message } }) => {
    const advice =
      before === null ? 'it was created by this save: delete it' : `its previous version is in ${backupPath(path)}`;
    return `${shownPath} could not be restored (${message}); ${advice}`;
  });
  return new SettingsWriteError(`${prefix}${entries.join('. ')}`);
}

async function saveBackup({ path, before }: PlannedFile): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    throw toWriteError(error, path);
  }
  if (before !== null) await replaceSettingsFile(backupPath(path), before, path);
}

async function restore({ path, before }: PlannedFile): Promise<void> {
  if (before === null) await rm(path, { force: true });
  else await replaceSettingsFile(path, before);
}

async function readErrorKeys(inputs: SettingsInputs): Promise<ReadonlySet<string>> {
  const result = await loadSettings(inputs);
  return new Set(result.ok ? [] : result.problems.map(errorKey));
}

/** Identifies an error without its line, which changes with the text before it. */
function errorKey({ source, path, key, message }: SettingsProblem): string {
  return JSON.stringify([source, path, key, message]);
}

/** Checks that the written values are in effect and that there are no new errors. */
async function checkEffect(inputs: SettingsInputs, plan: Plan, errorsBefore: ReadonlySet<string>): Promise<void> {
  const result = await loadSettings(inputs);
  const problem = result.ok ? undefined : result.problems.find((candidate) => !errorsBefore.has(errorKey(candidate)));
  if (problem !== undefined) {
    throw new SettingsWriteError(
      `Nothing was saved, because the settings would have an error: ${formatProblem(problem)}`,
    );
  }
  const { winners, places } = await readSources(inputs);
  const { values } = parseWinners(winners, places);
  const mismatch = [...plan.requestedValues].find(([name, value]) => !sameJson(values[name], value));
  if (mismatch === undefined) return;
  throw new SettingsWriteError(
    `Nothing was saved: ${settingTitle(mismatch[0])} would not have the new value. Review again`,
  );
}

/** @returns the addresses in the user configuration, including those that a file of the lab overrides */
export async function enteredAddresses(inputs: SettingsInputs): Promise<EnteredAddresses> {
  const { layers, foundFiles } = await readSources(inputs);
  const userFiles = new Set(foundFiles.filter(({ place }) => place === 'user').map(({ path }) => path));
  const addresses = layers.flat().flatMap(({ name, raw, origin }) => {
    const isAddress = managerKeys.some((key) => contextKey(key) === name);
    const isEntered = isAddress && origin.path !== null && userFiles.has(origin.path);
    return isEntered ? [{ title: settingTitle(name), value: String(plainValue(raw)), file: origin.path ?? '' }] : [];
  });
  return { addresses };
}

/**
 * Removes the entered addresses from the user configuration; a backup of each file is kept in its folder.
 * @throws Error with a user-facing message; nothing is changed then, except files that it lists as not restored
 */
export async function setAsideAddresses(inputs: SettingsInputs): Promise<{ undo: Undo; backups: readonly string[] }> {
  const sources = await readSources(inputs);
  const userSources = { ...sources, foundFiles: sources.foundFiles.filter(({ place }) => place === 'user') };
  const changes = managerKeys.map((key) => {
    const setting = getSetting(contextKey(key));
    return { setting, draft: { kind: 'default' } as const, edits: removalEdits(setting, userSources) };
  });
  const {
    files,
    refusals: [first],
  } = await applyEdits(changes, findWriteProblem);
  if (first !== undefined) throw new Error(`The addresses were not set aside. ${first.reason} ${first.suggestion}`);
  const undo = await applyPlan(inputs, { files, requestedValues: new Map(), refusals: [], notes: [] });
  return { undo, backups: files.map(({ path }) => backupPath(path)) };
}
