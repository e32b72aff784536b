/**
 * A command that the user confirms in a dialog. Only the confirmed impacts are accepted: if there are more by now,
 * the dialog shows them and requires a new confirmation. A dialog that is closed while the state is read sends nothing.
 */
import {
  computed,
  shallowRef,
  watch,
  type ComputedRef,
  type Ref,
  type ShallowRef,
  type WritableComputedRef,
} from 'vue';
import { useIsMounted } from '../../base/ui.ts';
import type { Impact, Decision, Offer } from '../guards/decision.ts';
import { useCommandConfirmation } from './commandConfirmation.ts';
import { useOutcomes } from './outcomes.ts';
import { checkPremise } from './performCommand.ts';
import type { Premise } from './premise.ts';
import type { ReconfirmHandler } from './useCommand.ts';

/** The subject of a confirmation dialog. */
export type Confirmation<Subject extends object> = Subject & {
  /** The impacts that the dialog showed, which the user confirms. */
  readonly impacts: readonly Impact[];
  /** What has changed since the dialog opened. */
  readonly note: string;
};

/** The part of a command's request that belongs to its dialog. */
export interface DialogRequest {
  readonly isCurrent: () => boolean;
  readonly reconfirm: ReconfirmHandler;
  /** Call it when the command is sent, so that the dialog closes before the response. */
  readonly onSend: () => void;
}

export interface ConfirmedCommand<Subject extends object> {
  /** The current confirmation; `null` closes the dialog. */
  readonly pending: ShallowRef<Confirmation<Subject> | null>;
  /** Whether the state is being read again after a confirmation. */
  readonly busy: ComputedRef<boolean>;
  /** The current state of the confirmation: the last offer stays readable while the command is blocked. */
  readonly current: ComputedRef<{ readonly offer: Offer | null; readonly blockingReason: string | null }>;
  /** @param impacts the impacts that the dialog shows */
  readonly open: (subject: Subject, impacts?: readonly Impact[]) => void;
  /** Opens the dialog, or reports in the outcome of the command why it isn't possible any more. */
  readonly requestConfirmation: (commandText: string, subject: Subject) => void;
  readonly refuse: (commandText: string, reason: string) => void;
  /**
   * Sends a command that needs no dialog, independent of an open one; a dialog opens if there are more impacts than
   * `impacts` by now.
   */
  readonly send: <Body>(
    subject: Subject,
    impacts: readonly Impact[],
    command: (request: DialogRequest) => Promise<Body>,
  ) => Promise<Body>;
  /** Sends the confirmed command. @returns `null` if no dialog is open, or a confirmation is pending */
  readonly confirm: <Body>(
    command: (confirmed: Confirmation<Subject>, request: DialogRequest) => Promise<Body>,
  ) => Promise<Body | null>;
  /** Runs an action on this page if its premise is unchanged; otherwise the dialog shows why not. */
  readonly confirmLocalAction: <State>(
    commandText: string,
    premise: Premise<State>,
    action: (confirmed: Confirmation<Subject>, freshState: State | null) => void,
  ) => Promise<void>;
}

/** @param decide returns whether the command is offered now; for `current` and `requestConfirmation` */
// oxlint-disable-next-line max-lines-per-function -- safety-critical, read in sequence: confirmed, checked, sent
export function useConfirmedCommand<Subject extends object>(
  decide: (subject: Subject) => Decision | null = () => null,
): ConfirmedCommand<Subject> {
  const confirmation = useCommandConfirmation();
  const outcomes = useOutcomes();
  const pending: ConfirmedCommand<Subject>['pending'] = shallowRef(null);
  /**
   * The confirmation whose premise is being checked, until the command is sent. An earlier command may still be pending
   * meanwhile.
   */
  const confirmationInCheck: typeof pending = shallowRef(null);
  const busy = computed(() => confirmationInCheck.value !== null);
  const isMounted = useIsMounted();
  let lastOffer: Offer | null = null;

  const current = computed(() => {
    const decision = pending.value === null ? null : decide(pending.value);
    if (decision?.allowed === true) lastOffer = decision;
    // A transient blocking reason doesn't block the button, because the check after the confirmation waits for its end.
    const isBlocked = decision?.allowed === false && decision.transient !== true;
    return { offer: lastOffer, blockingReason: isBlocked ? decision.reason : null };
  });

  const open = (subject: Subject, impacts: readonly Impact[] = []): void =>
    void (pending.value = { ...subject, impacts, note: '' });
  const refuse = (commandText: string, reason: string): void => outcomes.begin(commandText)('notSent', reason);

  function requestConfirmation(commandText: string, subject: Subject): void {
    const decision = decide(subject);
    if (decision?.allowed === false) return refuse(commandText, decision.reason);
    lastOffer = decision;
    open(subject, decision?.impacts);
  }

  /** @param dialog the confirmation that the open dialog shows; `null` if the command needed none */
  function createReconfirmHandler(
    confirmed: Confirmation<Subject>,
    dialog: Confirmation<Subject> | null,
  ): ReconfirmHandler {
    return (finding, showCommonDialog) => {
      const canReopen = isMounted() && pending.value === dialog;
      if (finding.kind === 'unread' || finding.impacts === undefined || !canReopen) return showCommonDialog();
      // The last offer may be about another subject.
      if (dialog === null) lastOffer = null;
      pending.value = {
        ...confirmed,
        impacts: [...confirmed.impacts, ...finding.impacts],
        note: 'Not sent yet: the state has changed, and so has the effect. Check it again before you continue.',
      };
      return false;
    };
  }

  const confirm: ConfirmedCommand<Subject>['confirm'] = async (command) => {
    const confirmed = pending.value;
    if (confirmed === null || busy.value) return null;
    confirmationInCheck.value = confirmed;
    const close = (): void => {
      if (pending.value === confirmed) pending.value = null;
      if (confirmationInCheck.value === confirmed) confirmationInCheck.value = null;
    };
    try {
      return await command(confirmed, {
        isCurrent: () => pending.value === confirmed,
        reconfirm: createReconfirmHandler(confirmed, confirmed),
        onSend: close,
      });
    } finally {
      // If the command was rejected, the outcome shows the reason.
      close();
    }
  };

  return {
    pending,
    busy,
    current,
    open,
    requestConfirmation,
    refuse,
    send: (subject, impacts, command) =>
      command({
        isCurrent: () => true,
        reconfirm: createReconfirmHandler({ ...subject, impacts, note: '' }, null),
        onSend: () => undefined,
      }),
    confirm,
    confirmLocalAction: async (commandText, premise, action) => {
      await confirm(async (confirmed, { isCurrent, reconfirm, onSend }) => {
        const result = await checkPremise(
          premise,
          (finding) => reconfirm(finding, () => confirmation.requestConfirmation(commandText, finding)),
          isCurrent,
        );
        if (result.isAllowed) {
          onSend();
          action(confirmed, result.freshState);
        } else if (result.refusal !== null)
          pending.value = { ...confirmed, note: `Not sent: the state has changed. ${result.refusal}` };
      });
    },
  };
}

/** For the dialog's `v-model`: true while a confirmation is shown; closing the dialog withdraws it. */
export function useDialogOpen(pending: Ref<object | null>): WritableComputedRef<boolean> {
  return computed({
    get: () => pending.value !== null,
    set: (isOpen) => {
      if (!isOpen) pending.value = null;
    },
  });
}

/** Closes the dialog when its component shows another object: a page or a drawer shows the next one in the same component. */
export function closeWithObject(pending: Ref<object | null>, getId: () => string | undefined): void {
  watch(getId, () => (pending.value = null));
}
