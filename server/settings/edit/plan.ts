/**
 * Plans a save without writing: each change goes into the file that contains the setting, else into the default one
 * (`saveTarget`), and the settings are read once with the planned content. A change that would have no effect is refused
 * with a suggestion.
 */
import { dirname, join, basename } from 'node:path';
import { fileKeys, settingTitle } from '../schema/names.ts';
import { formatProblem } from '../parse/problem.ts';
import { parseWinners } from '../load/load.ts';
import { isInContextFile, readSources, saveTarget, type Overlay, type Sources } from '../load/sources.ts';
import {
  readExistingText,
  resolveLink,
  SettingsWriteError,
  findWriteProblem as findSystemWriteProblem,
} from '../load/settingsFile.ts';
import { allSettings, getSetting, settingNames, type Setting, type SettingName } from '../schema/table.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';
import type { FileFormat } from '../parse/discovery.ts';
import { explainOutranked, parseDraft, type DraftValue, type EnteredValue } from './fields.ts';
import { EditRefusedError, type FileEdit, editText } from './editText.ts';
import { sameJson } from '#api/sameJson.ts';
import { originText } from '#api/lab/settings.ts';

/** A file with its current and its planned content. */
export interface PlannedFile {
  /** The actual path, with links resolved. */
  readonly path: string;
  /** The path as found. */
  readonly shownPath: string;
  /** `null` for a new file. */
  readonly before: string | null;
  readonly after: string;
}

export interface Refusal {
  readonly name: SettingName;
  readonly reason: string;
  readonly suggestion: string;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  /** The settings that will take effect, with their values. */
  readonly requestedValues: ReadonlyMap<SettingName, unknown>;
  readonly refusals: readonly Refusal[];
  readonly notes: readonly string[];
}

interface Change {
  readonly setting: Setting;
  readonly draft: Exclude<DraftValue, { kind: 'wrong' }>;
  /** By the path as found. */
  readonly edits: readonly { readonly path: string; readonly format: FileFormat; readonly edit: FileEdit }[];
}

/** Returns why a file cannot be written; `null` if it can. */
export type FindWriteProblem = (path: string) => Promise<string | null>;

/** @param findWriteProblem called for each file */
export async function planChanges(
  inputs: SettingsInputs,
  changes: Readonly<Record<string, EnteredValue>>,
  findWriteProblem: FindWriteProblem = findSystemWriteProblem,
): Promise<Plan> {
  const sources = await readSources(inputs);
  const allRefusals: Refusal[] = [];
  let acceptedChanges: Change[] = [];
  for (const [key, typed] of Object.entries(changes)) {
    const change = prepareChange(key, typed, sources);
    if ('reason' in change) allRefusals.push(change);
    else acceptedChanges.push(change);
  }
  // Repeats without the refused changes; each iteration refuses at least one.
  for (;;) {
    const { files, refusals } = await applyEdits(acceptedChanges, findWriteProblem);
    const overlay = new Map(files.flatMap(({ foundPaths, after }) => foundPaths.map((path) => [path, after] as const)));
    const planned = refusals.length > 0 ? sources : await readSources(inputs, overlay);
    const failing =
      refusals.length > 0 ? refusals : acceptedChanges.flatMap((change) => findIneffective(change, planned));
    if (failing.length === 0) {
      const requested = new Map(
        acceptedChanges.filter(hasKnownValue).map((change) => [change.setting.name, getDraftValue(change)]),
      );
      return {
        files: files.filter(hasChanged),
        requestedValues: requested,
        refusals: allRefusals,
        notes: createNotes(acceptedChanges, sources, planned, overlay),
      };
    }
    allRefusals.push(...failing);
    acceptedChanges = acceptedChanges.filter(({ setting }) => !failing.some(({ name }) => name === setting.name));
  }
}

const hasChanged = ({ before, after }: PlannedFile): boolean => before !== after;

/** The edits of a change, or why it is refused. */
function prepareChange(key: string, typed: EnteredValue, sources: Sources): Change | Refusal {
  const name = settingNames.find((candidate) => candidate === key);
  if (name === undefined) throw new Error(`There is no setting ${key}`);
  const setting = getSetting(name);
  const winner = sources.winners.get(name);
  const isNotInContextFile = setting.scope === 'contextOnly' && !isInContextFile(winner);
  if (isNotInContextFile) return refusal(name, 'It is allowed only in context.* files.', 'Write it into such a file.');
  const override = winner && explainOutranked(winner.origin);
  if (override) return { name, ...override };
  const target = saveTarget(name, sources);
  const draft = parseDraft(setting, typed, { ...sources.places, baseDir: dirname(target) });
  if (draft.kind === 'wrong') {
    return refusal(name, `The value ${draft.message}.`, `Allowed: ${draft.expected}.`);
  }
  if (draft.kind === 'default') return { setting, draft, edits: removalEdits(setting, sources) };
  const format = sources.foundFiles.find(({ path }) => path === target)?.format ?? 'yaml';
  const fileKey = winner?.origin.name ?? fileKeys(setting, 'lab')[0] ?? name;
  return {
    setting,
    draft,
    edits: [{ path: target, format, edit: { kind: 'set', key: fileKey, value: draft.written } }],
  };
}

function refusal(name: SettingName, reason: string, suggestion: string): Refusal {
  return { name, reason, suggestion };
}

