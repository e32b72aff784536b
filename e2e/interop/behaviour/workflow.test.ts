/** The life cycle of a workflow: completion, failure and retry, with files, values and locations. */
import { beforeEach, describe, expect, it } from 'vitest';
import { parseDuration } from '#api/time/time.ts';
import { data, uniqueName, locations, unknownId, nodeNames, fetchRaw, catchRefusal, workcell } from './lab.ts';
import { pollUntil } from '../../support/pollUntil.ts';
import {
  waitUntilArchived,
  waitUntilEnded,
  faulty,
  quick,
  resetNodes,
  slow,
  submit,
  wait,
  waitForWorkflow,
  waitUntilOnNode,
} from './workflows.ts';

beforeEach(resetNodes);

describe('a completed workflow', () => {
  it('runs its steps, stores results as datapoints and moves to the archive', async () => {
    const { workflow_id, status } = await submit([quick(7), wait(0.2)]);
    expect(status).toMatchObject({ queued: true, active: true, terminal: false, description: 'Queued on step 0' });
    const finished = await waitUntilArchived(workflow_id);
    expect(finished.status).toMatchObject({ completed: true, ok: true, description: 'Completed Successfully' });
    expect(finished.steps.map((step) => step.status)).toEqual(['succeeded', 'succeeded']);
    expect(finished.steps.every((step) => step.duration === null)).toBe(true);
    expect(finished.step_statistics).toMatchObject({ completed_steps: 2, total_steps: 2 });
    expect(parseDuration(finished.duration ?? '')).toBeGreaterThan(0);
    const [first] = finished.steps;
    expect(first?.result?.json_result).toBeNull();
    const datapoint_id = String(first?.result?.datapoints?.['json_result']);
    expect((await data.getDatapoint({ datapoint_id })).value).toMatchObject({ whole: 7, text: 'words' });
    const [newest] = Object.keys(await workcell.getArchivedWorkflows({ number: 1 }));
    expect(newest).toBe(workflow_id);
    expect(await workcell.getArchivedWorkflows({ number: 0 })).toHaveProperty(workflow_id);
    expect((await fetchRaw('workcell', 'workflows/archived?number=x')).status).toBe(422);
  });

  it('has neither start nor end time if it has no steps', async () => {
    const finished = await waitUntilArchived((await submit([])).workflow_id);
    expect(finished).toMatchObject({ status: { completed: true }, start_time: null, end_time: null });
  });

  it('receives values and files and passes results to later steps', async () => {
    const document = new Blob(['12345']);
    const { workflow_id } = await submit(
      [
        {
          name: 'count',
          key: 'count',
          node: nodeNames.careful,
          action: 'count_bytes',
          files: { document: 'doc' },
          use_parameters: { args: { unit: 'unit' } },
        },
        {
          name: 'echo',
          node: nodeNames.quick,
          action: 'every_argument',
          args: { whole: 1 },
          use_parameters: { args: { options: 'counted' } },
        },
      ],
      {
        definition: {
          parameters: {
            json_inputs: [{ key: 'unit', parameter_type: 'json_input', default: 'bytes' }],
            file_inputs: [{ key: 'doc', parameter_type: 'file_input' }],
            feed_forward: [{ key: 'counted', parameter_type: 'feed_forward_json', step: 'count', data_type: 'json' }],
          },
        },
        start: { json_inputs: { unit: 'B' }, file_input_paths: { doc: '/home/me/note.txt' } },
        files: { doc: document },
      },
    );
    const finished = await waitUntilEnded(workflow_id);
    const [counted] = finished.steps;
    const datapoint_id = String(counted?.result?.datapoints?.['json_result']);
    expect((await data.getDatapoint({ datapoint_id })).value).toEqual({ count: 5, unit: 'B' });
    expect(finished.parameter_values).toMatchObject({ counted: { count: 5, unit: 'B' } });
    expect(finished.file_input_ids?.['doc']).toBeTypeOf('string');
  });

  it('passes each node its representation of a location and stores the files that the action returns', async () => {
    const location_name = uniqueName('spot');
    await locations.addLocation({ body: { location_name, representations: { [nodeNames.careful]: { slot: 4 } } } });
    const { workflow_id } = await submit([
      { name: 'where', node: nodeNames.careful, action: 'use_location', locations: { target: location_name } },
      { name: 'files', node: nodeNames.careful, action: 'make_files', args: { text: 'ab' } },
    ]);
    const { steps } = await waitUntilEnded(workflow_id);
    expect(steps[0]?.locations?.['target']).toMatchObject({ representation: { slot: 4 }, location_name });
    const { first, second } = steps[1]?.result?.datapoints ?? {};
    expect(await (await data.getDatapointValue({ datapoint_id: String(first) })).text()).toBe('ab');
    expect(await (await data.getDatapointValue({ datapoint_id: String(second) })).text()).toBe('ab\nab');
  });

  it('passes a node its representation of a location that is given as a parameter', async () => {
    const location_name = uniqueName('spot');
    await locations.addLocation({ body: { location_name, representations: { [nodeNames.careful]: { slot: 5 } } } });
    const step = { name: 'where', node: nodeNames.careful, action: 'use_location' };
    const { workflow_id } = await submit([{ ...step, use_parameters: { locations: { target: 'where' } } }], {
      definition: { parameters: { json_inputs: [{ key: 'where', parameter_type: 'json_input' }] } },
      start: { json_inputs: { where: location_name } },
    });
    const finished = await waitUntilEnded(workflow_id);
    expect(finished.status.completed).toBe(true);
    expect(finished.steps[0]?.locations?.['target']).toMatchObject({ representation: { slot: 5 }, location_name });
  });
});

