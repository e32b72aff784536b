/** State of the submit page during editing, checking and submitting; persisted across failures and reloads. */
import { sameJson } from '#api/sameJson.ts';
import { currentTime } from '#dashboard/base/clock.ts';
import { isObject, type JsonObject, type OwnershipInfo } from '#api/client/wire.ts';
import { useDebounceFn, useEventListener } from '@vueuse/core';
import { computed, nextTick, onScopeDispose, ref, shallowRef, watch } from 'vue';
import type { Workflow } from '#api/managers/workflow.ts';
import { formatTime } from '#dashboard/base/time.ts';
import type { Entries, FormOutcome } from '#dashboard/components/form/entry.ts';
import type { FormField } from '#dashboard/components/form/field.ts';
import { packEntries, unpackEntries } from '#dashboard/components/form/formStorage.ts';
import { checkSubmission, type Preflight } from './preflight.ts';
import { listEndpoints, listTransfers } from '../definition/transferCheck.ts';
import { validateDefinition } from '../definition/validateDefinition.ts';
import { emptyDefinition } from './drafts/examples.ts';
import type { InitialContent } from './drafts/fromWorkflow.ts';
import {
  browserStore,
  deleteDraft,
  deleteLost,
  readDraft,
  readLost,
  writeDraft,
  writeLost,
} from './drafts/draftStorage.ts';
import { emptyKnowledge, type LabKnowledge, type SubmitLab } from '../definition/labKnowledge.ts';
import { toRequestBody, type Definition } from '../definition/model.ts';
import { describeFailure, type Failure } from './outcome.ts';
import { createStartFields } from '../definition/startFields.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

export interface LastCheck {
  readonly result: Preflight;
  readonly at: number;
  /** Serialized input of the check, to detect later changes. */
  readonly input: string;
}

export type Sending =
  | { readonly phase: 'idle' }
  | { readonly phase: 'checking' }
  | { readonly phase: 'sending' }
  /** The check found problems; the user may submit anyway. */
  | { readonly phase: 'stopped' }
  /** `submission`: may have started if the result is unclear. */
  | {
      readonly phase: 'failed';
      readonly failure: Failure;
      readonly submission: { readonly name: string; readonly at: number };
    }
  | { readonly phase: 'done'; readonly workflow: Workflow };

const authorKey = 'lab-manager.author';
const emptyOutcome: FormOutcome = { value: { args: {}, locations: {}, files: {} }, valid: true, problems: [] };

