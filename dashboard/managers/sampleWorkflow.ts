/** Workflows and nodes for unit tests, as the workcell manager serves them. */
import type { Node, NodeStatus } from '../../api/node.ts';
import type { Step, Workflow, WorkflowStatus } from '../../api/workflow.ts';

export function sampleStep(changed: Partial<Step> = {}): Step {
  return { step_id: 'step', name: 'Move', action: 'transfer', node: 'arm', status: 'not_started', ...changed };
}

/** A workflow of one step that waits, unless told otherwise; what follows from the flags is worked out. */
export function sampleWorkflow(changed: Partial<Workflow> = {}, flags: Partial<WorkflowStatus> = {}): Workflow {
  const given = { paused: false, completed: false, failed: false, cancelled: false, running: false, ...flags };
  const terminal = given.completed || given.failed || given.cancelled;
  const active = !terminal && !given.paused;
  return {
    name: 'Growth assay',
    workflow_id: '01JWORKFLOW000000000000001',
    workflow_definition_id: '01JDEFINITION0000000000001',
    steps: [sampleStep()],
    ownership_info: {},
    ...changed,
    status: {
      current_step_index: 0,
      has_started: given.running,
      queued: active && !given.running,
      active,
      terminal,
      started: false,
      ok: !given.failed && !given.cancelled,
      ...given,
    },
  };
}

/** A node that is ready and knows every command, unless told otherwise. */
export function sampleNode(
  status: Partial<NodeStatus> | null = {},
  commands: readonly string[] | null = allCommands,
): Node {
  return {
    node_url: 'http://arm:2000/',
    status:
      status === null
        ? null
        : {
            busy: false,
            paused: false,
            locked: false,
            stopped: false,
            errored: false,
            disconnected: false,
            errors: [],
            initializing: false,
            waiting_for_config: [],
            ready: true,
            ...status,
          },
    info: commands === null ? null : { node_name: 'arm', actions: {}, capabilities: { admin_commands: [...commands] } },
    state: null,
  };
}

const allCommands = ['safety_stop', 'reset', 'pause', 'resume', 'cancel', 'shutdown', 'lock', 'unlock'] as const;