describe('a failed workflow', () => {
  it('stops at the failed action, leaves the node ready and continues from there on retry', async () => {
    const { workflow_id } = await submit([quick(), faulty('fail'), quick()]);
    const failed = await waitUntilArchived(workflow_id);
    expect(failed.status).toMatchObject({ failed: true, ok: false, description: 'Failed on step 1' });
    expect(failed.steps.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'not_started']);
    expect(failed.steps[1]?.result?.errors?.[0]).toMatchObject({ message: 'out of tips', error_type: 'TipError' });
    expect((await workcell.getNode({ node_name: nodeNames.faulty })).status).toMatchObject({ errored: false });

    const retried = await workcell.retryWorkflow({ workflow_id });
    expect(retried).toMatchObject({ workflow_id, end_time: failed.end_time });
    expect(retried.status).toMatchObject({ failed: false, current_step_index: 1 });
    expect(retried.steps[1]?.result).toEqual(failed.steps[1]?.result);
    await waitUntilArchived(workflow_id);
    expect((await workcell.retryWorkflow({ workflow_id, index: 0 })).status.current_step_index).toBe(0);
    expect((await waitUntilArchived(workflow_id)).status.failed).toBe(true);
  });

  it('leaves the node in an error state after an exception until it is reset', async () => {
    const { workflow_id } = await submit([faulty('crash')]);
    expect((await waitUntilEnded(workflow_id)).status.failed).toBe(true);
    const node = await pollUntil(
      () => workcell.getNode({ node_name: nodeNames.faulty }),
      ({ status }) => status?.errored === true,
    );
    expect(node.status?.description).toBe('Node is in an error state');
    const waiting = await submit([faulty('fail')]);
    await pollUntil(
      () => workcell.getWorkflow({ workflow_id: waiting.workflow_id }),
      ({ scheduler_metadata }) =>
        scheduler_metadata?.reasons?.includes(`Node ${nodeNames.faulty} not ready: Node is in an error state`) === true,
    );
    expect((await workcell.getWorkflowQueue()).map((queued) => queued.workflow_id)).toContain(waiting.workflow_id);
    await workcell.sendCommand({ command: 'reset', node: nodeNames.faulty });
    expect((await waitUntilEnded(waiting.workflow_id)).status.failed).toBe(true);
    const after = await workcell.getNode({ node_name: nodeNames.faulty });
    expect(after.status).toMatchObject({ errored: false, errors: [{ error_type: 'ValueError' }] });
  });
});

it('a running workflow is not retried', async () => {
  const { workflow_id } = await submit([slow(60)]);
  await waitUntilOnNode(workflow_id);
  await waitForWorkflow(workflow_id, ({ status }) => status.running);
  expect(await catchRefusal(workcell.retryWorkflow({ workflow_id }))).toMatchObject({
    status: 400,
    reason: 'Workflow is not in a terminal state, cannot retry',
  });
  await workcell.cancelWorkflow({ workflow_id });
  await waitUntilEnded(workflow_id);
});

it('requests for unknown workflows return 404', async () => {
  const { getWorkflow, pauseWorkflow, resumeWorkflow, cancelWorkflow, retryWorkflow } = workcell;
  for (const call of [getWorkflow, pauseWorkflow, resumeWorkflow, cancelWorkflow, retryWorkflow])
    expect(await catchRefusal(call({ workflow_id: unknownId }))).toMatchObject({
      status: 404,
      reason: 'Workflow not found',
    });
});
