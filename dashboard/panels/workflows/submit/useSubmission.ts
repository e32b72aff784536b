/** State of the submit page during editing, checking and submitting; persisted across failures and reloads. */
import { sameJson } from '../../../base/sameJson.ts';
import { currentTime } from '../../../base/clock.ts';
import { isObject, type JsonObject, type OwnershipInfo } from '../../../../api/client/wire.ts';
import { useEventListener, watchDebounced } from '@vueuse/core';
import { computed, nextTick, ref, shallowRef, watch } from 'vue';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { submitTexts } from './texts.ts';
import { moment } from '../../../base/time.ts';
import type { Entries, FormOutcome } from '../../../components/form/entry.ts';
import type { FormField } from '../../../components/form/field.ts';
import { packEntries, unpackEntries } from '../../../components/form/formStorage.ts';
import { checkSubmission, type Preflight } from './preflight.ts';
import { transferEndsOf, transfersOf } from '../definition/transferCheck.ts';
import { validateDefinition } from '../definition/validateDefinition.ts';
import { emptyDefinition } from './drafts/examples.ts';
import type { InitialContent } from './drafts/fromWorkflow.ts';
import {
  browserStore,
  dropDraft,
  dropLost,
  readDraft,
  readLost,
  writeDraft,
  writeLost,
} from './drafts/draftStorage.ts';
import { nothingKnown, type LabKnowledge, type SubmitLab } from '../definition/labKnowledge.ts';
import { toWire, type Definition } from '../definition/model.ts';
import { submissionFailure, type Failure } from './outcome.ts';
import { startFields } from '../definition/startFields.ts';

