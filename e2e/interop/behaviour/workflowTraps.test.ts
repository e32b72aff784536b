/**
 * Pause, resume, cancel and resubmit: their effects and side effects. The dashboard guards against the side effects; a test
 * fails when MADSci removes one, and its guard is no longer needed.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { uniqueName, unknownId, nodeClient, nodeNames, fetchRaw, catchRefusal, target, workcell } from './lab.ts';
import { pollUntil } from '../../support/pollUntil.ts';
import { itSince08 } from './versions.ts';
import {
  waitUntilArchived,
  waitUntilEnded,
  waitUntilOnNode,
  quick,
  resetNodes,
  slow,
  submit,
  wait,
  waitForWorkflow,
} from './workflows.ts';

beforeEach(resetNodes);

const slowNode = () => workcell.getNode({ node_name: nodeNames.slow });

describe('cancelling a workflow', () => {
  it('cancels a running workflow and the action of its node', async () => {
    const { workflow_id } = await submit([slow(30), quick()]);
    await waitUntilOnNode(workflow_id);
    const cancelled = await workcell.cancelWorkflow({ workflow_id });
    expect(cancelled.status).toMatchObject({ cancelled: true, description: 'Cancelled on step 0' });
    expect(cancelled.end_time).toBeTypeOf('string');
    await pollUntil(slowNode, ({ status }) => status?.busy === false);
  });

  it('cancels the action of another workflow on the same node when the workflow is queued', async () => {
    const first = await submit([slow(30)]);
    await waitUntilOnNode(first.workflow_id);
    const second = await submit([slow(30)]);
    await workcell.cancelWorkflow({ workflow_id: second.workflow_id });
    const victim = await waitUntilEnded(first.workflow_id);
    expect(victim.status).toMatchObject({ cancelled: true, description: 'Cancelled on step 0' });
  });

  it('cancels the step of a paused workflow on the same node when the workflow is queued', async () => {
    const paused = await submit([slow(30)]);
    await waitUntilOnNode(paused.workflow_id);
    await workcell.pauseWorkflow({ workflow_id: paused.workflow_id });
    await pollUntil(slowNode, ({ status }) => status?.paused === true && status.busy);
    const queued = await submit([slow(30)]);
    await workcell.cancelWorkflow({ workflow_id: queued.workflow_id });
    await pollUntil(slowNode, ({ status }) => status?.busy === false);
  });

  it('cancels the action of another workflow on the same node when the workflow has ended', async () => {
    const { workflow_id } = await submit([slow(0)]);
    await waitUntilArchived(workflow_id);
    const otherWorkflow = await submit([slow(30)]);
    await waitUntilOnNode(otherWorkflow.workflow_id);
    await workcell.cancelWorkflow({ workflow_id });
    expect((await waitUntilEnded(otherWorkflow.workflow_id)).status.cancelled).toBe(true);
  });

  it('returns a plain 500 and changes nothing while the node is unreachable', async () => {
    const node_name = uniqueName('away');
    await workcell.addNode({ node_name, node_url: 'http://127.0.0.1:9/' });
    const { workflow_id } = await submit([{ name: 'lost', node: node_name, action: 'anything' }]);
    for (const change of ['pause', 'cancel'])
      expect(await fetchRaw('workcell', `workflow/${workflow_id}/${change}`, { method: 'POST' })).toMatchObject({
        status: 500,
        text: 'Internal Server Error',
      });
    expect((await workcell.getWorkflow({ workflow_id })).status).toMatchObject({ queued: true, paused: false });
  });
});

describe('pausing and resuming a workflow', () => {
  it('pauses its node, and resets the start of its step when it is resumed', async () => {
    const { workflow_id } = await submit([slow(8), quick()]);
    await waitUntilOnNode(workflow_id);
    const paused = await workcell.pauseWorkflow({ workflow_id });
    expect(paused.status).toMatchObject({ paused: true, running: false, description: 'Paused on step 0' });
    await pollUntil(slowNode, ({ status }) => status?.paused === true);
    expect(await workcell.getActiveWorkflows()).toHaveProperty(workflow_id);
    const resumed = await workcell.resumeWorkflow({ workflow_id });
    expect(resumed.status).toMatchObject({ paused: false, has_started: false });
    await pollUntil(slowNode, ({ status }) => status?.paused === false);
    // Timing decides whether both starts collide: it completes, or fails without a reason. They can take 8 s each.
    await waitForWorkflow(workflow_id, ({ status }) => status.terminal, 40_000);
  });

  it('pauses the node that works for another workflow when the workflow is queued', async () => {
    const first = await submit([slow(8)]);
    await waitUntilOnNode(first.workflow_id);
    const second = await submit([slow(0)]);
    await workcell.pauseWorkflow({ workflow_id: second.workflow_id });
    await pollUntil(slowNode, ({ status }) => status?.paused === true);
    expect((await workcell.getWorkflow({ workflow_id: first.workflow_id })).status.terminal).toBe(false);
    await workcell.sendCommand({ command: 'resume', node: nodeNames.slow });
    expect((await waitUntilEnded(first.workflow_id)).status.completed).toBe(true);
  });

  it('cannot be undone before a built-in step', async () => {
    const { workflow_id } = await submit([slow(8), wait(0.1)]);
    await waitUntilOnNode(workflow_id);
    await workcell.pauseWorkflow({ workflow_id });
    await pollUntil(slowNode, ({ status }) => status?.paused === true);
    // The node continues by itself, as one that cannot be paused does: the workflow proceeds to its next step.
    await workcell.sendCommand({ command: 'resume', node: nodeNames.slow });
    await waitForWorkflow(workflow_id, ({ status }) => status.current_step_index === 1);
    for (const change of ['resume', 'cancel'])
      expect(await fetchRaw('workcell', `workflow/${workflow_id}/${change}`, { method: 'POST' })).toMatchObject({
        status: 500,
        text: 'Internal Server Error',
      });
    expect(await fetchRaw('workcell', `workflow/${workflow_id}/retry`, { method: 'POST' })).toMatchObject({
      status: 400,
    });
    expect((await workcell.getWorkflow({ workflow_id })).status).toMatchObject({ paused: true, current_step_index: 1 });
  });

  // A race between two threads of the manager once the node is free: one starts the step again, the other ends the
  // workflow because its first start has ended.
  it('starts a step a second time while its node still works on it', { retry: 5 }, async () => {
    const actions = async () => Object.keys(await nodeClient(nodeNames.slow).getActionHistory()).length;
    const actionsBefore = await actions();
    const { workflow_id } = await submit([slow(3)]);
    await waitUntilOnNode(workflow_id);
    await workcell.pauseWorkflow({ workflow_id });
    await workcell.resumeWorkflow({ workflow_id });
    await waitUntilEnded(workflow_id);
    // The end of the first start can end the workflow while the second start is sent: the node executes it
    // nevertheless.
    await pollUntil(actions, (count) => count - actionsBefore === 2, 3000);
  });

  it('leaves the node paused for all workflows when the workflow has ended', async () => {
    const { workflow_id } = await submit([slow(0)]);
    await waitUntilArchived(workflow_id);
    await workcell.pauseWorkflow({ workflow_id });
    const { status } = await pollUntil(slowNode, (node) => node.status?.paused === true);
    expect(status).toMatchObject({ ready: false, description: 'Node is paused' });
    await workcell.sendCommand({ command: 'resume', node: nodeNames.slow });
    await pollUntil(slowNode, (node) => node.status?.ready === true);
  });

  it('returns a plain 500 for a step without a node, as cancelling does, and changes nothing', async () => {
    const { workflow_id } = await submit([wait(2)]);
    for (const change of ['pause', 'cancel'])
      expect(await fetchRaw('workcell', `workflow/${workflow_id}/${change}`, { method: 'POST' })).toMatchObject({
        status: 500,
        text: 'Internal Server Error',
      });
    expect((await waitUntilEnded(workflow_id)).status.completed).toBe(true);
  });

  it('returns a workflow that is not paused unchanged', async () => {
    const { workflow_id } = await submit([slow(60)]);
    await waitUntilOnNode(workflow_id);
    await waitForWorkflow(workflow_id, ({ status }) => status.running);
    expect((await workcell.resumeWorkflow({ workflow_id })).status).toMatchObject({ paused: false, terminal: false });
    await workcell.cancelWorkflow({ workflow_id });
    await waitUntilEnded(workflow_id);
  });
});

describe('retrying a workflow', () => {
  it('starts a completed workflow at its first step, regardless of the index', async () => {
    const { workflow_id } = await submit([quick(), quick()]);
    await waitUntilArchived(workflow_id);
    expect((await workcell.retryWorkflow({ workflow_id, index: 1 })).status.current_step_index).toBe(0);
    expect((await waitUntilArchived(workflow_id)).status.completed).toBe(true);
  });
});

describe.runIf(target.kind === 'real')('resubmitting a workflow', () => {
  itSince08('returns 404 for an unknown workflow', 'workcell', ['resubmitWorkflow'], async () => {
    const unknown = workcell.resubmitWorkflow({ workflow_id: unknownId });
    expect(await catchRefusal(unknown)).toMatchObject({ status: 404, reason: 'Workflow not found' });
  });

  itSince08(
    'starts a new workflow with the same values and without the owner',
    'workcell',
    ['resubmitWorkflow'],
    async () => {
      const label = uniqueName('again');
      const { workflow_id } = await submit([quick()], {
        definition: {
          name: label,
          parameters: { json_inputs: [{ key: 'k', parameter_type: 'json_input', default: 1 }] },
        },
        start: { json_inputs: { k: 5 }, ownership_info: { experiment_id: unknownId } },
      });
      const first = await waitUntilEnded(workflow_id);
      expect(first.ownership_info.experiment_id).toBe(unknownId);
      const resubmitted = await workcell.resubmitWorkflow({ workflow_id });
      expect(resubmitted.workflow_id).not.toBe(workflow_id);
      expect(resubmitted).toMatchObject({ name: label, parameter_values: { k: 5 } });
      expect(resubmitted.ownership_info.experiment_id).toBeUndefined();
      expect((await waitUntilEnded(resubmitted.workflow_id)).status.completed).toBe(true);
    },
  );

  itSince08(
    'drops the files, so that a new workflow that needs them fails',
    'workcell',
    ['resubmitWorkflow'],
    async () => {
      const step = { name: 'count', node: nodeNames.careful, action: 'count_bytes', files: { document: 'doc' } };
      const { workflow_id } = await submit([step], {
        definition: { parameters: { file_inputs: [{ key: 'doc', parameter_type: 'file_input' }] } },
        start: { file_input_paths: { doc: 'note.txt' } },
        files: { doc: new Blob(['1']) },
      });
      expect((await waitUntilEnded(workflow_id)).status.completed).toBe(true);
      const resubmitted = await workcell.resubmitWorkflow({ workflow_id });
      const failed = await waitUntilEnded(resubmitted.workflow_id);
      expect(failed.status.failed).toBe(true);
      expect(failed.steps[0]?.result?.errors?.[0]).toMatchObject({ message: "'doc'", error_type: 'KeyError' });
    },
  );
});
