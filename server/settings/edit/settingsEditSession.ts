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

/** The shortest difference, by Myers (An O(ND) Difference Algorithm and Its Variations, 1986). */
function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const [n, m] = [before.length, after.length];
  /** The furthest position in `before` on each diagonal, for each number of changes. */
  const trace: ReadonlyMap<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let changes = 0; changes <= n + m; changes += 1) {
    trace.push(new Map(furthest));
    const next = new Map(furthest);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = next.get(diagonal - 1) ?? -1;
      const above = next.get(diagonal + 1) ?? -1;
      x = diagonal === -changes || (diagonal !== changes && x < above) ? above : x + 1;
      while (x < n && x - diagonal < m && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= n && x - diagonal >= m) return traceBack(trace, before, after);
    }
    furthest = next;
  }
  return [];
}

function traceBack(
  trace: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let changes = trace.length - 1; changes >= 0; changes -= 1) {
    const furthest = trace[changes] ?? new Map<number, number>();
    const diagonal = x - y;
    const left = furthest.get(diagonal - 1) ?? -1;
    const above = furthest.get(diagonal + 1) ?? -1;
    const isAdded = diagonal === -changes || (diagonal !== changes && left < above);
    const from = isAdded ? diagonal + 1 : diagonal - 1;
    const fromX = changes === 0 ? 0 : (furthest.get(from) ?? 0);
    const fromY = changes === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      lines.push({ kind: 'same', text: before[x] ?? '' });
    }
    if (changes > 0) {
      lines.push(
        isAdded ? { kind: 'added', text: after[fromY] ?? '' } : { kind: 'removed', text: before[fromX] ?? '' },
      );
      [x, y] = [fromX, fromY];
    }
  }
  return lines.toReversed();
}

function collapseUnchanged(lines: readonly DiffLine[]): readonly DiffLine[] {
  const changed = lines.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]));
  const isNear = lines.map((_, index) => changed.some((at) => Math.abs(at - index) <= contextLines));
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line];
    return index === 0 || isNear[index - 1] ? [{ kind: 'gap' as const, text: '' }] : [];
  });
}
