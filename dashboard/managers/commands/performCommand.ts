/**
 * The one way of every command to a manager, whether a button, a batch or a held cancel sends it: its premise is read and
 * judged, the person is asked where it no longer holds, and only then it is sent. What must know of each command
 * (records, limits) belongs here. The safety stop has its own way: it never waits.
 */
import { currentTime } from '../../base/clock.ts';
import type { ManagerKey } from '../../../api/managers.ts';
import type { CommandTarget } from '../../../api/commandRecord.ts';
import { examine, type Finding, type Premise } from './premise.ts';

/** `id` is empty where it has none yet. */
interface Target {
  readonly kind: CommandTarget['kind'];
  readonly id: string;
  readonly name: string;
}

export interface Command<Answer, State = unknown> {
  /** `Pause`, without an ellipsis. */
  readonly verb: string;
  readonly manager: ManagerKey;
  /** What it is sent to; without an ID where it only comes to be. */
  readonly target: Target;
  readonly premise: Premise<State>;
  /** False once the person has closed the dialog: nothing is sent then. */
  readonly isCurrent?: () => boolean;
  /** Sends it, once. `now`: the state that was read for it; `null` where none could be read. */
  readonly run: (now: State | null) => Promise<Answer>;
}

type ChangedFinding = Exclude<Finding, { is: 'same' }>;

/** Whether it is sent all the same. Never called for what is refused; what it throws ends the command. */
export type Reask = (finding: Exclude<ChangedFinding, { is: 'refused' }>) => boolean | Promise<boolean>;

export type Performed<Answer, State> =
  | { readonly sent: true; readonly answer: Answer; readonly now: State | null }
  /** `null`: the person went back. */
  | { readonly sent: false; readonly refusal: string | null };

export type Checked<State> =
  | { readonly go: true; readonly now: State | null }
  /** `null`: the person went back. */
  | { readonly go: false; readonly refusal: string | null };

/** Whether a command may be sent now, asking the person where its premise no longer holds or could not be read. */
export async function checkPremise<State>(
  premise: Premise<State>,
  reask: Reask,
  isCurrent: () => boolean = () => true,
): Promise<Checked<State>> {
  let agreed: string | null = null;
  for (;;) {
    const { finding, now } = await examine(premise, isCurrent);
    if (!isCurrent()) return { go: false, refusal: null };
    if (finding.is === 'refused') return { go: false, refusal: finding.why };
    const doubt = finding.is === 'same' ? null : JSON.stringify(finding);
    // What was agreed to a moment ago isn't asked again while it stays so.
    if (finding.is === 'same' || doubt === agreed) return { go: true, now };
    if (!(await reask(finding)) || !isCurrent()) return { go: false, refusal: null };
    if (finding.is === 'unread') return { go: true, now: null };
    agreed = doubt;
  }
}

/** What became of a command that was sent: its answer or the error. Times in ms, `sentAt` since the epoch. */
export type Settled<Answer, State> = { readonly sentAt: number; readonly durationMs: number } & (
  { readonly answer: Answer; readonly now: State | null } | { readonly error: unknown }
);

/**
 * @param record is called with each command that was sent, for the lab's event log
 * @throws whatever `run` or `reask` throws, and nothing else
 */
export async function performCommand<Answer, State>(
  { premise, run, isCurrent: isWanted }: Command<Answer, State>,
  reask: Reask,
  record: (settled: Settled<Answer, State>) => void,
): Promise<Performed<Answer, State>> {
  const checked = await checkPremise(premise, reask, isWanted);
  if (!checked.go) return { sent: false, refusal: checked.refusal };
  const { now } = checked;
  const sentAt = currentTime();
  const times = () => ({ sentAt, durationMs: currentTime() - sentAt });
  let answer: Answer;
  try {
    answer = await run(now);
  } catch (error) {
    record({ ...times(), error });
    throw error;
  }
  record({ ...times(), answer, now });
  return { sent: true, answer, now };
}