// oxlint-disable-next-line max-lines-per-function -- one state machine, whose steps share its refs
export function useSubmission(lab: SubmitLab) {
  const store = browserStore();
  let pendingSubmission: { readonly name: string; readonly at: number } | null = null;
  const draft = readDraft(store);
  const text = ref(draft?.text ?? emptyDefinition);
  const notice = ref(
    store === null ? 'This browser does not store drafts: your text is lost when the page is closed.' : '',
  );
  if (draft !== null && draft.savedAt > 0)
    notice.value = `Your draft from ${formatTime(draft.savedAt, currentTime())} was restored. Select its files again.`;
  /** The replaced text, for undo. */
  const replacedText = shallowRef<{ readonly text: string; readonly ownership: OwnershipInfo | null } | null>(null);

  const ownership = shallowRef<OwnershipInfo | null>(isObject(draft?.ownership) ? draft.ownership : null);
  const author = ref(store?.getItem(authorKey) ?? '');
  const knowledge = shallowRef<LabKnowledge>(emptyKnowledge);

  /** Key of the form: another definition gets a new form, editing the same definition keeps the input. */
  const formVersion = ref(0);
  const initial = shallowRef<JsonObject>({});
  const storedEntries = shallowRef<Entries>(unpackEntries(draft?.entries));
  const entries = shallowRef<Entries>(storedEntries.value);
  const form = shallowRef<FormOutcome>(emptyOutcome);

  const validation = shallowRef(validateDefinition(text.value, knowledge.value));
  const fields = shallowRef<readonly FormField[]>([]);

  /** Validates the current text; runs automatically after each change, debounced. */
  function validate(): void {
    validation.value = validateDefinition(text.value, knowledge.value, form.value.value.args);
    const { definition } = validation.value;
    // An incomplete line must not reset the form.
    if (definition === null) return;
    const nextFields = createStartFields(definition, knowledge.value);
    if (!sameJson(nextFields, fields.value)) fields.value = nextFields;
    // Without fields there is no form that would clear the values of the previous definition.
    if (nextFields.length === 0) form.value = emptyOutcome;
  }
  validate();
  const validateLater = useDebounceFn(validate, 200, { maxWait: 1000 });
  watch([text, knowledge, form], () => void validateLater());
  onScopeDispose(() => validateLater.cancel());

  function save(): void {
    // A submitted definition is no longer a draft, even if a save is pending.
    if (sending.value.phase === 'done') return;
    writeDraft(store, {
      text: text.value,
      entries: packEntries(entries.value),
      ownership: ownership.value,
      savedAt: currentTime(),
    });
  }
  const saveLater = useDebounceFn(save, 400, { maxWait: 2000 });
  watch([text, entries, ownership], () => void saveLater());
  // A later save would overwrite the draft of the next page.
  onScopeDispose(() => saveLater.flush());
  useEventListener(window, 'pagehide', () => {
    save();
    // The response is lost with the page.
    if (sending.value.phase === 'sending' && pendingSubmission !== null)
      writeLost(store, {
        ...pendingSubmission,
        text: 'The page was left or reloaded before the workcell manager answered: the workflow may have been started.',
      });
  });
  watch(author, (name) => {
    try {
      store?.setItem(authorKey, name);
    } catch {
      // Storage is full: the user enters the name again next time.
    }
  });

  async function refreshKnowledge(): Promise<void> {
    knowledge.value = await lab.readKnowledge();
    validate();
  }
  watch(lab.available, (available) => available && void refreshKnowledge(), { immediate: true });
  useEventListener(window, 'focus', () => {
    if (lab.available.value && !knowledge.value.workcell.isResponding) void refreshKnowledge();
  });

  /**
   * Replaces the definition in the editor; the old one can be restored. Does nothing while the result of a submission is
   * unknown: the page shows what was sent.
   */
  function replace(nextText: string, from: Partial<InitialContent> = {}): void {
    if (isUnclear.value) return;
    const current = { text: text.value, ownership: ownership.value };
    replacedText.value =
      current.text.trim() === '' || current.text === emptyDefinition || current.text === nextText ? null : current;
    text.value = nextText;
    ownership.value = from.ownership ?? null;
    initial.value = from.values ?? {};
    storedEntries.value = {};
    entries.value = {};
    lastCheck.value = null;
    sending.value = { phase: 'idle' };
    formVersion.value += 1;
    validate();
  }
  function undoReplace(): void {
    const replaced = replacedText.value;
    if (replaced === null) return;
    replace(replaced.text, { ownership: replaced.ownership });
  }

  const lastCheck = shallowRef<LastCheck | null>(null);
  const lostSubmission = readLost(store, currentTime());
  const sending = shallowRef<Sending>(
    lostSubmission === null
      ? { phase: 'idle' }
      : { phase: 'failed', failure: { kind: 'unclear', text: lostSubmission.text }, submission: lostSubmission },
  );
  /** True if the result is unknown; a new submission is blocked until the user has checked. */
  const isUnclear = computed(() => sending.value.phase === 'failed' && sending.value.failure.kind === 'unclear');
  const isBusy = computed(() => sending.value.phase === 'checking' || sending.value.phase === 'sending');
  const serializedInput = computed(() => stringifyExactJson([text.value, form.value.value.args, form.value.problems]));
  const isCheckOutdated = computed(() => lastCheck.value !== null && lastCheck.value.input !== serializedInput.value);
  // An edit resets the last result, unless the result is unknown.
  watch(serializedInput, () => {
    if (sending.value.phase === 'stopped' || sending.value.phase === 'done') sending.value = { phase: 'idle' };
    else if (sending.value.phase === 'failed' && !isUnclear.value) sending.value = { phase: 'idle' };
  });

  async function requestTransfers(definition: Definition, values: JsonObject): Promise<void> {
    const current = knowledge.value;
    const ends = listEndpoints(definition, values, current);
    knowledge.value = {
      ...current,
      ...(await lab.readTransfers(listTransfers(definition, values), ends, current.locations)),
    };
  }

  /** Reads the lab's current state and checks the definition. @returns whether there are no problems */
  async function check(): Promise<boolean> {
    // A check does not resolve an earlier submission with unknown result.
    const nextState: Sending = isUnclear.value ? sending.value : { phase: 'idle' };
    sending.value = { phase: 'checking' };
    await refreshKnowledge();
    // The form may get its fields only now.
    await nextTick();
    const { definition, errors, problems } = validation.value;
    const { args } = form.value.value;
    if (definition !== null) await requestTransfers(definition, args);
    sending.value = nextState;
    const result = checkSubmission(definition, knowledge.value, args, problems, form.value.problems);
    lastCheck.value = { result, at: currentTime(), input: serializedInput.value };
    return errors === 0 && result.worst !== 'problem';
  }

  /** Submits the workflow once. `ignoresProblems`: despite problems found by the check. */
  async function submit(ignoresProblems: boolean): Promise<void> {
    if (isBusy.value || isUnclear.value) return;
    const isValid = await check();
    const { definition } = validation.value;
    if (definition === null || (!isValid && !ignoresProblems)) {
      sending.value = { phase: 'stopped' };
      return;
    }
    await send(definition);
  }

  async function send(definition: Definition): Promise<void> {
    sending.value = { phase: 'sending' };
    const submission = { name: definition.name, at: currentTime() };
    pendingSubmission = submission;
    const { args, files } = form.value.value;
    const selectedFiles = Object.entries(files).flatMap(([key, file]) =>
      file instanceof File ? [[key, file] as const] : [],
    );
    try {
      const workflow = await lab.submit(toRequestBody(definition, author.value.trim()), {
        values: args,
        files: Object.fromEntries(selectedFiles),
        ownership: ownership.value,
      });
      if (workflow === null) {
        sending.value = { phase: 'idle' };
        return;
      }
      deleteDraft(store);
      sending.value = { phase: 'done', workflow };
    } catch (error) {
      const failure = describeFailure(error);
      sending.value = { phase: 'failed', failure, submission };
      if (failure.kind === 'unclear') writeLost(store, { ...submission, text: failure.text });
    }
  }
  /** Unlocks the form after the user has checked whether the workflow was started. */
  function clear(): void {
    deleteLost(store);
    sending.value = { phase: 'idle' };
  }

  return {
    store,
    text,
    notice,
    replacedText,
    ownership,
    author,
    knowledge,
    formVersion,
    initial,
    storedEntries,
    entries,
    form,
    validation,
    fields,
    lastCheck,
    isCheckOutdated,
    sending,
    isBusy,
    isUnclear,
    validate,
    replace,
    undoReplace,
    check,
    submit,
    clear,
  };
}
