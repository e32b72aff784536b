/** The attempts at a step: what its history keeps of each action that was started for it. Pure. */
import type { ActionResult } from '../../../api/managers/action.ts';
import type { StepState } from '../../../api/states.ts';
import type { Step } from '../../../api/managers/workflow.ts';
import { errorTextsOf } from '../errors/errorText.ts';

export interface Attempt {
  readonly actionId: string;
  readonly state: StepState;
  /** When it was first and last heard of, as the node's host wrote it. */
  readonly first: string | null;
  readonly last: string | null;
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

export function stateOfAction(status: string): StepState {
  return states[status] ?? 'unknown';
}

export function errorsOf({ errors }: Pick<ActionResult, 'errors'>): readonly string[] {
  return errorTextsOf(errors).map(({ text }) => text);
}

/** Oldest first. What was only paused or refused, and never ran, is none. */
export function attemptsOf({ history = [], result }: Pick<Step, 'history' | 'result'>): readonly Attempt[] {
  const groups = new Map<string, ActionResult[]>();
  for (const entry of [...history, ...(result ? [result] : [])]) {
    const group = groups.get(entry.action_id) ?? [];
    group.push(entry);
    groups.set(entry.action_id, group);
  }
  return [...groups].flatMap(([actionId, entries]) => {
    const last = entries.at(-1);
    if (last === undefined || entries.every(({ status }) => idle.has(status))) return [];
    return [
      {
        actionId,
        state: stateOfAction(last.status),
        first: entries[0]?.history_created_at ?? null,
        last: last.history_created_at ?? null,
        errors: errorsOf(last),
      },
    ];
  });
}

/** The workcell manager's own notes on pausing and cancelling have an ID of their own. */
const idle = new Set<string>(['not_started', 'not_ready', 'paused', 'cancelled']);
