/**
 * What a command was decided on, and whether that still holds at the press: a dialog may stay open while its object
 * changes. Every command has a premise; the safety stop alone never waits for a read.
 */
import { errorText } from '../../../api/errorText.ts';
import { ManagerError } from '../../../api/client/managerError.ts';
import { isWorse, type Impact, type Decision } from '../guards/decision.ts';
import { premiseTexts as texts } from './texts.ts';

/** How long a press waits for the whole check, in ms, however often the state is read again. */
export const maxCheckMs = 2000;

export type Judgement =
  | { readonly is: 'same' }
  /** It can be sent once the person has seen the differences; `title` and `action` where it isn't a change. */
  | {
      readonly is: 'changed';
      readonly differences: readonly string[];
      readonly title?: string;
      readonly action?: string;
      /** What it would hit now, where the dialog that it was confirmed in shows that. */
      readonly impacts?: readonly Impact[];
    }
  /** It no longer does what its name says. */
  | { readonly is: 'refused'; readonly why: string }
  /** Two answers of different age disagree: it is read again shortly. */
  | { readonly is: 'passing'; readonly why: string };

export type Finding =
  Exclude<Judgement, { is: 'passing' }> | { readonly is: 'unread'; readonly reason: string; readonly error: unknown };

export interface Premise<State> {
  /** Reads what the command depends on as it is now. */
  readonly read: (options: ReadOptions) => Promise<State>;
  judge(now: State): Judgement;
  /** Why nothing is sent when the manager answers 404 to the read. */
  readonly missing?: string;
}

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Of a command that depends on nothing that was shown, such as adding an object, or that was checked right before. */
export const independent: Premise<null> = { read: async () => null, judge: () => ({ is: 'same' }) };

export const same: Judgement = { is: 'same' };

/** Same, where nothing differs. */
export function changedBy(differences: readonly string[]): Judgement {
  return differences.length === 0 ? same : { is: 'changed', differences };
}

/** @param confirmed what was shown of it; `null` where nothing was */
export function judgeDecision(decision: Decision, confirmed: readonly Impact[] | null): Judgement {
  if (!decision.allowed) return { is: decision.passing === true ? 'passing' : 'refused', why: decision.why };
  const { effects: differences, impacts } = decision;
  return confirmed !== null && isWorse(confirmed, impacts) ? { is: 'changed', differences, impacts } : same;
}

/** Pause before it is read again while the answers disagree, in ms. */
const passingMs = 400;

export interface Examined<State> {
  readonly finding: Finding;
  /** What was read; `null` where nothing could be. */
  readonly now: State | null;
}

/** Reads and judges. Never rejects: what goes wrong is a finding. */
export async function examine<State>(
  { read, judge, missing }: Premise<State>,
  isCurrent: () => boolean,
): Promise<Examined<State>> {
  const end = performance.now() + maxCheckMs;
  const leftMs = () => Math.max(0, end - performance.now());
  for (;;) {
    const stop = new AbortController();
    try {
      const now = await within(read({ signal: stop.signal, deadlineMs: leftMs() }), leftMs());
      const judged = judge(now);
      if (judged.is !== 'passing') return { finding: judged, now };
      if (!isCurrent()) return { finding: { is: 'refused', why: judged.why }, now };
      // The next reading would be cut off: what is known is that the answers still disagree.
      if (leftMs() <= passingMs) throw new Error(judged.why);
    } catch (error) {
      if (missing !== undefined && error instanceof ManagerError && error.status === 404)
        return { finding: { is: 'refused', why: missing }, now: null };
      const reason = errorText(error);
      return { finding: { is: 'unread', reason: reason.replace(/\.$/, ''), error }, now: null };
    } finally {
      stop.abort();
    }
    await new Promise((resolve) => setTimeout(resolve, passingMs));
  }
}

/** The read goes on where it can't be stopped; nothing waits for it then. */
function within<Value>(reading: Promise<Value>, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(texts.timeout(maxCheckMs))), ms);
    void reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