/** The edits that remove a setting from all files, so that its default applies. */
export function removalEdits(
  setting: Setting,
  { layers, foundFiles }: Pick<Sources, 'layers' | 'foundFiles'>,
): Change['edits'] {
  const candidates = layers.flat().filter(({ name }) => name === setting.name);
  return foundFiles.flatMap(({ path, format }) => {
    const keys = candidates.flatMap(({ origin }) => (origin.path === path ? [origin.name ?? ''] : []));
    return keys.length === 0 ? [] : [{ path, format, edit: { kind: 'remove' as const, keys: [...new Set(keys)] } }];
  });
}

interface EditedFile extends PlannedFile {
  /** Every path under which the file was found. */
  readonly foundPaths: readonly string[];
}

/** The files with all edits applied, and the edits that failed. */
export async function applyEdits(
  changes: readonly Change[],
  findWriteProblem: FindWriteProblem,
): Promise<{ readonly files: readonly EditedFile[]; readonly refusals: readonly Refusal[] }> {
  const files = new Map<string, EditedFile>();
  const refused: Refusal[] = [];
  for (const { setting, edits } of changes) {
    for (const { path: shownPath, format, edit } of edits) {
      try {
        const path = await resolveLink(shownPath);
        const reason = await findWriteProblem(path);
        const advice = 'Make the file and its folder writable for your account, or change it there yourself.';
        const subject = path === shownPath ? path : `${shownPath} leads to ${path}, which`;
        if (reason !== null) {
          refused.push(refusal(setting.name, `${subject} can’t be written: ${reason}.`, advice));
          continue;
        }
        const file = files.get(path) ?? {
          path,
          shownPath,
          before: await readExistingText(path),
          after: null,
          foundPaths: [],
        };
        const after = editText(format, file.after ?? file.before ?? '', edit);
        files.set(path, { ...file, after, foundPaths: [...new Set([...file.foundPaths, shownPath])] });
      } catch (error) {
        refused.push(refusedEdit(setting.name, shownPath, error));
      }
    }
  }
  return { files: [...files.values()], refusals: refused };
}

function refusedEdit(name: SettingName, path: string, error: unknown): Refusal {
  const where = `Change it in ${path} itself.`;
  if (error instanceof EditRefusedError)
    return refusal(name, `${path} can’t be changed here: ${error.message}.`, where);
  if (error instanceof SettingsWriteError) return refusal(name, `${error.message}.`, where);
  return refusal(name, `${path} can’t be changed here, because it can’t be read.`, `Correct ${path} first.`);
}

/** Whether the value after the save is known here: a reset address of `/context` is that of `server_url`. */
function hasKnownValue({ setting, draft }: Change): boolean {
  return setting.scope !== 'contextOnly' || draft.kind === 'value';
}

/** The default, or the typed value. */
function getDraftValue({ setting, draft }: Change): unknown {
  return draft.kind === 'default' ? setting.default : draft.value;
}

/** The reasons why a change would have no effect. */
function findIneffective({ setting, draft, edits }: Change, planned: Sources): readonly Refusal[] {
  const { name } = setting;
  const winner = planned.winners.get(name);
  const isDefault = winner === undefined || (setting.scope === 'contextOnly' && !isInContextFile(winner));
  if (draft.kind === 'default' && isDefault) return [];
  const value = valueIn(planned, name);
  if (draft.kind === 'value' && winner !== undefined && sameJson(value, draft.value)) return [];
  if (winner === undefined) {
    const concernsFile = ({ path }: SettingsProblem) => edits.some((edit) => edit.path === path);
    const problem = planned.problems.find((candidate) => candidate.severity === 'error' && concernsFile(candidate));
    const reason = problem === undefined ? 'it would not be read' : `it can’t be read: ${formatProblem(problem)}`;
    const path = edits[0]?.path ?? '';
    return [refusal(name, `${path} can’t be changed here, because ${reason}.`, `Correct ${path} first.`)];
  }
  const originLabel = originText(winner.origin);
  const reason = draft.kind === 'default' ? `${originLabel} would still set it.` : `${originLabel} would override it.`;
  return [
    refusal(
      name,
      reason.replace(/^./, (letter) => letter.toUpperCase()),
      `Change it in ${originLabel}.`,
    ),
  ];
}

function valueIn({ winners, places }: Sources, name: SettingName): unknown {
  const only = new Map([...winners].filter(([winnerName]) => winnerName === name));
  return parseWinners(only, places).values[name];
}

/** Notes on dependent settings, on other programs that read the same files, and on files that cannot be parsed. */
function createNotes(
  changes: readonly Change[],
  current: Sources,
  planned: Sources,
  overlay: Overlay,
): readonly string[] {
  const changed = new Set<SettingName>(changes.map(({ setting }) => setting.name));
  const others = allSettings
    // `/context` shows the lab manager's own address unless a `context.*` file differs.
    .filter(({ name }) => !changed.has(name) && name !== 'lab_server_url')
    .filter(({ name }) => !sameJson(valueIn(current, name), valueIn(planned, name)))
    .map(({ name }) => `${settingTitle(name)} changes too, because its value depends on what is changed.`);
  const shared = current.foundFiles
    .filter(({ path, group }) => overlay.has(path) && group !== 'lab')
    .map(({ path }) => `${path} may be read by the other managers of the lab too.`);
  const broken = current.problems
    .filter(({ severity, path, key }) => severity === 'error' && path !== null && key === null)
    .map((problem) => `The contents of this file are unknown: ${formatProblem(problem)}.`);
  return [...others, ...shared, ...broken];
}

/**
 * The path of a file's backup, with its content from before the app's last save. It is in the same folder, where users
 * find it, even for a `.env`, although a `.gitignore` that excludes only `.env` does not exclude the backup.
 */
export function backupPath(path: string): string {
  return join(dirname(path), `${basename(path)}.lab-manager.bak`);
}
