/** Saving changes of settings, setting entered addresses aside, and undoing that: all of it or nothing, and never over what another program wrote meanwhile. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TaskQueue } from '../../concurrency/taskQueue.ts';
import { loadSettings, parseWinners } from '../load/load.ts';
import { formatProblem } from '../parse/problem.ts';
import { readSources, saveTarget } from '../load/sources.ts';
import { existingText, refused, replaceSettingsFile, SettingsWriteError, whyUnwritable } from '../load/settingsFile.ts';
import { settingTitle } from '../schema/names.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';
import { backupOf, planChanges, type Plan, type PlannedFile, editedFiles, removals } from './plan.ts';
import type { Typed } from './fields.ts';
import { managerKeys, contextKey } from '../../../api/managers.ts';
import { plainValue } from '../parse/values.ts';
import { settingOf } from '../schema/table.ts';
import type { EnteredAddresses } from './messages.ts';

/** The files that a save changed, with what they were: enough to take it back. */
export type Undo = readonly PlannedFile[];

/** All writes of settings in this process, with what is read for them, run one after the other. */
export const writes = new TaskQueue();

/**
 * Saves changes without a review, each in the file that sets it already or else where it is saved (`saveTarget`).
 * @param changes by the unprefixed names; `null` removes the setting from the files, `'None'` writes that there is none
 * @returns whole path of the file, the first of several
 * @throws {SettingsWriteError} with nothing changed: a value isn't allowed, a file can't be written, or something that ranks
 *   before every file sets the same
 */
export function saveSettings(inputs: SettingsInputs, changes: Readonly<Record<string, Typed>>): Promise<string> {
  return writes.run(async () => {
    const plan = await planChanges(inputs, changes);
    const reasons = plan.refused.map(({ name, why, whatWorks }) => `${settingTitle(name)}: ${why} ${whatWorks}`);
    if (reasons.length > 0) throw new SettingsWriteError(`Not saved. ${reasons.join(' ')}`);
    await applyPlan(inputs, plan);
    const [name] = plan.requested.keys();
    return plan.files[0]?.path ?? (name === undefined ? '' : saveTarget(name, await readSources(inputs)));
  });
}

/**
 * Writes the files of a plan, keeps each version before as a backup, and reads the settings back.
 *
 * @throws {SettingsWriteError} with every file as it was: one was changed since, can't be written, or the settings aren't
 *   what they should be. A file that couldn't be put back is named, with its backup
 */
export async function applyPlan(inputs: SettingsInputs, plan: Plan): Promise<Undo> {
  for (const { path, shownPath, before } of plan.files) {
    if ((await existingText(path)) !== before) {
      throw new SettingsWriteError(`Nothing was saved: ${shownPath} was changed meanwhile. Review again`);
    }
  }
  const errorsBefore = await errorsOf(inputs);
  const written: PlannedFile[] = [];
  try {
    for (const file of plan.files) {
      await saveBackup(file);
      written.push(file);
      await replaceSettingsFile(file.path, file.after);
    }
    await checkEffect(inputs, plan, errorsBefore);
    return plan.files;
  } catch (error) {
    const left = await restoreAll(written.toReversed());
    if (left.length === 0) throw error;
    throw notRestored(error instanceof Error ? `${error.message}. ` : '', left);
  }
}

/**
 * Brings the files back to what they were before a save. Those that are so already stay, so that it can be tried again.
 * @throws {SettingsWriteError} with nothing changed, when one of them isn't what that save wrote any more; or naming each
 *   that couldn't be put back
 */
export async function undoSave(undo: Undo): Promise<void> {
  for (const { path, shownPath, after, before } of undo) {
    const now = await existingText(path);
    if (now === after || now === before) continue;
    const backupNote = before === null ? '' : ` The previous version is in ${backupOf(path)}`;
    throw new SettingsWriteError(`Nothing was undone: ${shownPath} was changed since it was saved.${backupNote}`);
  }
  const left = await restoreAll(undo);
  if (left.length > 0) throw notRestored('Not everything was undone. ', left);
}

interface Unrestored {
  readonly file: PlannedFile;
  readonly error: SettingsWriteError;
}

/** Tries every file. @returns those that could not be put back */
async function restoreAll(files: readonly PlannedFile[]): Promise<readonly Unrestored[]> {
  const left: Unrestored[] = [];
  for (const file of files) {
    try {
      await restore(file);
    } catch (error) {
      left.push({ file, error: error instanceof SettingsWriteError ? error : refused(error, file.path) });
    }
  }
  return left;
}

function notRestored(what: string, left: readonly Unrestored[]): SettingsWriteError {
  const each = left.map(({ file: { path, shownPath, before }, error: { message } }) => {
    const advice =
      before === null ? 'it was created by this save: delete it' : `its previous version is in ${backupOf(path)}`;
    return `${shownPath} could not be put back (${message}); ${advice}`;
  });
  return new SettingsWriteError(`${what}${each.join('. ')}`);
}

async function saveBackup({ path, before }: PlannedFile): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    throw refused(error, path);
  }
  if (before !== null) await replaceSettingsFile(backupOf(path), before, path);
}

async function restore({ path, before }: PlannedFile): Promise<void> {
  if (before === null) await rm(path, { force: true });
  else await replaceSettingsFile(path, before);
}

async function errorsOf(inputs: SettingsInputs): Promise<ReadonlySet<string>> {
  const result = await loadSettings(inputs);
  return new Set(result.ok ? [] : result.problems.map(errorKey));
}

/** Lines move with what is written before them. */
function errorKey({ source, path, key, message }: SettingsProblem): string {
  return JSON.stringify([source, path, key, message]);
}

/** What was written is what counts, and nothing is wrong that was right before. */
async function checkEffect(inputs: SettingsInputs, plan: Plan, errorsBefore: ReadonlySet<string>): Promise<void> {
  const result = await loadSettings(inputs);
  const problem = result.ok ? undefined : result.problems.find((each) => !errorsBefore.has(errorKey(each)));
  if (problem !== undefined) {
    throw new SettingsWriteError(`Nothing was saved: then ${formatProblem(problem)}`);
  }
  const { winners, places } = await readSources(inputs);
  const { values } = parseWinners(winners, places);
  const missed = [...plan.requested].find(([name, value]) => JSON.stringify(values[name]) !== JSON.stringify(value));
  if (missed === undefined) return;
  throw new SettingsWriteError(
    `Nothing was saved: ${settingTitle(missed[0])} would not have the new value. Review again`,
  );
}

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
    return { setting, draft: { kind: 'default' } as const, edits: removals(setting, user) };
  });
  const {
    files,
    refused: [first],
  } = await editedFiles(changes, whyUnwritable);
  if (first !== undefined) throw new Error(`The addresses were not set aside. ${first.why} ${first.whatWorks}`);
  const undo = await applyPlan(inputs, { files, requested: new Map(), refused: [], notes: [] });
  return { undo, backups: files.map(({ path }) => backupOf(path)) };
}
