/**
 * Handles requests of the app's settings window. It keeps the plan between its review and its save, and the previous
 * content of the files for the undo.
 */
import type { FolderRequest } from '#api/labFolders.ts';
import { redactText, secretPartsOfAddress } from '../../logging/redact.ts';
import { handleFolderRequest, isFolderRequest } from '../load/labFolders.ts';
import { readSources } from '../load/sources.ts';
import { plainValue } from '../parse/values.ts';
import { settingTitle } from '../schema/names.ts';
import { allSettings, settingNames, getSetting } from '../schema/table.ts';
import type { SettingsInputs } from '../schema/types.ts';
import { applyPlan, undoSave, writeQueue, type Undo, enteredAddresses, setAsideAddresses } from './save.ts';
import { describeSettings, parseDraft, type EnteredValue } from './fields.ts';
import type {
  CheckReply,
  DiffLine,
  PlanView,
  SavedView,
  SettingChanges,
  SettingsRequest,
  UndoneView,
} from './messages.ts';
import { backupPath, planChanges, type Plan, type PlannedFile } from './plan.ts';

export class SettingsEditSession {
  #plan: { readonly id: number; readonly plan: Plan } | null = null;
  #planCount = 0;
  #undo: Undo | null = null;
  /** The start of the settings search that the stored plan and undo belong to. */
  #start: string | null = null;

  /**
   * Serialised, so that no request reads a partial save.
   * @throws Error with a user-facing message; nothing is changed then, except files that it lists as not restored
   */
  handle(inputs: SettingsInputs, request: SettingsRequest | FolderRequest): Promise<unknown> {
    // A search changes nothing, so it delays no other request.
    if (isFolderRequest(request)) return handleFolderRequest(inputs, request);
    return writeQueue.run(() => this.#handle(inputs, request));
  }

  #handle(inputs: SettingsInputs, request: SettingsRequest): Promise<unknown> | unknown {
    this.#discardOtherLab(inputs);
    switch (request.kind) {
      case 'list':
        return describeSettings(inputs, this.#undo !== null);
      case 'check':
        return check(inputs, request.name, request.input);
      case 'plan':
        return this.#review(inputs, request.changes);
      case 'save':
        return this.#save(inputs, request.plan);
      case 'undo':
        return this.#undoLast();
      case 'file':
        return findFile(inputs, request.name);
      case 'entered':
        return enteredAddresses(inputs);
      case 'set-aside':
        return this.#setAside(inputs);
    }
  }

  /** A save in another lab folder cannot be undone from this one. */
  #discardOtherLab({ labFolder, settingsDir, cwd, userConfigDir }: SettingsInputs): void {
    const start = JSON.stringify([labFolder, settingsDir, cwd, userConfigDir]);
    if (start === this.#start) return;
    this.#start = start;
    this.#plan = null;
    this.#undo = null;
  }

  async #review(inputs: SettingsInputs, changes: SettingChanges): Promise<PlanView> {
    const plan = await planChanges(inputs, changes);
    this.#planCount += 1;
    this.#plan = { id: this.#planCount, plan };
    const secrets = await readSecrets(inputs, changes);
    return {
      id: this.#planCount,
      files: plan.files.map((file) => ({
        path: file.shownPath,
        isNew: file.before === null,
        backup: file.before === null ? null : backupPath(file.path),
        lines: createDiff(file, secrets),
      })),
      saved: [...plan.requestedValues.keys()].map((name) => ({
        name,
        title: settingTitle(name),
        needsRestart: getSetting(name).needsRestart,
      })),
      refused: plan.refusals.map((refusal) => ({ ...refusal, title: settingTitle(refusal.name) })),
      notes: [...plan.notes],
    };
  }

