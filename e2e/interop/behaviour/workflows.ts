/** Workflows for the tests: submitted, and waited for. */
import type { Files } from '../../../api/client/endpoint.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import type { NewWorkflowDefinition } from '../../../api/managers/workflowDefinition.ts';
import type { WorkflowStart } from '../../../api/managers/workcell.ts';
import { nodeClient, nodeNames, until, workcell } from './lab.ts';

type Step = NonNullable<NewWorkflowDefinition['steps']>[number];

/** One that takes `seconds` on the slow node. */
export const slow = (seconds: number): Step => ({
  name: 'slow',
  node: nodeNames.slow,
  action: 'slow',
  args: { seconds },
});
/** The same on a node without a safety stop. */
export const steady = (seconds: number): Step => ({ ...slow(seconds), node: nodeNames.steady });
export const quick = (whole = 1): Step => ({
  name: 'quick',
  node: nodeNames.quick,
  action: 'every_argument',
  args: { whole },
});
export const faulty = (action: 'fail' | 'crash'): Step => ({ name: action, node: nodeNames.faulty, action });
/** A built-in one, without a node. */
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

export const when = (workflow_id: string, fits: (workflow: Workflow) => boolean): Promise<Workflow> =>
  until(() => workcell.getWorkflow({ workflow_id }), fits);

export const ended = (workflow_id: string): Promise<Workflow> => when(workflow_id, ({ status }) => status.terminal);

/** Ended, and no longer among the active ones. */
export async function archived(workflow_id: string): Promise<Workflow> {
  await ended(workflow_id);
  await until(
    () => workcell.getActiveWorkflows(),
    (active) => !(workflow_id in active),
  );
  return workcell.getWorkflow({ workflow_id });
}

/** Its first step is being worked on by the node itself. */
export async function onNode(workflow_id: string): Promise<Workflow> {
  const workflow = await when(workflow_id, ({ steps }) => steps[0]?.status === 'running');
  const node_name = workflow.steps[0]?.node ?? '';
  await until(
    () => workcell.getNode({ node_name }),
    ({ status }) => status?.busy === true,
  );
  return workflow;
}

/** Brings all nodes back to where every test starts. */
export async function settle(): Promise<void> {
  for (const { workflow_id, status } of Object.values(await workcell.getActiveWorkflows()))
    if (!status.terminal) await workcell.cancelWorkflow({ workflow_id }).catch(() => undefined); // Some can't be.
  const names = [...new Set([nodeNames.slow, nodeNames.steady, nodeNames.quick, nodeNames.careful, nodeNames.faulty])];
  for (const node of names) {
    const send = (command: string) => workcell.sendCommand({ command, node }).catch(() => undefined); // Not every node knows each.
    await send('resume');
    // What the node says itself: the manager's word is 2 s old, and a reset would let a cancelled action go on.
    const status = () =>
      nodeClient(node)
        .getStatus()
        .catch(() => null); // It may be starting anew.
    await until(
      async () => {
        const busy = (await status())?.busy === true;
        if (busy) await send('cancel');
        return busy;
      },
      (busy) => !busy,
      70_000,
    );
    for (const command of ['reset', 'unlock']) await send(command);
    await until(status, (now) => now?.ready === true);
    await until(
      () => workcell.getNode({ node_name: node }),
      ({ status: seen }) => seen?.ready === true && (seen.running_actions ?? []).length === 0,
    );
  }
}
