/** Workflows of the demo lab for the browser tests: submitted directly to the manager, and awaited. */
import { createClient } from '#api/client/client.ts';
import { dataApi } from '#api/managers/data.ts';
import type { Node } from '#api/managers/node.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { NewWorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { submitWorkflow, type WorkflowInputs } from '#dashboard/managers/commands/submission.ts';
import { pollUntil } from '../../support/pollUntil.ts';

type Step = NonNullable<NewWorkflowDefinition['steps']>[number];

/** The node that can be slow, fail, and crash; it can be paused and cancelled. */
export const testNode = 'advanced_example_node';
export const slowStep = (seconds: number, name = 'Incubate'): Step => ({
  name,
  node: testNode,
  action: 'slow',
  args: { seconds },
});
export const quickStep = (name = 'Dispense'): Step => ({
  name,
  node: 'liquidhandler_1',
  action: 'run_command',
  args: { command: 'prime' },
});
export const waitStep = (seconds: number, name = 'Settle'): Step => ({ name, action: 'wait', args: { seconds } });
export const failingStep: Step = { name: 'Shake', node: testNode, action: 'fail' };

export const workcellClient = (lab: DemoLab) => createClient(workcellApi, { baseUrl: lab.context.workcell_server_url });
export const dataClient = (lab: DemoLab) => createClient(dataApi, { baseUrl: lab.context.data_server_url });

export function submit(
  lab: DemoLab,
  name: string,
  steps: readonly Step[],
  inputs: WorkflowInputs = {},
  definition: Partial<NewWorkflowDefinition> = {},
): Promise<Workflow> {
  return submitWorkflow(workcellClient(lab), { name, ...definition, steps: [...steps] }, inputs);
}

/**
 * The timeout of each wait, in ms. The demo lab of the tests starts a step within half a second, but a busy machine is
 * slower.
 */
const timeoutMs = 30_000;

/** Waits until the workflow meets the condition. */
export const waitForWorkflow = (lab: DemoLab, id: string, isReached: (workflow: Workflow) => boolean) =>
  pollUntil(() => workcellClient(lab).getWorkflow({ workflow_id: id }), isReached, timeoutMs);

/** Waits until the workcell manager reports the node with this status. */
export const waitForNode = (lab: DemoLab, name: string, isReached: (status: NonNullable<Node['status']>) => boolean) =>
  pollUntil(
    () => workcellClient(lab).getNode({ node_name: name }),
    ({ status }) => status !== null && isReached(status),
    timeoutMs,
  );

/** Waits until the current step runs and its node reports that it is busy. */
export async function waitUntilRunning(lab: DemoLab, id: string): Promise<Workflow> {
  const workflow = await waitForWorkflow(
    lab,
    id,
    ({ steps, status }) => steps[status.current_step_index]?.status === 'running',
  );
  const name = workflow.steps[workflow.status.current_step_index]?.node ?? '';
  await waitForNode(lab, name, ({ busy }) => busy);
  return workflow;
}

/**
 * Locks the node and waits until the workcell manager has read its status: until then it starts the steps of the node,
 * and queues each of them again when the node refuses it.
 */
export async function lockNode(lab: DemoLab, name: string): Promise<void> {
  await workcellClient(lab).sendCommand({ node: name, command: 'lock' });
  await waitForNode(lab, name, ({ locked }) => locked);
}

export const unlockNode = (lab: DemoLab, name: string) =>
  workcellClient(lab).sendCommand({ node: name, command: 'unlock' });

export const waitUntilEnded = (lab: DemoLab, id: string) => waitForWorkflow(lab, id, ({ status }) => status.terminal);
