/**
 * The premise of a command, and whether it is unchanged when the user confirms: a dialog may stay open while its object
 * changes. Every command has a premise; only the safety stop never waits for a read.
 */
import { errorText } from '#api/errorText.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { clock } from '#api/time/clock.ts';
import { exceedsConfirmed, type Impact, type Decision } from '../guards/decision.ts';
import { premiseTexts as texts } from './texts.ts';

/** The timeout of the whole check, including repeated reads, in ms. */
export const maxCheckMs = 2000;

export type PremiseEvaluation =
  | { readonly kind: 'same' }
  /** The user must confirm the differences; `title` and `action` replace the dialog's texts about a change. */
  | {
      readonly kind: 'changed';
      readonly differences: readonly string[];
      readonly title?: string;
      readonly action?: string;
      /** The current impacts, if the dialog that it was confirmed in shows impacts. */
      readonly impacts?: readonly Impact[];
    }
  /** The command would no longer have its intended effect. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Two responses of different age disagree: the state is read again shortly. */
  | { readonly kind: 'transient'; readonly reason: string };

export type PremiseFinding =
  | Exclude<PremiseEvaluation, { kind: 'transient' }>
  | { readonly kind: 'unread'; readonly reason: string; readonly error: unknown };

export interface Premise<State> {
  /** Resolves when the server can respond in time; the timeout of the check begins afterwards. */
  readonly ready?: () => Promise<unknown>;
  /** Reads the current state that the command depends on. */
  readonly read: (options: ReadOptions) => Promise<State>;
  evaluate(freshState: State): PremiseEvaluation;
  /** The reason why nothing is sent if the manager responds to the read with 404. */
  readonly missing?: string;
}

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** A premise that was read, and whose object no longer exists: nothing is sent. The message is the reason. */
export class MissingObjectError extends Error {
  override readonly name = 'MissingObjectError';
}

/**
 * For a command that depends on no displayed state, such as adding an object, or whose premise was checked immediately
 * before.
 */
export const noPremise: Premise<null> = { read: async () => null, evaluate: () => ({ kind: 'same' }) };

export const samePremise: PremiseEvaluation = { kind: 'same' };

/** Returns `same` if there are no differences. */
export function evaluateDifferences(differences: readonly string[]): PremiseEvaluation {
  return differences.length === 0 ? samePremise : { kind: 'changed', differences };
}

/** @param confirmed the impacts that were shown; `null` if none were */
export function evaluateDecision(decision: Decision, confirmed: readonly Impact[] | null): PremiseEvaluation {
  if (!decision.allowed)
    return { kind: decision.transient === true ? 'transient' : 'refused', reason: decision.reason };
  const { effects: differences, impacts } = decision;
  return confirmed !== null && exceedsConfirmed(confirmed, impacts)
    ? { kind: 'changed', differences, impacts }
    : samePremise;
}

/** The pause before the next read while the responses disagree, in ms. */
const retryReadMs = 400;

export interface PremiseResult<State> {
  readonly finding: PremiseFinding;
  /** The state that was read; `null` if the read failed. */
  readonly freshState: State | null;
}

/** Reads and evaluates the premise. Never rejects: an error is a finding. */
export async function evaluatePremise<State>(
  { ready, read, evaluate, missing }: Premise<State>,
  isCurrent: () => boolean,
): Promise<PremiseResult<State>> {
  await ready?.();
  const end = clock.monotonic() + maxCheckMs;
  const remainingMs = () => Math.max(0, end - clock.monotonic());
  for (;;) {
    const stop = new AbortController();
    try {
      const freshState = await withTimeout(read({ signal: stop.signal, timeoutMs: remainingMs() }), remainingMs());
      const evaluation = evaluate(freshState);
      if (evaluation.kind !== 'transient') return { finding: evaluation, freshState };
      if (!isCurrent()) return { finding: { kind: 'refused', reason: evaluation.reason }, freshState };
      // There is no time for another read, and the responses still disagree.
      if (remainingMs() <= retryReadMs) throw new Error(evaluation.reason);
    } catch (error) {
      if (missing !== undefined && error instanceof ManagerError && error.status === 404)
        return { finding: { kind: 'refused', reason: missing }, freshState: null };
      if (error instanceof MissingObjectError)
        return { finding: { kind: 'refused', reason: error.message }, freshState: null };
      const reason = errorText(error);
      return { finding: { kind: 'unread', reason: reason.replace(/\.$/, ''), error }, freshState: null };
    } finally {
      stop.abort();
    }
    await new Promise((resolve) => setTimeout(resolve, retryReadMs));
  }
}

/** Rejects after `ms`. A read that can't be aborted continues, and its result is ignored. */
function withTimeout<Value>(read: Promise<Value>, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new Error(texts.timeout(maxCheckMs))), ms);
    void read.then(resolve, reject).finally(() => clock.clearTimeout(timer));
  });
}