  async #save(inputs: SettingsInputs, id: number): Promise<SavedView> {
    const reviewed = this.#plan;
    if (reviewed?.id !== id) throw new Error('Nothing was saved: review the changes again');
    this.#plan = null;
    this.#undo = await applyPlan(inputs, reviewed.plan);
    return {
      files: reviewed.plan.files.map(({ path, shownPath, before }) => ({
        path: shownPath,
        backup: before === null ? null : backupPath(path),
      })),
      needRestart: [...reviewed.plan.requestedValues.keys()]
        .filter((name) => getSetting(name).needsRestart)
        .map(settingTitle),
    };
  }

  async #setAside(inputs: SettingsInputs): Promise<readonly string[]> {
    const { undo, backups } = await setAsideAddresses(inputs);
    this.#undo = undo;
    return backups;
  }

  async #undoLast(): Promise<UndoneView> {
    const undo = this.#undo;
    if (undo === null) throw new Error('There is nothing to undo');
    await undoSave(undo);
    this.#undo = null;
    return { files: undo.map(({ shownPath }) => shownPath) };
  }
}

/** The changed lines of a file, without the secrets in them and in their context. */
function createDiff({ before, after }: PlannedFile, secrets: readonly string[]): DiffLine[] {
  return lineDiff(before ?? '', after).map(({ kind, text }) => ({ kind, text: redactText(text, secrets) }));
}

/** The current secret values and the typed ones. */
async function readSecrets(inputs: SettingsInputs, changes: SettingChanges): Promise<readonly string[]> {
  const { layers } = await readSources(inputs);
  return allSettings
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ name }) => {
      const currentValues = layers
        .flat()
        .flatMap((candidate) => (candidate.name === name ? [plainValue(candidate.raw)] : []));
      const texts = [...currentValues, changes[name] ?? []]
        .flat()
        .flatMap((value) => [String(value), ...String(value).split(/[\s,"'[\]]+/)]);
      return texts.flatMap((text) => secretPartsOfAddress(text.trim()));
    });
}

async function check(inputs: SettingsInputs, key: string, typed: EnteredValue): Promise<CheckReply> {
  const name = settingNames.find((candidate) => candidate === key);
  if (name === undefined) throw new Error(`There is no setting ${key}`);
  const { places } = await readSources(inputs);
  const draft = parseDraft(getSetting(name), typed, { ...places, baseDir: places.cwd });
  return draft.kind === 'wrong' ? { ok: false, message: draft.message } : { ok: true, message: '' };
}

async function findFile(inputs: SettingsInputs, key: string): Promise<string | null> {
  const { winners } = await readSources(inputs);
  return [...winners].find(([name]) => name === key)?.[1].origin.path ?? null;
}

/** The number of unchanged lines shown on each side of a change. */
const contextLines = 3;

/** Lines without their line endings, which are never shown. */
function splitLines(text: string): readonly string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The changed lines with their context; `gap` represents omitted lines. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  return collapseUnchanged(diffLines(splitLines(before), splitLines(after)));
}

/** The lines of both texts: after each change, the nearest line that both have. */
function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [0, 0];
  for (;;) {
    const { removed, added } = measureChange(before, after, x, y);
    lines.push(
      ...before.slice(x, x + removed).map((text) => ({ kind: 'removed' as const, text })),
      ...after.slice(y, y + added).map((text) => ({ kind: 'added' as const, text })),
    );
    [x, y] = [x + removed, y + added];
    const text = before[x];
    if (text === undefined) return lines;
    lines.push({ kind: 'same', text });
    [x, y] = [x + 1, y + 1];
  }
}

/** The numbers of lines from these positions to the nearest line that both texts have, or to their ends. */
function measureChange(before: readonly string[], after: readonly string[], x: number, y: number) {
  const [maxRemoved, maxAdded] = [before.length - x, after.length - y];
  for (let changes = 0; changes < maxRemoved + maxAdded; changes += 1) {
    for (let removed = Math.max(0, changes - maxAdded); removed <= Math.min(changes, maxRemoved); removed += 1) {
      const text = before[x + removed];
      if (text !== undefined && text === after[y + changes - removed]) return { removed, added: changes - removed };
    }
  }
  return { removed: maxRemoved, added: maxAdded };
}

function collapseUnchanged(lines: readonly DiffLine[]): readonly DiffLine[] {
  const changed = lines.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]));
  const isNear = lines.map((_, index) => changed.some((at) => Math.abs(at - index) <= contextLines));
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line];
    return index === 0 || isNear[index - 1] ? [{ kind: 'gap' as const, text: '' }] : [];
  });
}
