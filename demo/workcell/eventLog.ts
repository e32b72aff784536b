/** Logs workflows and their steps to the event manager. */
import type { JsonObject } from '../../api/client/wire.ts';
import { naiveText } from '../base/clock.ts';
import type { LogEntry } from '../base/demoManager.ts';
import type { Run, Step } from './run.ts';
import type { WorkcellState } from './state.ts';

type Line = Pick<LogEntry, 'level' | 'message' | 'eventType'>;

/** The workflow is recorded in the data; `source` is only the workcell. */
function entry(state: WorkcellState, line: Line, data: JsonObject): LogEntry {
  const { identity } = state.parts;
  return { ...line, component: 'WorkcellManager', source: identity.ownership, data };
}

function stepData(run: Run, step: Step): JsonObject {
  const { action, node } = step.filled;
  const step_index = run.steps.indexOf(step);
  return { workflow_id: run.id, step_id: step.id, step_action: action, step_node: node, step_index };
}

export function logStarted(state: WorkcellState, run: Run): void {
  const line = { level: 'info', message: 'Workflow start successful', eventType: 'workflow_start' } as const;
  const { workflow_definition_id, name } = run.definition;
  state.parts.log(entry(state, line, { workflow_name: name, workflow_id: run.id, workflow_definition_id }));
}

export function logStepStarted(state: WorkcellState, run: Run, step: Step): void {
  const line = { level: 'info', message: 'Running workflow step', eventType: 'workflow_step_start' } as const;
  state.parts.log(entry(state, line, stepData(run, step)));
}

/** The message of a failure refers to the step result instead of giving the reason. */
export function logStepEnded(state: WorkcellState, run: Run, step: Step): void {
  const data = stepData(run, step);
  if (step.status === 'failed' || step.status === 'unknown') {
    const message = 'Workflow step failed, see error in step result';
    state.parts.log(entry(state, { level: 'error', message, eventType: 'workflow_step_failed' }, data));
  }
  const line = { level: 'info', message: 'Completed workflow step', eventType: 'workflow_step_complete' } as const;
  state.parts.log(entry(state, line, { ...data, step_status: `ActionStatus.${step.status.toUpperCase()}` }));
}

function describeOutcome({ flags }: Run): string {
  if (flags.completed) return 'completed';
  return flags.failed ? 'failed' : 'cancelled';
}

/**
 * Returns the entries of an ended workflow: an event for the reports, and a log line with "completed" for any result.
 */
export function endEntries(state: WorkcellState, run: Run): readonly LogEntry[] {
  const author = run.definition.definition_metadata['author'] ?? null;
  const seconds = run.started === null || run.ended === null ? null : (run.ended - run.started) / 1000;
  const time = (ms: number | null) => (ms === null ? null : naiveText(ms));
  const count = (stepStatus: string) => run.steps.filter(({ status }) => status === stepStatus).length;
  const bare = entry(
    state,
    { level: 'info', message: '', eventType: 'workflow_complete' },
    {
      workflow_id: run.id,
      name: run.definition.name,
      status: describeOutcome(run),
      author,
      duration_seconds: seconds,
      start_time: time(run.started),
      end_time: time(run.ended),
      step_count: run.steps.length,
      current_step_index: run.index,
      step_statistics: {
        completed_steps: count('succeeded'),
        failed_steps: count('failed'),
        skipped_steps: count('cancelled'),
        total_steps: run.steps.length,
      },
    },
  );
  const logLine = entry(
    state,
    { level: 'info', message: 'Workflow completed', eventType: 'workflow_complete' },
    {
      workflow_id: run.id,
      workflow_name: run.definition.name,
      workflow_status: describeOutcome(run),
      workflow_author: author ?? 'Unknown',
      workflow_duration: seconds === null ? 'Unknown' : `${seconds.toFixed(1)}s`,
    },
  );
  return [{ ...bare, bare: true }, logLine];
}
