/** Serves a workflow in the manager's format: with its order of keys, and its computed fields. */
import type { Workflow, WorkflowStatus } from '../../api/managers/workflow.ts';
import type { JsonObject } from '../../api/client/wire.ts';
import { naiveText } from '../base/clock.ts';
import { isActive, isTerminal, type Run, type Step } from './run.ts';

const time = (ms: number | null) => (ms === null ? null : naiveText(ms));

/** Returns `PT1.119957S`, pydantic's format of a duration. */
function durationText(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  const hours = Math.floor(ms / 3_600_000) % 24;
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = (ms % 60_000) / 1000;
  const clock = `${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${seconds > 0 ? `${seconds}S` : ''}`;
  if (clock === '') return days > 0 ? `P${days}D` : 'PT0S';
  return `P${days > 0 ? `${days}D` : ''}T${clock}`;
}

function describeStatus({ flags, index }: Run): string {
  if (flags.completed) return 'Completed Successfully';
  if (flags.failed) return `Failed on step ${index}`;
  if (flags.cancelled) return `Cancelled on step ${index}`;
  if (flags.paused) return `Paused on step ${index}`;
  return flags.running ? `Running step ${index}` : `Queued on step ${index}`;
}

/** Returns the flags as the manager serves them. */
export function statusView(run: Run): WorkflowStatus {
  const { flags, index } = run;
  return {
    current_step_index: index,
    paused: flags.paused,
    completed: flags.completed,
    failed: flags.failed,
    cancelled: flags.cancelled,
    running: flags.running,
    has_started: flags.hasStarted,
    queued: isActive(run) && !flags.running,
    active: isActive(run),
    terminal: isTerminal(run),
    started: index > 0,
    ok: !flags.failed && !flags.cancelled,
    description: describeStatus(run),
  };
}

function stepView(source: Step): Workflow['steps'][number] {
  const { name, key, description, action, node, args, files, locations, conditions, data_labels, use_parameters } =
    source.filled;
  return {
    name,
    key,
    description,
    action,
    node,
    args,
    files,
    locations: locations as Record<string, string>,
    conditions: [...conditions],
    data_labels,
    use_parameters: use_parameters as JsonObject | null,
    step_id: source.id,
    status: source.status,
    file_paths: source.filePaths,
    result: source.result,
    history: source.history,
    last_status_update: time(source.lastUpdate),
    start_time: time(source.started),
    end_time: time(source.ended),
    duration: source.duration === null ? null : durationText(source.duration),
  };
}

export function workflowView(run: Run): Workflow {
  const { definition } = run;
  const count = (stepStatus: string) => run.steps.filter(({ status }) => status === stepStatus).length;
  const [completed, failed, skipped] = [count('succeeded'), count('failed'), count('cancelled')];
  const durationMs = run.started === null || run.ended === null ? null : run.ended - run.started;
  return {
    name: definition.name,
    workflow_definition_id: definition.workflow_definition_id,
    definition_metadata: definition.definition_metadata,
    parameters: definition.parameters as unknown as NonNullable<Workflow['parameters']>,
    steps: run.steps.map(stepView),
    scheduler_metadata: {
      ready_to_run: run.scheduler.ready,
      priority: run.scheduler.priority,
      reasons: [...run.scheduler.reasons],
    },
    label: definition.name,
    workflow_id: run.id,
    parameter_values: run.values,
    file_input_paths: run.filePaths,
    file_input_ids: run.fileIds,
    ownership_info: run.ownership,
    status: statusView(run),
    step_index: 0,
    simulate: false,
    submitted_time: naiveText(run.submitted),
    start_time: time(run.started),
    end_time: time(run.ended),
    step_definitions: definition.steps as unknown as NonNullable<Workflow['step_definitions']>,
    duration: durationMs === null ? null : durationText(durationMs),
    duration_seconds: durationMs === null ? null : durationMs / 1000,
    completed_steps: completed,
    failed_steps: failed,
    skipped_steps: skipped,
    step_statistics: {
      completed_steps: completed,
      failed_steps: failed,
      skipped_steps: skipped,
      total_steps: run.steps.length,
    },
  };
}
