/**
 * Sends a command to a manager after checking its premise and, if that has changed, requesting a confirmation. Every
 * command is sent here except the safety stop, which never waits.
 */
import { currentTime } from '../../base/clock.ts';
import type { ManagerKey } from '#api/managers.ts';
import type { CommandTarget } from '#api/commandRecord.ts';
import { evaluatePremise, type PremiseFinding, type Premise } from './premise.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

/** `id` is empty for an object that doesn't exist yet. */
interface Target {
  readonly kind: CommandTarget['kind'];
  readonly id: string;
  readonly name: string;
}

export interface Command<Body, State = unknown> {
  /** `Pause`, without an ellipsis. */
  readonly verb: string;
  readonly manager: ManagerKey;
  /** The target of the command; without an ID while it doesn't exist yet. */
  readonly target: Target;
  readonly premise: Premise<State>;
  /** Returns false once the user has closed the dialog: nothing is sent then. */
  readonly isCurrent?: () => boolean;
  /** Sends the command, once. `freshState`: the state that was read for it; `null` if the read failed. */
  readonly run: (freshState: State | null) => Promise<Body>;
}

type ChangedFinding = Exclude<PremiseFinding, { kind: 'same' }>;

/** Returns whether the command is sent nevertheless. Never called for a refused command; an exception ends the command. */
export type Reconfirm = (finding: Exclude<ChangedFinding, { kind: 'refused' }>) => boolean | Promise<boolean>;

export type CommandOutcome<Body, State> =
  | { readonly sent: true; readonly response: Body; readonly freshState: State | null }
  /** `null`: the user cancelled. */
  | { readonly sent: false; readonly refusal: string | null };

export type PremiseCheck<State> =
  | { readonly isAllowed: true; readonly freshState: State | null }
  /** `null`: the user cancelled. */
  | { readonly isAllowed: false; readonly refusal: string | null };

/** Checks whether a command may be sent now; requests a confirmation if its premise has changed or can't be read. */
export async function checkPremise<State>(
  premise: Premise<State>,
  reconfirm: Reconfirm,
  isCurrent: () => boolean = () => true,
): Promise<PremiseCheck<State>> {
  let confirmedChange: string | null = null;
  for (;;) {
    const { finding, freshState } = await evaluatePremise(premise, isCurrent);
    if (!isCurrent()) return { isAllowed: false, refusal: null };
    if (finding.kind === 'refused') return { isAllowed: false, refusal: finding.reason };
    const change = finding.kind === 'same' ? null : stringifyExactJson(finding);
    // An unchanged finding that was just confirmed isn't shown again.
    if (finding.kind === 'same' || change === confirmedChange) return { isAllowed: true, freshState };
    if (!(await reconfirm(finding)) || !isCurrent()) return { isAllowed: false, refusal: null };
    if (finding.kind === 'unread') return { isAllowed: true, freshState: null };
    confirmedChange = change;
  }
}

/** The response or error of a sent command. Times in ms, `sentAt` since the epoch. */
export type CommandAttempt<Body, State> = { readonly sentAt: number; readonly durationMs: number } & (
  { readonly response: Body; readonly freshState: State | null } | { readonly error: unknown }
);

/**
 * @param record called with each sent command, for the lab's event log
 * @throws only the errors of `run` and `reconfirm`
 */
export async function performCommand<Body, State>(
  { premise, run, isCurrent }: Command<Body, State>,
  reconfirm: Reconfirm,
  record: (settled: CommandAttempt<Body, State>) => void,
): Promise<CommandOutcome<Body, State>> {
  const checked = await checkPremise(premise, reconfirm, isCurrent);
  if (!checked.isAllowed) return { sent: false, refusal: checked.refusal };
  const { freshState } = checked;
  const sentAt = currentTime();
  const getTiming = () => ({ sentAt, durationMs: currentTime() - sentAt });
  let response: Body;
  try {
    response = await run(freshState);
  } catch (error) {
    record({ ...getTiming(), error });
    throw error;
  }
  record({ ...getTiming(), response, freshState });
  return { sent: true, response, freshState };
}
