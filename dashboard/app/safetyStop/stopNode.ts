/**
 * The safety stop of one node: through the workcell manager, and, where that doesn't answer, straight to the node's
 * last-known address. Both ways may be tried: a node that is stopped twice is stopped. Pure but for what it is given.
 */
import { ManagerError } from '../../../api/managerError.ts';
import type { AdminCommandAnswer } from '../../../api/action.ts';

/**
 * - `confirmed`: the node said that it stopped
 * - `sent`: it was sent and the node's answer can't be read
 * - `unknownCommand`: the node has no safety stop
 * - `refused`, `failed`: with the reason
 */
export type StopState = 'sending' | 'confirmed' | 'sent' | 'unknownCommand' | 'refused' | 'failed';

export interface StopOutcome {
  readonly state: StopState;
  /** Whether the answer came from the node itself rather than through the workcell manager. */
  readonly direct: boolean;
  readonly reason: string;
}

export interface StopWays {
  /** `null` where the workcell manager has no address. */
  readonly throughWorkcell: (() => Promise<AdminCommandAnswer>) | null;
  /** Resolves with the node's answer, or with `null` where it was sent and may not be read. `null`: no address. */
  readonly direct: (() => Promise<AdminCommandAnswer | null>) | null;
  /** How long the workcell manager has before the node is asked directly as well, in ms. */
  readonly patienceMs: number;
}

/** Better knowledge replaces worse: what a node said before what was only sent, and that before any failure. */
const rank: Readonly<Record<StopState, number>> = {
  sending: 0,
  failed: 1,
  unknownCommand: 2,
  refused: 3,
  sent: 4,
  confirmed: 5,
};

/** Whether `next` says more of a node than what is known of it. */
export function saysMore(next: StopOutcome, known: StopOutcome): boolean {
  return rank[next.state] > rank[known.state];
}

/** Tells each step of the way, the last one when the promise resolves. */
export async function stopNode(ways: StopWays, tell: (outcome: StopOutcome) => void): Promise<StopOutcome> {
  let best: StopOutcome = { state: 'sending', direct: false, reason: '' };
  const learn = (outcome: StopOutcome): void => {
    if (!saysMore(outcome, best)) return;
    best = outcome;
    tell(best);
  };
  const { throughWorkcell, direct, patienceMs } = ways;
  let asked: Promise<void> | null = null;
  const askDirectly = (): Promise<void> => {
    asked ??= direct === null ? Promise.resolve() : viaNode(direct).then(learn);
    return asked;
  };
  if (throughWorkcell === null) await askDirectly();
  else {
    const timer = setTimeout(() => void askDirectly(), patienceMs);
    const outcome = await viaWorkcell(throughWorkcell);
    clearTimeout(timer);
    learn(outcome);
    // The workcell manager's own word on the node is enough; without one the node is asked itself.
    if (outcome.state === 'failed') await askDirectly();
    if (asked !== null) await asked;
  }
  if (best.state === 'sending') learn({ state: 'failed', direct: true, reason: '' });
  return best;
}

async function viaWorkcell(send: () => Promise<AdminCommandAnswer>): Promise<StopOutcome> {
  try {
    return answered(await send(), false);
  } catch (error) {
    if (error instanceof ManagerError && error.status === 400)
      return { state: 'unknownCommand', direct: false, reason: error.reason };
    return { state: 'failed', direct: false, reason: reasonOf(error) };
  }
}

async function viaNode(send: () => Promise<AdminCommandAnswer | null>): Promise<StopOutcome> {
  try {
    const answer = await send();
    return answer === null ? { state: 'sent', direct: true, reason: '' } : answered(answer, true);
  } catch (error) {
    return { state: 'failed', direct: true, reason: reasonOf(error) };
  }
}

function answered({ success, errors }: AdminCommandAnswer, direct: boolean): StopOutcome {
  if (success) return { state: 'confirmed', direct, reason: '' };
  const said = (errors ?? [])
    .map(({ message, error_type: type }) => message ?? type ?? '')
    .filter((text) => text !== '');
  const unknown = (errors ?? []).some(({ error_type: type }) => type === 'AdminCommandNotImplemented');
  return { state: unknown ? 'unknownCommand' : 'refused', direct, reason: said.join('; ') };
}

function reasonOf(error: unknown): string {
  if (error instanceof ManagerError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}
