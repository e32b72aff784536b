/** The attempts at a step, from its history of started actions. */
import type { ActionResult } from '#api/managers/action.ts';
import type { StepState } from '#api/states.ts';
import type { Step } from '#api/managers/workflow.ts';
import { groupBy } from '../../base/grouping.ts';
import { toErrorTexts } from '../errors/errorText.ts';

interface Attempt {
  readonly actionId: string;
  readonly state: StepState;
  /** The first and last time in its history, as the node's host wrote it. */
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly errors: readonly string[];
}

const states: Readonly<Record<string, StepState>> = {
  not_started: 'waiting',
  not_ready: 'waiting',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  paused: 'paused',
};

function actionState(status: string): StepState {
  return states[status] ?? 'unknown';
}

function errorMessages({ errors }: Pick<ActionResult, 'errors'>): readonly string[] {
  return toErrorTexts(errors).map(({ text }) => text);
}

/** Groups the history entries by action, in order of first occurrence. */
function entriesByAction({ history = [], result }: Pick<Step, 'history' | 'result'>): readonly ActionResult[][] {
  return [...groupBy([...history, ...(result ? [result] : [])], ({ action_id: id }) => id).values()];
}

/** The workcell manager's own entries about pausing and cancelling have their own ID. */
const idleStatuses = new Set<string>(['not_started', 'not_ready', 'paused', 'cancelled']);
const openStates = new Set<StepState>(['running', 'paused']);

/**
 * Returns whether the action never ran: only its end is recorded. After a lost connection, the workcell manager creates
 * a new ID for the end.
 */
const isEndOnly = (entries: readonly ActionResult[]): boolean =>
  entries.every(({ status }) => status === 'failed' || status === 'unknown');

/**
 * Returns the starts of a step, oldest first. A start that was only paused or rejected doesn't count.
 * @param outcome the state of the step: an attempt never outlasts it, whatever the node's last poll returned
 */
export function listAttempts(step: Pick<Step, 'history' | 'result'>, outcome: StepState): readonly Attempt[] {
  const attempts: Attempt[] = [];
  let isPaused = false;
  for (const entries of entriesByAction(step)) {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) continue;
    const end = {
      state: actionState(last.status),
      lastTime: last.history_created_at ?? null,
      errors: errorMessages(last),
    };
    const previous = attempts.at(-1);
    const isRunning = previous !== undefined && openStates.has(previous.state);
    if (entries.every(({ status }) => idleStatuses.has(status))) {
      isPaused ||= last.status === 'paused';
      if (isRunning && last.status === 'cancelled') attempts.splice(-1, 1, { ...previous, state: 'cancelled' });
    } else if (isRunning && !isPaused && isEndOnly(entries)) attempts.splice(-1, 1, { ...previous, ...end });
    else {
      attempts.push({ actionId: first.action_id, firstTime: first.history_created_at ?? null, ...end });
      isPaused = false;
    }
  }
  return attempts.map((attempt, index) => {
    if (!openStates.has(attempt.state) || (index === attempts.length - 1 && openStates.has(outcome))) return attempt;
    const isLast = index === attempts.length - 1 && outcome !== 'waiting';
    return { ...attempt, state: isLast ? outcome : 'unknown' };
  });
}
