/**
 * A command that a person confirms in a dialog. What is sent is what was shown: where it would hit more by now, the dialog
 * shows that and asks again; a dialog that was closed while the state was read sends nothing.
 */
import { computed, shallowRef, type ComputedRef, type Ref, type ShallowRef, type WritableComputedRef } from 'vue';
import { useStillShown } from '../../base/ui.ts';
import type { Impact, Decision, Offer } from '../guards/decision.ts';
import { useCommandQuestion } from './commandQuestion.ts';
import { useOutcomes } from './outcomes.ts';
import { checkPremise } from './performCommand.ts';
import type { Premise } from './premise.ts';
import { notSentTexts } from './texts.ts';
import type { OwnReask } from './useCommand.ts';

/** What a dialog asks about. */
export type Confirmation<Subject extends object> = Subject & {
  /** What was shown of it: what is confirmed. */
  readonly impacts: readonly Impact[];
  /** What has changed since it was asked. */
  readonly note: string;
};

/** The part of a command's request that belongs to its dialog. */
export interface DialogRequest {
  readonly isCurrent: () => boolean;
  readonly reask: OwnReask;
  /** To be called when it is sent, so that the dialog closes before the answer. */
  readonly onSend: () => void;
}

export interface ConfirmedCommand<Subject extends object> {
  /** What is asked at the moment; `null` closes the dialog. */
  readonly pending: ShallowRef<Confirmation<Subject> | null>;
  /** The state is being read again, for what was confirmed. */
  readonly busy: ComputedRef<boolean>;
  /** What is asked, as it stands now: what was offered last stays readable while it can't be done. */
  readonly live: ComputedRef<{ readonly offer: Offer | null; readonly blocked: string | null }>;
  /** @param impacts what the dialog shows of it */
  readonly open: (subject: Subject, impacts?: readonly Impact[]) => void;
  /** Opens the dialog, or reports as the outcome of `what` why it can't be done any more. */
  readonly confirmFirst: (what: string, subject: Subject) => void;
  readonly refuse: (what: string, why: string) => void;
  /** Sends what needs no dialog, whatever is asked meanwhile; one opens where it would hit more than `hits` by now. */
  readonly send: <Answer>(
    subject: Subject,
    impacts: readonly Impact[],
    command: (request: DialogRequest) => Promise<Answer>,
  ) => Promise<Answer>;
  /** Sends what is asked. @returns `null` where nothing is asked, or it is under way */
  readonly confirm: <Answer>(
    command: (confirmed: Confirmation<Subject>, request: DialogRequest) => Promise<Answer>,
  ) => Promise<Answer | null>;
  /** Does what is asked on this page, once its premise holds; the dialog shows why it does not. */
  readonly confirmHere: <State>(
    what: string,
    premise: Premise<State>,
    then: (confirmed: Confirmation<Subject>, now: State | null) => void,
  ) => Promise<void>;
}

/** @param decide whether it is offered at the moment; for `live` and `ask` */
// oxlint-disable-next-line max-lines-per-function -- safety-critical, and read as one sequence: asked, checked, sent
export function useConfirmedCommand<Subject extends object>(
  decide: (subject: Subject) => Decision | null = () => null,
): ConfirmedCommand<Subject> {
  const question = useCommandQuestion();
  const outcomes = useOutcomes();
  const pending: ConfirmedCommand<Subject>['pending'] = shallowRef(null);
  /** What was confirmed, until it is sent; one that was sent before may be answered while another is checked. */
  const checked: typeof pending = shallowRef(null);
  const busy = computed(() => checked.value !== null);
  const isShown = useStillShown();
  let offered: Offer | null = null;

  const live = computed(() => {
    const decision = pending.value === null ? null : decide(pending.value);
    if (decision?.allowed === true) offered = decision;
    // What passes by itself is waited for once it is confirmed.
    const isBlocked = decision?.allowed === false && decision.passing !== true;
    return { offer: offered, blocked: isBlocked ? decision.why : null };
  });

  const open = (subject: Subject, impacts: readonly Impact[] = []): void =>
    void (pending.value = { ...subject, impacts, note: '' });
  const refuse = (what: string, why: string): void => outcomes.begin(what)('failed', notSentTexts.refused(why));

  function confirmFirst(what: string, subject: Subject): void {
    const decision = decide(subject);
    if (decision?.allowed === false) return refuse(what, decision.why);
    offered = decision;
    open(subject, decision?.impacts);
  }

  /** @param dialog that it was confirmed in; `null` where it needed none */
  function reaskFor(confirmed: Confirmation<Subject>, dialog: Confirmation<Subject> | null): OwnReask {
    return (finding, common) => {
      const isFree = isShown() && pending.value === dialog;
      if (finding.is === 'unread' || finding.impacts === undefined || !isFree) return common();
      // What was offered last may be about another subject.
      if (dialog === null) offered = null;
      pending.value = { ...confirmed, impacts: [...confirmed.impacts, ...finding.impacts], note: notSentTexts.changed };
      return false;
    };
  }

  const confirm: ConfirmedCommand<Subject>['confirm'] = async (command) => {
    const confirmed = pending.value;
    if (confirmed === null || busy.value) return null;
    checked.value = confirmed;
    const close = (): void => {
      if (pending.value === confirmed) pending.value = null;
      if (checked.value === confirmed) checked.value = null;
    };
    try {
      return await command(confirmed, {
        isCurrent: () => pending.value === confirmed,
        reask: reaskFor(confirmed, confirmed),
        onSend: close,
      });
    } finally {
      // Where it was refused, the outcome gives the reason.
      close();
    }
  };

  return {
    pending,
    busy,
    live,
    open,
    confirmFirst,
    refuse,
    send: (subject, impacts, command) =>
      command({
        isCurrent: () => true,
        reask: reaskFor({ ...subject, impacts, note: '' }, null),
        onSend: () => undefined,
      }),
    confirm,
    confirmHere: async (what, premise, then) => {
      await confirm(async (confirmed, { isCurrent: isWanted, reask, onSend }) => {
        const result = await checkPremise(
          premise,
          (finding) => reask(finding, () => question.confirmFirst(what, finding)),
          isWanted,
        );
        if (result.go) {
          onSend();
          then(confirmed, result.now);
        } else if (result.refusal !== null)
          pending.value = { ...confirmed, note: notSentTexts.notSafe(result.refusal) };
      });
    },
  };
}

/** For the dialog's `v-model`: it is open while something is asked, and closing it takes the question back. */
export function useDialogOpen(pending: Ref<object | null>): WritableComputedRef<boolean> {
  return computed({
    get: () => pending.value !== null,
    set: (isOpen) => {
      if (!isOpen) pending.value = null;
    },
  });
}
