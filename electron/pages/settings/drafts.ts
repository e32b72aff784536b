/** The unsaved changes (drafts) of the Settings window. A change of the files does not discard them. */
import { computed, ref, shallowReactive, shallowRef } from 'vue';
import { errorText } from '#api/errorText.ts';
import { sameJson } from '#api/sameJson.ts';
import {
  checkReply,
  planView,
  savedView,
  settingsList,
  undoneView,
  type PlanView,
  type SavedView,
  type SettingRow,
  type SettingsList,
  type SettingsRequest,
} from '../../ipc/settingsContract.ts';
import { sendCommand } from '../host/requests.ts';

/** The delay after the last keystroke before a value is checked, in milliseconds. */
const typingDelayMs = 250;

/** A text, a list, or `null` for the default. */
export type DraftInput = string | string[] | null;

export interface Draft {
  readonly value: DraftInput;
  /** Identifies the value in the files when the draft was created. */
  readonly base: string;
  /** The reason why the value is invalid, as the end of a sentence; `null` while none is known. */
  readonly problem: string | null;
}

const savedValueKey = ({ value, displayedSecret, origin }: SettingRow): string =>
  JSON.stringify([value, displayedSecret, origin.replace(/, line \d+$/, '')]);
const requestSettings = (request: SettingsRequest) => sendCommand({ command: 'settings', request });

/** Returns the settings with their drafts; one instance for the window. */
// oxlint-disable-next-line max-lines-per-function -- one state that the edits, their check and their saving share
export function useDrafts() {
  const list = shallowRef<SettingsList | null>(null);
  const failure = ref<string | null>(null);
  /** Shallow, because the context bridge cannot clone the proxy of a list. */
  const drafts = shallowReactive(new Map<string, Draft>());
  const plan = shallowRef<PlanView | null>(null);
  const saved = shallowRef<SavedView | null>(null);
  const message = ref('');
  /** The files of the last save, after it was undone. */
  const undone = shallowRef<readonly string[]>([]);
  const isBusy = ref(false);
  const timers = new Map<string, number>();

  const rows = computed(() => list.value?.sections.flatMap(({ settings }) => settings) ?? []);
  const count = computed(() => drafts.size);
  const invalidCount = computed(() => [...drafts.values()].filter(({ problem }) => problem !== null).length);

  /** Reads the settings again; drafts stay, unless they equal the new values. */
  async function load(): Promise<void> {
    try {
      list.value = settingsList.parse(await requestSettings({ kind: 'list' }));
      failure.value = null;
      // The lab folder has changed, or the service was restarted.
      if (!list.value.canUndo) saved.value = null;
    } catch (error) {
      failure.value = errorText(error);
    }
    for (const row of rows.value) {
      const draft = drafts.get(row.name);
      if (draft && equalsSaved(row, draft.value)) drafts.delete(row.name);
    }
  }

  /** Returns whether the saved value equals the draft; always false for secrets, whose value is not sent to the page. */
  function equalsSaved(row: SettingRow, input: DraftInput): boolean {
    if (input === null) return row.isDefault;
    return row.displayedSecret === null && sameJson(row.value, input);
  }

  function setDraft(row: SettingRow, input: DraftInput): void {
    window.clearTimeout(timers.get(row.name));
    // An empty field for a secret means no change; a reset removes the secret.
    const isEmpty = row.displayedSecret !== null && input !== null && [input].flat().join('').trim() === '';
    if (isEmpty || equalsSaved(row, input)) return void drafts.delete(row.name);
    const previous = drafts.get(row.name);
    drafts.set(row.name, {
      value: input,
      base: previous?.base ?? savedValueKey(row),
      problem: previous?.problem ?? null,
    });
    timers.set(
      row.name,
      window.setTimeout(() => void check(row.name, input), typingDelayMs),
    );
  }

  async function check(name: string, input: DraftInput): Promise<void> {
    const problem = await requestSettings({ kind: 'check', name, input }).then(
      (reply) => {
        const { ok, message: text } = checkReply.parse(reply);
        return ok ? null : text;
      },
      // The review reports the error again.
      () => null,
    );
    const draft = drafts.get(name);
    if (draft && sameJson(draft.value, input)) drafts.set(name, { ...draft, problem });
  }

  /** Returns whether the value in the files has changed since the draft was created. */
  function hasChangedInFiles(row: SettingRow): boolean {
    const draft = drafts.get(row.name);
    return draft !== undefined && draft.base !== savedValueKey(row);
  }

  function discardDraft(name: string): void {
    window.clearTimeout(timers.get(name));
    drafts.delete(name);
  }

  /** Runs one task at a time. @returns whether it succeeded */
  async function run(task: () => Promise<void>): Promise<boolean> {
    if (isBusy.value) return false;
    isBusy.value = true;
    message.value = '';
    undone.value = [];
    try {
      await task();
      return true;
    } catch (error) {
      message.value = errorText(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  }

  const review = () =>
    run(async () => {
      const changes = Object.fromEntries([...drafts].map(([name, { value: input }]) => [name, input]));
      plan.value = planView.parse(await requestSettings({ kind: 'plan', changes }));
      saved.value = null;
    });

  const save = () =>
    run(async () => {
      const pending = plan.value;
      if (pending === null) return;
      saved.value = savedView.parse(await requestSettings({ kind: 'save', plan: pending.id }));
      for (const { name } of pending.saved) discardDraft(name);
      plan.value = null;
      await load();
    });

  const undo = () =>
    run(async () => {
      const { files } = undoneView.parse(await requestSettings({ kind: 'undo' }));
      saved.value = null;
      undone.value = files;
      await load();
    });

  function closeReview(): void {
    plan.value = null;
    message.value = '';
  }

  function discard(): void {
    for (const name of drafts.keys()) discardDraft(name);
    closeReview();
  }

  return {
    list,
    failure,
    drafts,
    plan,
    saved,
    message,
    undone,
    isBusy,
    count,
    invalidCount,
    load,
    setDraft,
    discardDraft,
    hasChangedInFiles,
    review,
    save,
    undo,
    closeReview,
    discard,
  };
}