export interface LastCheck {
  readonly check: Preflight;
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
  /** `sent`: the submission that may have started if the result is unclear. */
  | {
      readonly phase: 'failed';
      readonly failure: Failure;
      readonly sent: { readonly name: string; readonly at: number };
    }
  | { readonly phase: 'done'; readonly workflow: Workflow };

const authorKey = 'lab-manager.author';
const noInputs: FormOutcome = { value: { args: {}, locations: {}, files: {} }, valid: true, problems: [] };
const texts = submitTexts;

// oxlint-disable-next-line max-lines-per-function -- one state machine, whose steps share its refs
export function useSubmission(lab: SubmitLab) {
  const store = browserStore();
  /** The pending submission. */
  let sent: { readonly name: string; readonly at: number } | null = null;
  const draft = readDraft(store);
  const text = ref(draft?.text ?? emptyDefinition);
  const notice = ref(store === null ? texts.notStored : '');
  if (draft !== null && draft.savedAt > 0) notice.value = texts.restoredDraft(moment(draft.savedAt, currentTime()));
  /** The replaced text, for undo. */
  const before = shallowRef<{ readonly text: string; readonly ownership: OwnershipInfo | null } | null>(null);

  const ownership = shallowRef<OwnershipInfo | null>(isObject(draft?.ownership) ? draft.ownership : null);
  const author = ref(store?.getItem(authorKey) ?? '');
  const knowledge = shallowRef<LabKnowledge>(nothingKnown);

  /** Key of the form: another definition gets a new form, editing the same definition keeps the input. */
  const formVersion = ref(0);
  const initial = shallowRef<JsonObject>({});
  const storedEntries = shallowRef<Entries>(unpackEntries(draft?.entries));
  const entries = shallowRef<Entries>(storedEntries.value);
  const form = shallowRef<FormOutcome>(noInputs);

  const examination = shallowRef(validateDefinition(text.value, knowledge.value));
  const fields = shallowRef<readonly FormField[]>([]);

  /** Examines the current text; runs automatically after each change, debounced. */
  function examine(): void {
    examination.value = validateDefinition(text.value, knowledge.value, form.value.value.args);
    const { definition } = examination.value;
    // An incomplete line must not reset the form.
    if (definition === null) return;
    const now = startFields(definition, knowledge.value);
    if (!sameJson(now, fields.value)) fields.value = now;
    // Without fields no form reports empty values; values for another definition must not be sent.
    if (now.length === 0) form.value = noInputs;
  }
  examine();
  watchDebounced([text, knowledge, form], examine, { debounce: 200, maxWait: 1000 });

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
  watchDebounced([text, entries, ownership], save, { debounce: 400, maxWait: 2000 });
  useEventListener(window, 'pagehide', () => {
    save();
    // The response is lost with the page.
    if (sending.value.phase === 'sending' && sent !== null) writeLost(store, { ...sent, text: texts.leftPage });
  });
  watch(author, (name) => {
    try {
      store?.setItem(authorKey, name);
    } catch {
      // Storage is full: the user enters the name again next time.
    }
  });

  async function request(): Promise<void> {
    knowledge.value = await lab.knowledge();
    examine();
  }
  watch(lab.available, (available) => available && void request(), { immediate: true });
  useEventListener(window, 'focus', () => {
    if (lab.available.value && !knowledge.value.workcell.isResponding) void request();
  });

  /** Replaces the definition in the editor; the old one can be restored. */
  function replace(next: string, from: Partial<InitialContent> = {}): void {
    const old = { text: text.value, ownership: ownership.value };
    before.value = old.text.trim() === '' || old.text === emptyDefinition || old.text === next ? null : old;
    text.value = next;
    ownership.value = from.ownership ?? null;
    initial.value = from.values ?? {};
    storedEntries.value = {};
    entries.value = {};
    checked.value = null;
    sending.value = { phase: 'idle' };
    formVersion.value += 1;
    examine();
  }
  function undoReplace(): void {
    const old = before.value;
    if (old === null) return;
    replace(old.text, { ownership: old.ownership });
  }

  const checked = shallowRef<LastCheck | null>(null);
  const lostSubmission = readLost(store, currentTime());
  const sending = shallowRef<Sending>(
    lostSubmission === null
      ? { phase: 'idle' }
      : { phase: 'failed', failure: { kind: 'unclear', text: lostSubmission.text }, sent: lostSubmission },
  );
  /** The result is unknown: not sent again before the user has checked. */
  const unclear = computed(() => sending.value.phase === 'failed' && sending.value.failure.kind === 'unclear');
  const busy = computed(() => sending.value.phase === 'checking' || sending.value.phase === 'sending');
  const state = computed(() => JSON.stringify([text.value, form.value.value.args, form.value.problems]));
  const isCheckOutdated = computed(() => checked.value !== null && checked.value.input !== state.value);
  // An edit resets the last result, unless the result is unknown.
  watch(state, () => {
    if (sending.value.phase === 'stopped' || sending.value.phase === 'done') sending.value = { phase: 'idle' };
    else if (sending.value.phase === 'failed' && !unclear.value) sending.value = { phase: 'idle' };
  });

  async function requestTransfers(definition: Definition, values: JsonObject): Promise<void> {
    const known = knowledge.value;
    const ends = transferEndsOf(definition, values, known);
    knowledge.value = { ...known, ...(await lab.transfers(transfersOf(definition, values), ends, known.locations)) };
  }

  /** Reads the lab's current state and checks the definition. @returns whether there are no problems */
  async function check(): Promise<boolean> {
    // A check does not resolve an earlier submission with unknown result.
    const then: Sending = unclear.value ? sending.value : { phase: 'idle' };
    sending.value = { phase: 'checking' };
    await request();
    // The form may get its fields only now.
    await nextTick();
    const { definition, errors, problems } = examination.value;
    const { args } = form.value.value;
    if (definition !== null) await requestTransfers(definition, args);
    sending.value = then;
    const result = checkSubmission(definition, knowledge.value, args, problems, form.value.problems);
    checked.value = { check: result, at: currentTime(), input: state.value };
    return errors === 0 && result.worst !== 'problem';
  }

  /** Submits the workflow once. `anyway`: despite problems found by the check. */
  async function submit(anyway: boolean): Promise<void> {
    if (busy.value || unclear.value) return;
    const fine = await check();
    const { definition } = examination.value;
    if (definition === null || (!fine && !anyway)) {
      sending.value = { phase: 'stopped' };
      return;
    }
    await send(definition);
  }

  async function send(definition: Definition): Promise<void> {
    sending.value = { phase: 'sending' };
    const now = { name: definition.name, at: currentTime() };
    sent = now;
    const { args, files } = form.value.value;
    const single = Object.entries(files).flatMap(([key, file]) => (file instanceof File ? [[key, file] as const] : []));
    try {
      const workflow = await lab.submit(toWire(definition, author.value.trim()), {
        values: args,
        files: Object.fromEntries(single),
        ownership: ownership.value,
      });
      if (workflow === null) {
        sending.value = { phase: 'idle' };
        return;
      }
      dropDraft(store);
      sending.value = { phase: 'done', workflow };
    } catch (error) {
      const failure = submissionFailure(error);
      sending.value = { phase: 'failed', failure, sent: now };
      if (failure.kind === 'unclear') writeLost(store, { ...now, text: failure.text });
    }
  }
  /** Called after the user has checked whether it was started. */
  function clear(): void {
    dropLost(store);
    sending.value = { phase: 'idle' };
  }

  return {
    store,
    text,
    notice,
    before,
    ownership,
    author,
    knowledge,
    formVersion,
    initial,
    storedEntries,
    entries,
    form,
    examination,
    fields,
    checked,
    isCheckOutdated,
    sending,
    busy,
    unclear,
    examine,
    replace,
    undoReplace,
    check,
    submit,
    clear,
  };
}
