/** Submits workflows for the tests and waits for them. */
import type { Files } from '#api/client/endpoint.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { NewWorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import type { WorkflowStart } from '#api/managers/workcell.ts';
import { nodeClient, nodeNames, workcell } from './lab.ts';
import { pollUntil } from '../../support/pollUntil.ts';

type Step = NonNullable<NewWorkflowDefinition['steps']>[number];

/** A step of `seconds` on the slow node. */
export const slow = (seconds: number): Step => ({
  name: 'slow',
  node: nodeNames.slow,
  action: 'slow',
  args: { seconds },
});
/** A step of `seconds` on a node without a safety stop. */
export const steady = (seconds: number): Step => ({ ...slow(seconds), node: nodeNames.steady });
export const quick = (whole = 1): Step => ({
  name: 'quick',
  node: nodeNames.quick,
  action: 'every_argument',
  args: { whole },
});
export const faulty = (action: 'fail' | 'crash'): Step => ({ name: action, node: nodeNames.faulty, action });
/** A built-in step, without a node. */
export const wait = (seconds: number): Step => ({ name: 'wait', action: 'wait', args: { seconds } });

export interface Submission {
  readonly definition?: Partial<NewWorkflowDefinition>;
  readonly start?: Partial<WorkflowStart>;
  readonly files?: Files;
}

export async function submit(steps: readonly Step[], submission: Submission = {}): Promise<Workflow> {
  const { definition = {}, start = {}, files } = submission;
  const workflow_definition_id = await workcell.addWorkflowDefinition({
    body: { name: 'Interop', ...definition, steps: [...steps] },
  });
  return workcell.startWorkflow({ body: { workflow_definition_id, ...start }, ...(files ? { files } : {}) });
}

export const waitForWorkflow = (
  workflow_id: string,
  matches: (workflow: Workflow) => boolean,
  timeoutMs?: number,
): Promise<Workflow> => pollUntil(() => workcell.getWorkflow({ workflow_id }), matches, timeoutMs);

export const waitUntilEnded = (workflow_id: string): Promise<Workflow> =>
  waitForWorkflow(workflow_id, ({ status }) => status.terminal);

/** Waits until the workflow has ended and is no longer among the active ones. */
export async function waitUntilArchived(workflow_id: string): Promise<Workflow> {
  await waitUntilEnded(workflow_id);
  await pollUntil(
    () => workcell.getActiveWorkflows(),
    (active) => !(workflow_id in active),
  );
  return workcell.getWorkflow({ workflow_id });
}

/** Waits until the node works on the first step. */
export async function waitUntilOnNode(workflow_id: string): Promise<Workflow> {
  const workflow = await waitForWorkflow(workflow_id, ({ steps }) => steps[0]?.status === 'running');
  const node_name = workflow.steps[0]?.node ?? '';
  await pollUntil(
    () => workcell.getNode({ node_name }),
    ({ status }) => status?.busy === true,
  );
  return workflow;
}

/** Returns all nodes to the initial state of the tests. */
export async function resetNodes(): Promise<void> {
  for (const { workflow_id, status } of Object.values(await workcell.getActiveWorkflows()))
    if (!status.terminal) await workcell.cancelWorkflow({ workflow_id }).catch(() => undefined); // Some cannot be cancelled.
  const names = [...new Set([nodeNames.slow, nodeNames.steady, nodeNames.quick, nodeNames.careful, nodeNames.faulty])];
  for (const node of names) {
    const send = (command: string) => workcell.sendCommand({ command, node }).catch(() => undefined); // Not every node supports each command.
    await send('resume');
    // The node's own status: the manager's copy is up to 2 s old, and a reset would let a cancelled action continue.
    const readStatus = () =>
      nodeClient(node)
        .getStatus()
        .catch(() => null); // The node can be restarting.
    await pollUntil(
      async () => {
        const busy = (await readStatus())?.busy === true;
        if (busy) await send('cancel');
        return busy;
      },
      (busy) => !busy,
      70_000,
    );
    for (const command of ['reset', 'unlock']) await send(command);
    await pollUntil(readStatus, (nodeStatus) => nodeStatus?.ready === true);
    await pollUntil(
      () => workcell.getNode({ node_name: node }),
      ({ status }) => status?.ready === true && (status.running_actions ?? []).length === 0,
    );
  }
}
